import { describe, expect, it } from 'vitest';
import { queryWords } from '../../../domain/ranking/asked-terms.ts';
import { saysNothing, stopPhrases, withStopTerms } from '../../../domain/ranking/stop-phrases.ts';

describe('stopPhrases', () => {
  it('are one for each three stop words in a row, the same in a text and in a query', () => {
    const asked = stopPhrases('to be or not to be'.split(' '));
    expect(asked.size).toBe(4);
    const inText = stopPhrases('he said to be or not to be that is it'.split(' '));
    expect([...asked].every((term) => inText.has(term))).toBe(true);
    expect(stopPhrases('one of the birds of a feather'.split(' ')).size).toBe(0);
  });

  it('stay the same from one release to the next, as an index has stored them', () =>
    expect([...stopPhrases('to be or not'.split(' '))]).toEqual(['=~730', '=~950']));

  it('are asked for by stop words alone', () => {
    const marked = (query: string) => [...queryWords(query).keys()].filter((term) => term.startsWith('=~'));
    expect(marked('to be or not to be')).toHaveLength(4);
    expect(marked('to be or not to be a falcon')).toEqual([]);
    expect(saysNothing(['the', 'who'])).toBe(true);
    expect(saysNothing(['the', 'falcon'])).toBe(false);
    expect(saysNothing([])).toBe(false);
  });
});

it('a stop word is indexed by a term of its own, which no phrase and no name has', () => {
  const words = ['wo', 'tapes'].map((word) => ({ word, language: 'de' }));
  expect(withStopTerms(words, [[], ['tape']])).toEqual([['=~wo'], ['tape']]);
});
