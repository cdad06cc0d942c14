import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractiveAnswer } from '../../../domain/answer/extractive-answer.ts';
import { sentencesOf } from '../../../domain/answer/sentences.ts';
import { inkOf, prose } from '../chunking/arbitrary-text.ts';
import { unitsOf } from '../../../domain/answer/units.ts';
import { passageScores } from '../../../domain/answer/passage-scores.ts';
import { createTextReader } from '../../../domain/answer/read-text.ts';
import { stopWordsOf } from '../../../domain/answer/terms.ts';

describe('sentences', () => {
  const textsOf = (text: string): string[] => sentencesOf(text).map((sentence) => sentence.text);

  describe('sentencesOf', () => {
    it.each([
      ["Not set yet, so env! won't work and you'll need more.", 1],
      ['It is called empty? in Ruby. "Stop!" he cried (really?!) and left.', 2],
      ['A line that is long enough to be wrapped at env!\nis one sentence.', 1],
      ['It works! Is it so? It is! 3 of 4. Ready?\n\nyes', 6],
    ])('does not cut at ! or ? before a small letter: %j', (text, count) => {
      expect(textsOf(text)).toHaveLength(count);
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
});

describe('units', () => {
  const textsOf = (text: string): string[] => unitsOf(text).map((unit) => unit.text);
  /** The headings that each piece stands under, by the piece. */
  const leadsOf = (text: string) => Object.fromEntries(unitsOf(text).map((unit) => [unit.text, unit.leads]));

  describe('the pieces of a text', () => {
    it.each(['*', '---', '***', '| |', '[]'])('are no other signs: %s', (line) => {
      expect(textsOf(`${line}\n\nIt is the time.`)).toEqual(['It is the time.']);
    });
  });

  describe('a list, a table and code', () => {
    it('have long items sentence by sentence', () => {
      const item = (length: number) =>
        `It is:\n- ${'x'.repeat(length - 9)}. So.`.replace('It is:\n', 'It.\n');
      expect(textsOf(item(600 + 2))).toHaveLength(2);
      expect(textsOf(item(600 + 3))).toHaveLength(3);
    });

    it.each([
      ['```\na = 1;\n\nb = 2;\n```'],
      ['~~~js\na = 1;\n~~~'],
      ['    a = 1;\n    b = 2;'],
      ['\ta = 1;\n\tb = 2;'],
      ['$ ls\n$ pwd'],
      ['>>> a = 1\n... b\n>>> c'],
    ])('are whole where they are code, with their lines: %j', (code) => {
      const [unit, ...more] = unitsOf(`So:\n\n${code}\n\nIt is.`).slice(1, -1);
      expect([unit?.text, unit?.isStatement, more]).toEqual([code, true, []]);
    });

    it('are left out where their code does not end', () => {
      expect(textsOf('- `one\n- two')).toEqual(['two']);
      expect(textsOf('It is.\n\n    a `b\n    c')).toEqual(['It is.']);
    });

    it('begin with the first line of code, behind however many empty ones', () => {
      expect(textsOf('So:\n\n\n    a = 1;\n    b = 2;')).toEqual(['So:', '    a = 1;\n    b = 2;']);
      expect(textsOf('  ```\na = 1;\n  ```')).toEqual(['```\na = 1;\n  ```']);
      expect(textsOf('So ```x``` is.\nIt is.')).toEqual(['So ```x``` is.', 'It is.']);
      expect(textsOf('So```x``` is.\nIt is.')).toEqual(['So```x``` is.', 'It is.']);
    });

    it('are no code where a line is none, and line by line where code is long', () => {
      expect(textsOf('    a = 1;\nb = 2;')).toEqual(['a = 1;', 'b = 2;']);
      const long = (length: number) => `\`\`\`\n${'a = 1;\n'.repeat(99).slice(0, length - 8)}\n\`\`\``;
      expect(textsOf(long(600))).toEqual([long(600)]);
      expect(textsOf(long(601)).length).toBeGreaterThan(50);
    });
  });

  describe('a line with a number', () => {
    it.each([
      ['1. Pools\n\n2. Sizes\n\nIt is.', ['2. Sizes']],
      ['Do this:\n\n1. Pools\n\nIt is.', []],
      ['1. pools\n\nIt is.', []],
      ['It is.\n\n1. Pools', []],
      ['1. Pools\n\nIt is.', ['1. Pools']],
    ])('is a heading where no list is: %j', (text, leads) => {
      expect(leadsOf(text)['It is.']).toEqual(leads);
    });
  });

  describe('a table of labels and values', () => {
    it('is none where the first cell is no label', () => {
      expect(unitsOf('Name | Range: a\nDepth | 5').map(({ header }) => header)).toEqual([
        undefined,
        'Name | Range: a',
      ]);
    });

    it('stand under the first cell of a row by itself, which opens a section', () => {
      const row = 'tape_size | type: integer | default: 4';
      const units = unitsOf(`Before.\n\n${row}\n\nSets it. More of it.\n\nb | c | Is d.\n\nOf b.`);
      expect(units.map(({ leads, section, opens }) => [leads, section, opens])).toEqual([
        [[], 0, true],
        [['tape_size'], 1, false],
        [['tape_size'], 1, true],
        [['tape_size'], 1, false],
        [['b'], 2, false],
        [['b'], 2, true],
      ]);
    });
  });
});

const TEXT = 'Pools\n\nA pool keeps connections. Raise POOL_SIZE with care, or set os.pool.Size = 4.';

describe('a text that was read before', () => {
  it('is not read again, as long as there is room', () => {
    const [roomy, narrow] = [createTextReader(), createTextReader(3_000)];
    expect(roomy(TEXT)).toBe(roomy(TEXT));
    const before = narrow(TEXT);
    expect(narrow(TEXT)).toBe(before);
    narrow(`Other. ${TEXT}`);
    expect(narrow(TEXT)).not.toBe(before);
    expect(narrow(TEXT).units).toEqual(before.units);
  });

  it('answers every question as one that is read for the first time', () => {
    const read = createTextReader(20_000);
    const passages = fc.array(fc.record({ title: prose(2), text: prose(10) }), { maxLength: 4 });
    fc.assert(
      fc.property(passages, prose(4), fc.constantFrom('', ' max_size', ' os.path'), (given, words, name) => {
        const question = `${words}${name}`;
        const named = given.map(({ title, text }) => ({ title, text: `${text}${name} ${words}` }));
        expect(passageScores(question, named, read)).toEqual(passageScores(question, named));
      }),
    );
  });
});

describe('the stop words of a question', () => {
  it('are those of English alone where most words are English, or as many', () => {
    expect(stopWordsOf('What is the size of die Menge?').has('die')).toBe(false);
    expect(stopWordsOf('the der').has('der')).toBe(false);
    expect(stopWordsOf('the der die').has('der')).toBe(true);
    expect(stopWordsOf('').has('der')).toBe(false);
    expect(['du', 'los'].map((word) => stopWordsOf('la casa').has(word))).toEqual([true, false]);
  });
});
