import { describe, expect, it } from 'vitest';
import { askedBy } from '../../../domain/answer/asked.ts';
import {
  goingOn,
  termOf,
  beginningOf,
  standingWith,
  termsTelling,
} from '../../../domain/answer/belonging.ts';
import { answerPieces, extractiveAnswer } from '../../../domain/answer/extractive-answer.ts';
import { type RankedSentence, type Ranking, rankSentences } from '../../../domain/answer/rank-sentences.ts';
import { unitsOf } from '../../../domain/answer/units.ts';
import { madeRanking, sentence as sentenceAt } from './made-ranking.ts';

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

    it('is of the kind that is asked for by its row, where it opens what is said of it', () => {
      const text = 'loops | type: integer | default: 30\n\nA letter loops. A letter burns.';
      const { texts } = rankSentences('How many letters burn?', [{ title: 'Post', text }]);
      expect(texts[0]!.map(({ isOfKind }) => isOfKind)).toEqual([true, true, false]);
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

  const NONE: ReadonlySet<string> = new Set();
  type Given = Partial<RankedSentence> & { readonly text: string };
  /** A page of these sentences, and what is asked of it. */
  const page = (given: readonly Given[], question = 'tapes'): Ranking => {
    const judged = { defines: false, isDefinition: false, isOfKind: false, score: 1, level: 1 };
    const plain = { passage: 0, terms: () => NONE, matched: NONE, section: 0, isStatement: true, ...judged };
    const texts = given.map((one, place) => ({ ...plain, place, ...one }));
    const found = { sentences: texts, texts: [texts], missing: NONE, coverage: () => 1, neighbours: null };
    return { asked: askedBy(question), ...found };
  };
  const heading = (text: string, more: Partial<Given> = {}): Given => ({ text, isStatement: false, ...more });
  const says = (...texts: readonly string[]): Given[] => texts.map((text) => ({ text }));
  const textsOf = (sentences: readonly RankedSentence[]) => sentences.map(({ text }) => text);

  describe('what goes on from a sentence', () => {
    const behind = (first: Given, others: readonly Given[], question?: string) => {
      const ranking = page([...says('Before.'), first, ...others], question);
      return textsOf(goingOn(ranking, ranking.texts[0]![1]!)).join(' ');
    };
    const best = { text: 'It rewinds.' };

    it('are two short ones that speak of it', () => {
      expect(behind(best, says('This is so.', 'They wind.', 'It ends.'))).toBe('This is so. They wind.');
      expect(behind(best, says('This is so.', 'Tapes wind.'))).toBe('This is so.');
      expect(behind(best, says('Tapes wind.', 'This is so.'))).toBe('');
      expect(behind(best, says(`It ${'x'.repeat(217)}`))).toHaveLength(220);
      expect(behind(best, says(`It ${'x'.repeat(218)}`, 'It ends.'))).toBe('');
      expect(behind(best, [heading('It ends'), ...says('It ends.')])).toBe('');
      expect(behind(best, [{ text: 'It ends.', section: 1 }])).toBe('');
    });

    it('goes up to the value that is asked for', () => {
      const value = { text: 'Takes 5 minutes.', isOfKind: true };
      expect(behind(best, [...says('Tapes wind.'), value], 'How many minutes?')).toBe(
        'Tapes wind. Takes 5 minutes.',
      );
      expect(behind(best, [value, ...says('Tapes wind.')], 'How many minutes?')).toBe('Takes 5 minutes.');
      expect(behind(best, [value, ...says('It ends.')], 'tapes')).toBe('');
    });

    it('are the four pieces that a colon announces, whatever they are', () => {
      const list = { text: 'It rewinds:' };
      const pieces = ['open', 'rewind', 'close', 'put away', 'lock'].map((text) => heading(text));
      expect(behind(list, pieces)).toBe('open rewind close put away');
      expect(behind(list, [heading('x'.repeat(800))])).toHaveLength(800);
      expect(behind(list, [heading('x'.repeat(801))])).toBe('');
      expect(behind(list, [heading('open'), heading('Reels', { section: 1 })])).toBe('open');
    });
  });

  describe('what a sentence stands under', () => {
    const above = (given: readonly Given[]) => {
      const ranking = page(given);
      return textsOf(termOf(ranking, ranking.texts[0]!.at(-1)!));
    };

    it('is said where it is short', () => {
      expect(above([heading('x'.repeat(220)), ...says('It is wound.')])).toHaveLength(1);
      expect(above([heading('x'.repeat(221)), ...says('It is wound.')])).toEqual([]);
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

/** A statement of the definition that is asked for, unless said. */
const sentence = (place: number, other: Partial<RankedSentence> = {}): RankedSentence =>
  sentenceAt(place, { defines: true, isOfTerm: true, ...other });
const OTHER = { section: 2, defines: false };
const DEFAULT = 'What is the default of tape_size?';

describe('an answer begins', () => {
  const best = sentence(3, OTHER);
  const [own, tells] = [sentence(1), sentence(2, { isOfKind: true })];

  it('with the best of its own definition that tells a default, where that is asked for', () => {
    expect(beginningOf(madeRanking(DEFAULT, [best, own, tells]))).toBe(tells);
    expect(beginningOf(madeRanking(DEFAULT, [best, own]))).toBe(own);
  });

  it('with the best of its definition where the term tells it', () => {
    const term = sentence(0, { isStatement: false, isOfKind: true });
    expect(beginningOf(madeRanking(DEFAULT, [best, own, tells], [term, own, tells, best]))).toBe(own);
  });
});

describe('the term that tells a default', () => {
  const term = { isStatement: false, isOfKind: true };
  const telling = (question: string, one: RankedSentence, ...text: RankedSentence[]) =>
    termsTelling(madeRanking(question, [one], text), one).map(({ place }) => place);
  const own = sentence(4);

  it('is no statement, no line behind it, and of no other section', () => {
    const behind = sentence(5, term);
    const elsewhere = sentence(2, { ...term, section: 0 });
    const statement = sentence(3, { isOfKind: true });
    const itself = sentence(4, term);
    expect(telling(DEFAULT, own, elsewhere, statement, own, behind)).toEqual([]);
    expect(telling(DEFAULT, itself, itself)).toEqual([]);
  });
});

describe('what may stand with the beginning', () => {
  const [own, same, other] = [sentence(1), sentence(2), sentence(3, OTHER)];

  it('is anything else', () => {
    const all = [own, other, same];
    expect(standingWith(madeRanking('How is tape_size set?', all), own)).toBe(all);
    expect(standingWith(madeRanking(DEFAULT, all), other)).toBe(all);
  });
});
