import { describe, expect, it } from 'vitest';
import type { Outcome } from '../judge.ts';
import { reportOf } from '../report.ts';
import type { JudgedManual } from './judge-manual.ts';
import { tableOfManuals } from './table.ts';

const found = (place: number | null, answer: Outcome['answer']): Outcome => ({
  question: `the one at ${place}`,
  answerable: true,
  places: { hybrid: place },
  ...(answer !== undefined && { answer }),
});
const unanswerable = (isWeak: boolean): Outcome => ({
  question: 'Who?',
  answerable: false,
  answer: { weak: isWeak, facts: [] },
});
const manual = (
  name: string,
  outcomes: readonly Outcome[],
  names: readonly Outcome[] = [],
): JudgedManual => ({
  name,
  questions: reportOf(outcomes, ['hybrid']),
  names: names.length === 0 ? null : reportOf(names, ['hybrid']),
  titles: null,
  misses: [],
});
const cellsOf = (table: string): readonly (readonly string[])[] =>
  table.split('\n').map((line) => line.split(/ {2,}/));

const GOOD = [
  found(1, { weak: false, facts: [true, true] }),
  found(2, { weak: false, facts: [true, false] }),
  unanswerable(true),
];

describe('the table of manuals', () => {
  it('counts what was found, answered and refused, and has no names where none were drawn', () => {
    const [head, row, ...rest] = cellsOf(tableOfManuals([manual('one', GOOD)], []));
    expect(head?.slice(0, 8)).toEqual([
      'manual',
      'questions',
      'success@1',
      '@5',
      'MRR',
      'facts',
      'weak rightly',
      'wrongly',
    ]);
    expect(row).toEqual(['one', '2', '0.50', '1.00', '0.75', '1/2', '1/1', '0/2']);
    expect(rest).toEqual([]);
  });

  it('adds up all manuals, question by question', () => {
    const other = manual('other', [found(null, { weak: true, facts: [false] })], [found(1, undefined)]);
    const rows = cellsOf(tableOfManuals([manual('one', GOOD), other], []));
    expect(rows.at(-1)).toEqual(['all', '3', '0.33', '0.67', '0.50', '1/3', '1/1', '1/3', '1.00']);
  });

  it('shows in brackets what was different when the same manuals were asked last', () => {
    const before = [manual('one', [found(1, { weak: false, facts: [true] }), unanswerable(false)])];
    const now = [manual('one', [found(2, { weak: false, facts: [true] }), unanswerable(true)])];
    const [, row] = cellsOf(tableOfManuals(now, before));
    expect(row).toEqual(['one', '1', '0.00 (1.00)', '1.00', '0.50 (1.00)', '1/1', '1/1 (0/1)', '0/1']);
  });
});
