import { foundBy, type Outcome } from '../judge.ts';
import { aligned, type Report } from '../report.ts';
import type { JudgedManual } from './judge-manual.ts';

const MODE = 'hybrid';
const HEAD = [
  'manual',
  'questions',
  'success@1',
  '@5',
  'MRR',
  'facts',
  'weak rightly',
  'wrongly',
  'names',
  'titles',
];

/** A row for each manual, and one for all of them together; behind each figure the one of the last run where that differs. */
export const tableOfManuals = (judged: readonly JudgedManual[], last: readonly JudgedManual[]): string => {
  const before = new Map(last.map((one) => [one.name, one]));
  const rows = judged.map((one) => rowOf(one, before.get(one.name)));
  const same = judged.flatMap(({ name }) => before.get(name) ?? []);
  const was = same.length === judged.length ? together(same) : undefined;
  const all = judged.length > 1 ? [rowOf(together(judged), was)] : [];
  return aligned([HEAD, ...rows, ...all]);
};

const together = (judged: readonly JudgedManual[]): JudgedManual => {
  const merged = (reports: readonly (Report | null)[]): Report | null => {
    const outcomes = reports.flatMap((report) => report?.outcomes ?? []);
    return outcomes.length === 0 ? null : { ...EMPTY, outcomes };
  };
  return {
    name: 'all',
    questions: merged(judged.map(({ questions }) => questions)) ?? EMPTY,
    names: merged(judged.map(({ names }) => names)),
    titles: merged(judged.map(({ titles }) => titles)),
    misses: [],
  };
};
const EMPTY: Report = { questions: 0, modes: {}, answers: null, outcomes: [] };

const rowOf = (now: JudgedManual, before: JudgedManual | undefined): readonly string[] => {
  const [cells, old] = [cellsOf(now), before === undefined ? null : cellsOf(before)];
  return cells.map((cell, i) => (old === null || old[i] === cell || i === 0 ? cell : `${cell} (${old[i]})`));
};

const cellsOf = ({ name, questions: { outcomes }, names, titles }: JudgedManual): readonly string[] => {
  const found = foundBy(outcomes, MODE);
  const count = countsOf(outcomes);
  return [
    name,
    String(found.questions),
    ...[found.success1, found.success5, found.mrr].map(shown),
    ...count,
    ...[names, titles].map((report) =>
      report === null ? '' : shown(foundBy(report.outcomes, MODE).success1),
    ),
  ];
};

const shown = (value: number): string => (Number.isNaN(value) ? '' : value.toFixed(2));

/** Counts, as rates of few questions say little. */
const countsOf = (outcomes: readonly Outcome[]): readonly string[] => {
  const answered = outcomes.flatMap(({ answerable, answer }) =>
    answer === undefined ? [] : [{ answerable, ...answer }],
  );
  const ofFacts = answered.filter(({ facts }) => facts.length > 0);
  const weak = (which: boolean): string => {
    const those = answered.filter(({ answerable }) => answerable === which);
    return `${those.filter((one) => one.weak).length}/${those.length}`;
  };
  return [
    `${ofFacts.filter(({ facts }) => facts.every(Boolean)).length}/${ofFacts.length}`,
    weak(false),
    weak(true),
  ];
};
