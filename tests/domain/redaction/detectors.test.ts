import { describe, expect, it } from 'vitest';
import { DETECTORS } from '../../../domain/redaction/detectors/by-kind.ts';
import { type Kind, TABLE } from './examples.ts';

describe('the detectors', () => {
  for (const kind of Object.keys(TABLE) as Kind[]) {
    for (const [text, ...found] of TABLE[kind]) {
      it(`find ${found.length === 0 ? `no ${kind}` : `the ${kind}`} in ${JSON.stringify(text.slice(0, 60))}`, () => {
        const spans = DETECTORS[kind].find(text, 0);
        expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual(found);
      });
    }
  }
});
