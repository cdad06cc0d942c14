import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCitationMarks, createKnownMarks } from '../../../domain/answer/citation-marks.ts';
import { withoutCitations } from '../../../domain/answer/without-citations.ts';

const whole = (text: string, given: number) => {
  const marks = createCitationMarks(given);
  return { text: marks.push(text) + marks.flush(), cited: marks.cited() };
};
const withWeb = (pieces: readonly string[], contents: number, web: number) => {
  const marks = createCitationMarks(contents, web);
  const text = pieces.map((piece) => marks.push(piece)).join('') + marks.flush();
  return { text, cited: marks.cited(), web: marks.citedWeb() };
};

describe('citation marks', () => {
  it.each([
    ['A [3]. B [1]. C [3].', 'A [1]. B [2]. C [1].', [2, 0]],
    ['Nothing [6] and [0] and [99].', 'Nothing and and.', []],
    ['A [9]word, [9](url) and [9]`code`\n[9] end [9]', 'A word, (url) and `code`\n end', []],
    ['A list [a], a link [text](url), [], [1', 'A list [a], a link [text](url), [], [1', []],
    ['A【1】. B 【2†source】 and 【3†L4-L9】, [1†x].', 'A[1]. B [2] and [3], [1].', [0, 1, 2]],
    ['A [2-4]. B [^5]; C [4–9], [3:0].', 'A [1][2][3]. B [4]; C [3][4], [2].', [1, 2, 3, 4]],
    ['A [citation:2], [Source 3] and [sources: 2, 3].', 'A [1], [2] and [1][2].', [1, 2]],
    [
      'Nothing【9】 [^9] and [7-9], [source] 【a】 [2020-2024].',
      'Nothing and, [source] 【a】 [2020-2024].',
      [],
    ],
    ['```js\na[0] = b[1];\n``` then [5]', '```js\na[0] = b[1];\n``` then [1]', [4]],
  ])('of %j read %j', (text, expected, cited) => {
    expect(whole(text, 5)).toEqual({ text: expected, cited });
  });

  it('read the same however the answer is cut into pieces', () => {
    const word = fc.constantFrom(
      '[',
      ']',
      '1',
      '2',
      '12',
      ',',
      ' ',
      '; ',
      '`',
      '``',
      '```',
      'a',
      '\n',
      '[1]',
      '[2, 3]',
      '[9]',
      ' [8]',
      'W',
      '【',
      '】',
      '†',
      '-',
      '^',
      'source ',
      '[W1]',
      '.',
    );
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 40 }),
        fc.array(fc.nat(8), { maxLength: 60 }),
        (words, cuts) => {
          const text = words.join('');
          const marks = createCitationMarks(5);
          let said = '';
          let at = 0;
          for (const cut of cuts) {
            said += marks.push(text.slice(at, at + cut));
            at += cut;
          }
          said += marks.push(text.slice(at)) + marks.flush();
          expect({ text: said, cited: marks.cited() }).toEqual(whole(text, 5));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each(['``a [1]`` b', '``a ` b [9]`` c', '`a` [', ' [9', '[9'])(
    'leave alone what is none: %j',
    (text) => {
      expect(whole(text, 5)).toEqual({ text, cited: [] });
    },
  );

  it.each([
    ['A [12], B [99] and [1-3, 12].', 'A [12], B and [2][3][12].'],
    ['Since [2024], C【1200】.', 'Since [2024], C[1200].'],
    ['Nothing [1].', 'Nothing.'],
  ])('that may name known numbers alone: %j reads %j', (text, expected) => {
    const marks = createKnownMarks(new Set([2, 3, 12, 1_200]));
    expect([...text].map(marks.push).join('') + marks.flush()).toBe(expected);
  });

  it('hold back what may become one, however far it has come', () => {
    const mark = '[1 ,  12   ;W3';
    for (let end = 1; end <= mark.length; end += 1)
      expect([end, createCitationMarks(5).push(mark.slice(0, end))]).toEqual([end, '']);
    expect(createCitationMarks(5).push('[a [1')).toBe('[a');
    expect(createCitationMarks(5).push('`a ')).toBe('`a ');
    expect(createCitationMarks(5).push('`'.repeat(127))).toBe('');
    expect(createCitationMarks(5).push('`'.repeat(128))).toHaveLength(128);
  });

  it('are all said at the end, once', () => {
    const marks = createCitationMarks(5);
    expect([marks.push('A [9] [1'), marks.flush(), marks.flush()]).toEqual(['A', ' [1', '']);
    expect(whole('A [9]', 5).text).toBe('A');
  });

  it('number what is cited from 1 without a gap, each once', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 8 })), (numbers) => {
        const { text, cited } = whole(numbers.map((number) => `x [${number}] `).join(''), 8);
        const shown = [...text.matchAll(/\[(\d)\]/g)].map(([, digit]) => Number(digit));
        expect(shown.map((number) => cited[number - 1]! + 1)).toEqual(numbers);
        expect(new Set(cited).size).toBe(cited.length);
      }),
    );
  });

  it.each([
    ['A [4]. B [2]. C [3, 4].', 'A [W1]. B [1]. C [W2][W1].', [1], [1, 0]],
    ['A [W1] of its own, [W2, 3] and [6].', 'A of its own, [W1] and.', [], [0]],
    ['Of [W], [Wide] and [W 1].', 'Of [W], [Wide] and [W 1].', [], []],
  ])('number pages of the web apart, behind the contents: %j', (text, expected, cited, web) => {
    for (const pieces of [[text], [...text]])
      expect(withWeb(pieces, 2, 3)).toEqual({ text: expected, cited, web });
  });
});

describe('an answer whose citations are gone', () => {
  it.each([
    ['A [1], B [2][3].', [], 'A [1], B [2][3].'],
    ['A [00].', [0], 'A [00].'],
    ['A [1], B [2][3].', [0], 'A, B [1][2].'],
    ['A [1], B [2][3].', [1], 'A [1], B[2].'],
    ['See `a[1]` and ``b[2] ` c``, and [2].', [0], 'See `a[1]` and ``b[2] ` c``, and [1].'],
  ])('%j without %j reads %j', (text, gone, left) => {
    expect(withoutCitations(text, 3, new Set(gone))).toBe(left);
  });

  it('has marks of several figures, too', () => {
    expect(withoutCitations('A [12], B [123].', 123, new Set([0]))).toBe('A [11], B [122].');
  });
});
