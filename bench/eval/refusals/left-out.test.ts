import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../../domain/answer/evidence.ts';
import { bounded, countsFitted, judgesWithout } from './left-out.ts';
import { isAnsweredBy, type Row } from './rows.ts';

const NOTHING: Evidence = {
  passage: 0,
  passages: 0,
  sentence: 0,
  best: 0,
  neighbours: 0,
  score: 0,
  lackOfKind: 0,
  lackOfNames: 0,
  lackOfWords: 0,
};
const rowOf = (score: number, more: Partial<Row> = {}): Row => ({
  manual: 'harbour',
  question: 'How do cranes lift crates?',
  isOfAnother: false,
  answerable: true,
  site: 'whole',
  kind: 'other',
  evidence: { ...NOTHING, score },
  isAnswered: false,
  ...more,
});
const COUNTS = { ...NOTHING, score: 2 };

describe('weights of evidence', () => {
  it('are what tells questions with an answer from those without', () => {
    const rows = [3, 3, 2, 1].map((score) => rowOf(score));
    const without = [2, 1, 1, 1].map((score) => rowOf(score, { answerable: false }));
    const counts = countsFitted([...rows, ...without]);
    expect(counts.score).toBeGreaterThan(0.5);
    expect(counts.passage).toBeCloseTo(0, 6);
  });

  it('count a question without an answer for more than one of another manual', () => {
    const of = (isOfAnother: boolean) =>
      countsFitted([rowOf(3), rowOf(1), rowOf(0, { answerable: false, isOfAnother })]).score;
    expect(of(false)).toBeGreaterThan(of(true));
  });

  it('go with the highest bound that refuses no more than wanted', () => {
    const rows = [1, 2, 3, 4, 5].map((score) => rowOf(score));
    const refused = (share: number) => {
      const weights = bounded(COUNTS, rows, share);
      return rows.filter((row) => !isAnsweredBy(row, weights)).length;
    };
    expect(bounded(COUNTS, rows, 0.2).least).toBe(4);
    expect([0, 0.19, 0.2, 0.4, 0.59].map(refused)).toEqual([0, 0, 1, 2, 2]);
  });

  it('take what is refused whatever the bound for some of these, and look at whole manuals alone', () => {
    const rows = [1, 2, 3, 4].map((score) => rowOf(score));
    const never = rowOf(0, { evidence: null });
    const untold = rowOf(9, { kind: 'person', evidence: { ...NOTHING, score: 9, lackOfKind: 1 } });
    const small = rowOf(0, { site: 'alone' });
    const unanswerable = rowOf(0, { answerable: false });
    expect(bounded(COUNTS, [...rows, never, untold, small, unanswerable], 0.34).least).toBe(2);
    expect(bounded(COUNTS, rows, 0.34).least).toBe(4);
  });

  it('of a manual know nothing of it', () => {
    const answered = [2, 3, 4, 5].map((score) => rowOf(score, { manual: 'quay' }));
    const refused = [0, 1].map((score) => rowOf(score, { manual: 'quay', answerable: false }));
    const quay = [...answered, ...refused];
    const harbour = [rowOf(0), rowOf(9, { answerable: false })];
    const [judge] = judgesWithout([...quay, ...harbour], [0.25]);
    expect(judge!.weightsFor('harbour')).toEqual(bounded(countsFitted(quay), quay, 0.25));
    expect(judge!.weightsFor('quay')).toEqual(bounded(countsFitted(harbour), harbour, 0.25));
  });
});
