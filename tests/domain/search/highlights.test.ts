import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placedWords } from '../../../domain/search/highlights.ts';
import { createTextWords, highlightsOf } from '../../../domain/search/text-words.ts';
import { wordsOf } from '../../../domain/shared/words.ts';

const placesOf = (text: string, isWanted: (word: string) => boolean, most = 100) => {
  const { numbering, texts } = createTextWords()([text]);
  return highlightsOf(texts[0]!, (word) => isWanted(numbering.words[word]!), most);
};

const shown = (text: string, words: readonly string[], most = 100): readonly string[] =>
  placesOf(text, (word) => words.includes(word), most).map(({ start, end }) => text.slice(start, end));

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
    ['a fal\u00adcon', ['falcon'], ['fal\u00adcon']],
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
        const placed = placedWords(text);
        expect(placed.map(({ word }) => word)).toEqual(wordsOf(text));
        for (const { word, start, end } of placed) expect(wordsOf(text.slice(start, end))).toEqual([word]);
      }),
    );
  });

  it('ascend, do not touch, and lie within any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        let last = -1;
        for (const { start, end } of placesOf(text, () => true)) {
          expect(start).toBeGreaterThan(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});

describe('words of texts by their numbers', () => {
  const wordsIn = ({ numbering, texts }: ReturnType<ReturnType<typeof createTextWords>>) =>
    texts.map((text) =>
      Array.from(
        text.filter((_, i) => i % 3 === 0),
        (word) => numbering.words[word],
      ),
    );

  it('are the same for the same word, and begin alike where they do', () => {
    const { numbering, texts } = createTextWords()(['a falcon', 'Falcons, FALCON']);
    expect(wordsIn({ numbering, texts })).toEqual([
      ['a', 'falcon'],
      ['falcons', 'falcon'],
    ]);
    expect(texts[1]![3]).toBe(texts[0]![3]);
    const initials = numbering.words.map((_, word) => numbering.initials[word]);
    expect(initials).toEqual(numbering.words.map((word) => numbering.numbersOfInitials.get(word[0]!)));
    expect(new Set(initials).size).toBe(2);
  });
});
