import { describe, expect, it } from 'vitest';
import { answerPieces, extractiveAnswer } from '../../../domain/answer/extractive-answer.ts';
import { unitsOf } from '../../../domain/answer/units.ts';

describe('defining answer', () => {
  const answerTo = (question: string, ...passages: { title: string; text: string }[]): string =>
    answerPieces(extractiveAnswer(question, passages)).join('');

  describe('an answer about what a row sets', () => {
    const passage = {
      title: 'Settings',
      text: 'loops | type: integer | default: 30\n\nA letter with more stamps than that is assumed to go in a loop, and is burnt.',
    };

    it('has the row, where the value stands', () => {
      expect(answerTo('How many stamps has a letter until a loop is assumed?', passage)).toMatch(
        /^loops \| type: integer \| default: 30 \[1\] A letter/,
      );
    });

    it('has it too where the row is what was asked about, unless no value was asked for', () => {
      const oven = { title: 'Oven', text: 'heat | unit: K | default: 450\n\nOf the oven when it opens.' };
      expect(answerTo('What is the default heat of the oven?', oven)).toMatch(
        /^heat \| unit: K \| default: 450/,
      );
      const walls = {
        title: 'Oven',
        text: 'heat | unit: K | from: oil\n\nKeeps the oven walls from ageing.',
      };
      expect(answerTo('What does heat do?', walls)).toBe('Keeps the oven walls from ageing. [1]');
    });
  });

  describe('a sentence that does not say what it is about', () => {
    it('comes with the name of what it describes, wherever it stands in the answer', () => {
      const passages = [
        { title: 'Files', text: 'Text is read from a file by its lines.' },
        { title: 'json', text: 'json.load(fp)\n\nDeserialize a file that holds a JSON document.' },
      ];
      const answer = answerTo('How do I read a JSON document from a file?', ...passages);
      expect(answer).toContain('json.load(fp) [2] Deserialize a file that holds a JSON document. [2]');
    });

    it('comes with the heading that "this module" speaks of', () => {
      const text =
        'timeit — Measure execution time\n\nSource code: timeit.py\n\nThis module measures the execution time of small bits of code.';
      expect(
        answerTo('How can I measure the time of small bits of code?', { title: 'timeit', text }),
      ).toMatch(/^timeit — Measure execution time \[1\] This module measures/);
    });
  });

  describe('an answer about a difference', () => {
    it('begins with a sentence that compares', () => {
      const passages = [
        { title: 'Examples', text: 'These examples show a list and a tuple.' },
        { title: 'Types', text: 'A list changes and grows at times, whereas a tuple stays.' },
      ];
      expect(answerTo('What is the difference between list and tuple?', ...passages)).toMatch(
        /^A list changes and grows at times, whereas a tuple stays\. \[2\]/,
      );
      expect(answerTo('list and tuple', ...passages)).toMatch(/^These examples/);
    });
  });
});

describe('definitions', () => {
  const answerTo = (question: string, ...texts: string[]): string =>
    answerPieces(
      extractiveAnswer(
        question,
        texts.map((text) => ({ title: 'Tapes', text })),
      ),
      false,
    ).join('');

  describe('the definition of a signed term', () => {
    const text =
      'Before it.\n\nsize ¶\n\nGrammar: size n;\n\nTags: tape\n\nHow large it is.\n\nsort ¶\n\nHow it is.';
    const units = unitsOf(text).map(({ text: said, leads, section, opens, isOfTerm }) => ({
      said,
      leads,
      section,
      opens,
      isOfTerm,
    }));

    it('stands under its term, and under a heading of its own too', () => {
      expect(units.find(({ said }) => said === 'How large it is.')?.leads).toEqual(['size', 'Tags: tape']);
      expect(units.at(-1)?.leads).toEqual(['sort']);
      expect(unitsOf('-s ¶\n\n--size ¶\n\nIt is.').at(-1)).toMatchObject({
        leads: ['-s', '--size'],
        section: 1,
      });
      expect(unitsOf('Options\n\n-s ¶\n\nIt is.').at(-1)).toMatchObject({
        leads: ['Options', '-s'],
        section: 1,
      });
      expect(unitsOf('a ¶\n\nIt is.\n\nNotes\n\nb ¶\n\nSo it is.').at(-1)).toMatchObject({
        leads: ['b'],
        section: 2,
      });
    });

    it('is not opened by what goes on with it', () =>
      expect(unitsOf('size ¶\n\n…\n\nIt goes on.').at(-1)).toMatchObject({ leads: ['size'], opens: false }));
  });

  describe('the default of a thing', () => {
    const other = 'tape-sort ¶\n\nHow the largest are kept.\n\nThe default of tape-sort is five.';
    const own = (last: string) =>
      `tape-size ¶\n\nGrammar: tape-size n;\n\nTags: tape\n\nHow large a tape is. Of reels there are many.\n\nIt is told by weight.\n\n${last}`;

    it('is told with what else defines it, where it tells none', () =>
      expect(answerTo('What is the default of tape-size?', own('It has none.'), other)).not.toContain(
        'five',
      ));
  });
});
