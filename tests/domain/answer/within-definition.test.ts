import { describe, expect, it } from 'vitest';
import type { RankedSentence } from '../../../domain/answer/rank-sentences.ts';
import { beginningOf, standingWith, termsTelling } from '../../../domain/answer/belonging.ts';
import { ranking, sentence as sentenceAt } from './made-ranking.ts';

/** A statement of the definition that is asked for, unless said. */
const sentence = (place: number, other: Partial<RankedSentence> = {}): RankedSentence =>
  sentenceAt(place, { defines: true, isOfTerm: true, ...other });
const OTHER = { section: 2, defines: false };
const DEFAULT = 'What is the default of tape_size?';

describe('an answer begins', () => {
  const best = sentence(3, OTHER);
  const [own, tells] = [sentence(1), sentence(2, { isOfKind: true })];

  it('with the best sentence', () => {
    expect(beginningOf(ranking('How is tape_size set?', [best, own, tells]))).toBe(best);
    expect(beginningOf(ranking(DEFAULT, []))).toBeUndefined();
  });

  it('with the best of its own definition that tells a default, where that is asked for', () => {
    expect(beginningOf(ranking(DEFAULT, [best, own, tells]))).toBe(tells);
    expect(beginningOf(ranking(DEFAULT, [best, own]))).toBe(own);
  });

  it('with the best of its definition where the term tells it', () => {
    const term = sentence(0, { isStatement: false, isOfKind: true });
    expect(beginningOf(ranking(DEFAULT, [best, own, tells], [term, own, tells, best]))).toBe(own);
  });

  it.each([
    ['no term', { isOfTerm: false }],
    ['a term that is not known', { isOfTerm: undefined }],
    ['another term', { defines: false }],
    ['no statement', { isStatement: false }],
  ])('with the best where its definition is of %s', (_, not) => {
    expect(beginningOf(ranking(DEFAULT, [best, sentence(1, not), sentence(2, not)]))).toBe(best);
  });
});

describe('the term that tells a default', () => {
  const term = { isStatement: false, isOfKind: true };
  const telling = (question: string, one: RankedSentence, ...text: RankedSentence[]) =>
    termsTelling(ranking(question, [one], text), one).map(({ place }) => place);
  const own = sentence(4);

  it('is the first line above a sentence in its section that does', () => {
    const lines = [sentence(0, { isStatement: false }), sentence(1, term), sentence(2, term), own];
    expect(telling(DEFAULT, own, ...lines)).toEqual([1]);
  });

  it('is no statement, no line behind it, and of no other section', () => {
    const behind = sentence(5, term);
    const elsewhere = sentence(2, { ...term, section: 0 });
    const statement = sentence(3, { isOfKind: true });
    const itself = sentence(4, term);
    expect(telling(DEFAULT, own, elsewhere, statement, own, behind)).toEqual([]);
    expect(telling(DEFAULT, itself, itself)).toEqual([]);
  });

  it('is not looked for where something else is asked, or the sentence is of another definition', () => {
    expect(telling('How is tape_size set?', own, sentence(1, term), own)).toEqual([]);
    const other = sentence(4, { defines: false });
    expect(telling(DEFAULT, other, sentence(1, term), other)).toEqual([]);
  });
});

describe('what may stand with the beginning', () => {
  const [own, same, other] = [sentence(1), sentence(2), sentence(3, OTHER)];

  it('is of definitions of what is asked for, where that is a default', () =>
    expect(standingWith(ranking(DEFAULT, [own, other, same]), own)).toEqual([own, same]));

  it('is anything else', () => {
    const all = [own, other, same];
    expect(standingWith(ranking('How is tape_size set?', all), own)).toBe(all);
    expect(standingWith(ranking(DEFAULT, all), other)).toBe(all);
  });
});
