import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractiveAnswer } from '../../../domain/answer/extractive-answer.ts';
import { sentencesOf } from '../../../domain/answer/sentences.ts';
import { stem, termsOf } from '../../../domain/answer/terms.ts';
import { inkOf, prose } from '../chunking/arbitrary-text.ts';

const textsOf = (text: string): string[] => sentencesOf(text).map((sentence) => sentence.text);
const HAIR = '\u200A'.repeat(4);

describe('sentencesOf', () => {
  it('leaves a reference to a page or a book in its sentence', () => {
    const cited = 'It was "merely reiterated" [Avrich, Op. Cit., p. 74, and ch. 5] by them all.';
    expect(textsOf(`${cited} See part p. It is short. The end.`)).toEqual([
      cited,
      'See part p.',
      'It is short.',
      'The end.',
    ]);
    expect(textsOf('The letters [Letters, ed. Joan Brown, pp. 4-7] tell. He knew ch. Nobody did.')).toEqual([
      'The letters [Letters, ed. Joan Brown, pp. 4-7] tell.',
      'He knew ch.',
      'Nobody did.',
    ]);
  });

  it('cuts prose into sentences, not at abbreviations, initials and decimals', () => {
    expect(
      textsOf('Dr. Smith met J. Jones in the U.S. in 1999. It cost 3.5 million! See Fig. 2 for it.'),
    ).toEqual(['Dr. Smith met J. Jones in the U.S. in 1999.', 'It cost 3.5 million!', 'See Fig. 2 for it.']);
  });

  it.each([
    ["Not set yet, so env! won't work and you'll need more.", 1],
    ['It is called empty? in Ruby. "Stop!" he cried (really?!) and left.', 2],
    ['A line that is long enough to be wrapped at env!\nis one sentence.', 1],
    ['It works! Is it so? It is! 3 of 4. Ready?\n\nyes', 6],
  ])('does not cut at ! or ? before a small letter: %j', (text, count) => {
    expect(textsOf(text)).toHaveLength(count);
  });

  it('joins lines that were wrapped, and keeps list items, headings and indented lines apart', () => {
    const text =
      'A line that is long enough to have been wrapped\nby its author. Next.\n\nShort heading\nThe text below it.\n- one item\n2. another\n  code();';
    expect(textsOf(text)).toEqual([
      'A line that is long enough to have been wrapped by its author.',
      'Next.',
      'Short heading',
      'The text below it.',
      'one item',
      'another',
      'code();',
    ]);
  });

  it('tells statements from questions, headings and cells', () => {
    expect(
      sentencesOf('Is it? It is. "So be it." 東京です。\n\nHeading').map(({ isStatement }) => isStatement),
    ).toEqual([false, true, true, true, false]);
  });

  it('keeps reference marks with their sentence, and apart from citations', () => {
    expect(textsOf('It is tall.[3][4] It stands [1, 2] here, by [W1].')).toEqual([
      `It is tall.[${HAIR}3][${HAIR}4]`,
      `It stands [${HAIR}1, 2] here, by [${HAIR}W1].`,
    ]);
  });

  it('leaves out a sentence whose code does not end', () => {
    expect(textsOf('Press the ` key. Call `f(x)` then. Use ``a ` b`` here.')).toEqual([
      'Call `f(x)` then.',
      'Use ``a ` b`` here.',
    ]);
  });

  it('holds what stands in the text, in its order', () => {
    fc.assert(
      fc.property(prose(80), (text) => {
        const ink = inkOf(text.toWellFormed());
        let from = 0;
        for (const { text: sentence } of sentencesOf(text)) {
          const at = ink.indexOf(inkOf(sentence), from);
          expect(at).toBeGreaterThanOrEqual(from);
          from = at + 1;
        }
      }),
    );
  });
});

describe('termsOf', () => {
  it('unifies case, width and inflection, and leaves out stop words', () => {
    expect(termsOf('What is ＩＮＳＴＡＬＬＩＮＧ, the installations')).toEqual([
      stem('install'),
      stem('install'),
    ]);
    for (const [one, other] of [
      ['running', 'run'],
      ['queries', 'query'],
      ['stopped', 'stop'],
      ['optimization', 'optimize'],
    ] as const) {
      expect(stem(one)).toBe(stem(other));
    }
  });

  it('takes scripts without spaces in pairs of characters', () => {
    expect(termsOf('東京都 v2')).toEqual(['東京', '京都', 'v2']);
  });
});

describe('hostile texts', () => {
  // Twenty times a time that is ample: what is quadratic takes minutes.
  it.each([
    ['without a full stop', 'word '],
    ['without a space', 'x'],
    ['of full stops', '. '],
    ['of line breaks', 'a\n'],
    ['of brackets', '['],
    ['of marks', '[1]'],
    ['of list marks', '- '],
    ['of closing quotes', '.)" '],
    ['of blanks', ' \t'],
    ['of exclamation marks', '!'],
    ['of marks that end nothing', 'a?! '],
    ['of combining marks', '\u0301'],
    ['of backticks', '`'],
    ['of short sentences', 'A b. '],
    ['without spaces between words', '東京'],
  ])('are read in time that is linear: 400,000 characters %s', (_name, unit) => {
    const text = unit.repeat(400_000 / unit.length);
    const answer = extractiveAnswer('what is a word x 東京 b', [{ title: text.slice(0, 9_000), text }]);
    expect(answer.length).toBeLessThanOrEqual(5);
  });
});
