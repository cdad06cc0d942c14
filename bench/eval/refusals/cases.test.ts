import { describe, expect, it } from 'vitest';
import type { Passage } from '../../../domain/answer/passage.ts';
import type { Question } from '../questions.ts';
import { type Case, casesOf } from './cases.ts';
import { passagesOn } from './sites.ts';

const passage = (text: string): Passage => ({
  title: 'Notes',
  text,
  url: 'http://manual.example/notes.html',
});
const asks = (question: string, facts: Question['facts'], answerable = true): Question => ({
  question,
  urls: [],
  facts,
  answerable,
});
const manual = { name: 'harbour', package: 'harbour', folder: '.' };

describe('what a manual is asked', () => {
  const service = {
    passagesFor: (question: string) =>
      Promise.resolve({
        question: question.replace('craen', 'crane'),
        unwritten: [{ word: 'king', isOfLanguage: true }],
        passages: [passage('The quay is of stone.'), passage('A crane lifts 12 crates a day.')],
      }),
  };
  const own = [
    asks('What does a craen lift?', [['crates', 'barrels'], ['12']]),
    asks('Where is the quay?', [['harpoon']]),
    asks('Who is the king?', [], false),
  ];
  const casesFor = (others: readonly Question[]) => casesOf({ manual, own, others }, service);

  it('is asked as it was searched for, and told by the passage with the facts, else the first', async () => {
    const cases = await casesFor([]);
    expect(cases[0]!.question).toBe('What does a crane lift?');
    expect(cases.map(({ telling }) => telling)).toEqual([1, 0, 0]);
    expect(cases.map(({ answerable }) => answerable)).toEqual([true, true, false]);
    expect(cases[0]!.unwritten).toEqual([{ word: 'king', isOfLanguage: true }]);
  });

  it('has no answer where it was written for another manual', async () => {
    const cases = await casesFor([asks('What lifts?', [['crates']])]);
    expect(cases.at(-1)).toMatchObject({ isOfAnother: true, answerable: false, telling: 0 });
    expect(cases.filter(({ isOfAnother }) => isOfAnother)).toHaveLength(1);
  });
});

describe('a small site', () => {
  const caseOf = (i: number): Case => ({
    question: `${i}?`,
    isOfAnother: false,
    answerable: true,
    unwritten: [],
    passages: [passage(`First of ${i % 10}.`), passage(`Second of ${i}.`)],
    telling: 1,
  });
  const cases = Array.from({ length: 12 }, (_, i) => caseOf(i));
  const textsOn = (site: Parameters<typeof passagesOn>[0], of = cases) =>
    passagesOn(site, of, 3).map(({ text }) => text);

  it('has the passage that tells the answer, and the first of other questions', () => {
    expect(textsOn('alone')).toEqual(['Second of 3.']);
    expect(textsOn('beside one')).toEqual(['Second of 3.', 'First of 0.']);
    expect(textsOn('whole')).toEqual(['First of 3.', 'Second of 3.']);
  });

  it('has no passage twice, and as many as there are', () => {
    const texts = textsOn('beside five');
    expect(new Set(texts).size).toBe(6);
    expect(textsOn('beside five', cases.slice(0, 4))).toHaveLength(4);
    expect(passagesOn('alone', [{ ...caseOf(0), passages: [], telling: 0 }], 0)).toEqual([]);
  });
});
