import { type Found, foundBy, type Outcome, type Rates, ratesOf } from './judge.ts';

/** One run over a file of questions, as it is printed and kept. */
export interface Report {
  readonly questions: number;
  readonly modes: { readonly [mode: string]: Found & { readonly questions: number } };
  /** Null where answers were not asked for. */
  readonly answers: Rates | null;
  readonly outcomes: readonly Outcome[];
}

export const reportOf = (outcomes: readonly Outcome[], modes: readonly string[]): Report => ({
  questions: outcomes.length,
  modes: outcomes.some(({ places }) => places !== undefined)
    ? Object.fromEntries(modes.map((mode) => [mode, foundBy(outcomes, mode)]))
    : {},
  answers: outcomes.some(({ answer }) => answer !== undefined) ? ratesOf(outcomes) : null,
  outcomes,
});

type Rows = readonly (readonly string[])[];

/** The figures as a table; behind each, in brackets, what it was in the last run where that differs. */
export const tableOf = (report: Report, last: Report | null): string => {
  const modes = Object.entries(report.modes).map(([mode, found]) => {
    const before = last?.modes[mode];
    return [
      mode,
      String(found.questions),
      compared(found.success1, before?.success1),
      compared(found.success5, before?.success5),
      compared(found.mrr, before?.mrr),
    ];
  });
  const found = [['search', 'questions', 'success@1', 'success@5', 'MRR'], ...modes];
  const { answers } = report;
  if (answers === null) return aligned(found);
  const was = last?.answers;
  const rates = [
    ['answers', ''],
    ['unanswerable weak', compared(answers.weakOfUnanswerable, was?.weakOfUnanswerable)],
    ['answerable weak', compared(answers.weakOfAnswerable, was?.weakOfAnswerable)],
    ['all key facts', compared(answers.facts, was?.facts)],
  ];
  return [...(modes.length > 0 ? [aligned(found), ''] : []), aligned(rates)].join('\n');
};

const compared = (now: number | null, before: number | null | undefined): string => {
  if (now === null) return '–';
  const same = before === undefined || before === null || before === now;
  return same ? now.toFixed(3) : `${now.toFixed(3)} (${before.toFixed(3)})`;
};

/** Columns as wide as their widest cell. */
export const aligned = (rows: Rows): string => {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/** One line for each question whose outcome is another than in the last run, in the order of the file. */
export const changesOf = ({ outcomes }: Report, last: Report | null): readonly string[] => {
  const before = new Map(last?.outcomes.map((outcome) => [outcome.question, outcome]));
  return outcomes.flatMap((outcome) => {
    const was = before.get(outcome.question);
    if (was === undefined) return [];
    const [old, now] = [signsOf(was), signsOf(outcome)];
    const changed = [...now].filter(([sign, value]) => old.has(sign) && old.get(sign) !== value);
    return changed.map(([sign, value]) => `${outcome.question}: ${sign} ${old.get(sign)} -> ${value}`);
  });
};

const signsOf = ({ places = {}, answer }: Outcome): ReadonlyMap<string, string> =>
  new Map([
    ...Object.entries(places).map(
      ([mode, place]) => [`${mode} place`, place === null ? 'none' : String(place)] as const,
    ),
    ...(answer === undefined
      ? []
      : ([
          ['weak', answer.weak ? 'yes' : 'no'],
          ['key facts', `${answer.facts.filter(Boolean).length} of ${answer.facts.length}`],
        ] as const)),
  ]);
