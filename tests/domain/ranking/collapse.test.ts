import { describe, expect, it } from 'vitest';
import { collapse } from '../../../domain/ranking/fuse.ts';

/** `a1` is the first content of source a. */
const places = (best: readonly string[], textOf = (name: string): string => name): string =>
  collapse(best, (name) => ({ sourceId: name.slice(0, 1), text: textOf(name) })).join(' ');

describe('collapse', () => {
  it('leaves a source two of the first ten places', () => {
    const best = ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'd1', 'e1', 'f1', 'g1', 'h1', 'i1', 'j1', 'a5', 'k1'];
    expect(places(best)).toBe('a1 a2 b1 c1 d1 e1 f1 g1 h1 i1 a3 a4 j1 a5 k1');
  });

  it('gives it more where no other takes them', () => {
    expect(places(['a1', 'a2', 'a3', 'b1', 'a4'])).toBe('a1 a2 b1 a3 a4');
  });

  it('keeps one of two that are the same, where all others have words too', () =>
    expect(places(['a1', 'b1', 'c1'], (name) => (name === 'b1' ? 'other' : 'same'))).toBe('a1 b1'));

  it('counts what is word for word the same once, the best of it', () => {
    const texts: { readonly [name: string]: string } = {
      a1: 'Same, text!',
      b1: 'other',
      c1: 'same text',
      d1: '…',
      e1: '?',
      f1: 'one two three four five x ab',
      g1: 'one two three four five xa b',
    };
    expect(places(Object.keys(texts), (name) => texts[name] ?? '')).toBe('a1 b1 d1 e1 f1 g1');
  });
});
