import { describe, expect, it } from 'vitest';
import { banner } from '../../composition/banner.ts';

const hints = (hasEmbeddings: boolean): readonly string[] =>
  banner('http://127.0.0.1:8080', null, hasEmbeddings)
    .split('\n')
    .filter((line) => /\bmodel\b/.test(line));

describe('what a start prints', () => {
  it('says in one line how to get a model, and what for, where there is none', () => {
    expect(hints(false)).toEqual([expect.stringMatching(/other words.*23 MB: npm run model -- fetch \S+$/)]);
    expect(hints(true)).toEqual([]);
  });
});
