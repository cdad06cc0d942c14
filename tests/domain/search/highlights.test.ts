import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highlightsOf, wordPlacer } from '../../../domain/search/highlights.ts';
import { wordsOf } from '../../../domain/shared/words.ts';

/** With what every word of the text begins with. */
const placedIn = (text: string) => wordPlacer(new Set(wordsOf(text).map((word) => word[0] ?? '')))(text);

const shown = (text: string, words: readonly string[], most = 100): readonly string[] =>
  highlightsOf(placedIn(text), (word) => words.includes(word), most).map(({ start, end }) =>
    text.slice(start, end),
  );

describe('places of words', () => {
  it.each([
    ['a Falcon, and FALCON-like', ['falcon'], ['Falcon', 'FALCON']],
    ['über Größe', ['größe'], ['Größe']],
    ['ｆａｌｃｏｎ in full width', ['falcon'], ['ｆａｌｃｏｎ']],
    ['🦅 an emoji 🦅 before a falcon', ['falcon'], ['falcon']],
    ['cafe\u0301 and cafés', ['café'], ['cafe\u0301']],
    ['cafe\u0301', ['café'], ['cafe\u0301']],
    ['a falcon’s “nest”', ['falcon', 'nest'], ['falcon', 'nest']],
    ['in 2東京 and 2 more', ['2'], ['2', '2']],
    ['nothing here', ['falcon'], []],
    ['', ['falcon'], []],
  ])('are those of the text as it is written: %j', (text, words, found) => {
    expect(shown(text, words)).toEqual(found);
  });

  it('are runs of characters where a script has no spaces', () => {
    const text = '私は東京都に住んでいます';
    expect(shown(text, wordsOf('東京都'))).toEqual(['東京都']);
    expect(shown(text, wordsOf('京'))).toEqual([]);
    expect(shown('価格は 円 です', wordsOf('円'))).toEqual(['円']);
  });

  it('are of words that begin as one of those that are looked for', () => {
    const places = wordPlacer(new Set(['a', 'ä', '1']))('Ab ac\nbä ÄB äc 1a');
    expect(places.map(({ word, start }) => [word, start])).toEqual([
      ['ab', 0],
      ['ac', 3],
      ['äb', 9],
      ['äc', 12],
      ['1a', 15],
    ]);
  });

  it('are none of other words, in a line of ASCII either', () => {
    const places = wordPlacer(new Set(['a']))('Ab xa ac\nä xa');
    expect(places.map(({ word, start }) => [word, start])).toEqual([
      ['ab', 0],
      ['ac', 6],
    ]);
  });

  it('are at most so many', () => {
    expect(shown('a b a b a b a', ['a'], 2)).toEqual(['a', 'a']);
  });

  it('hold the words that the text is indexed by, in their order', () => {
    const plain = fc.string({
      unit: fc.constantFrom(...'abcyzXYZ019 ,.-_@[`{/:~\n', 'ä', 'é', 'Я', 'ß'),
      maxLength: 60,
    });
    fc.assert(
      fc.property(plain, (text) => {
        const placed = placedIn(text);
        expect(placed.map(({ word }) => word)).toEqual(wordsOf(text));
        for (const { word, start, end } of placed) expect(wordsOf(text.slice(start, end))).toEqual([word]);
      }),
    );
  });

  it('ascend, do not touch, and lie within any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        let last = -1;
        for (const { start, end } of highlightsOf(placedIn(text), () => true, 100)) {
          expect(start).toBeGreaterThan(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
