import { describe, expect, it } from 'vitest';
import { REDACTION_KINDS, RedactionRule } from '../../../adapters/http/schemas/redaction-policy.ts';
import { DETECTORS } from '../../../domain/redaction/detectors/by-kind.ts';
import { RULE_KINDS } from '../../../domain/redaction/index.ts';

const FILLERS = [
  'A'.repeat(16),
  'a'.repeat(40),
  `${'a'.repeat(20)}.${'a'.repeat(20)}`,
  'aaaaaaaa.eyJaaaaaaaa.aaaa',
  'a'.repeat(32),
];
const named = (REDACTION_KINDS.split('- `key`')[1]?.split('Strings of')[0] ?? '').matchAll(/`([^`]+)`/g);

describe('the description of the kinds of rules', () => {
  it('stands in the schema and names every kind', () => {
    expect(RedactionRule.properties.kind).toMatchObject({ description: REDACTION_KINDS });
    const told = [...REDACTION_KINDS.matchAll(/^- `(\w+)`: /gm)].map(([, kind]) => kind);
    expect(told).toEqual(RULE_KINDS);
  });

  it.each([...named].map(([, prefix]) => prefix))('names %s, with which keys begin', (prefix) => {
    const found = FILLERS.filter((filler) => {
      const [span] = DETECTORS.key.find(`${prefix}${filler}`, 0);
      return span?.start === 0;
    });
    expect(found).not.toEqual([]);
  });
});
