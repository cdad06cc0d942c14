import { aligned } from '../report.ts';
import { isAnsweredBy, type Judge, type Row } from './rows.ts';
import { type Site, SITES } from './sites.ts';

interface Count {
  readonly refused: number;
  readonly of: number;
}
const RIGHT = { title: 'refused rightly', counts: (row: Row) => !row.answerable && !row.isOfAnother };
const WRONG = { title: 'wrongly', counts: (row: Row) => row.answerable };
const OTHER = { title: 'of another manual', counts: (row: Row) => row.isOfAnother };

const countOf = (rows: readonly Row[], { weightsFor }: Judge): Count => ({
  refused: rows.filter((row) => !isAnsweredBy(row, weightsFor(row.manual))).length,
  of: rows.length,
});
const shown = ({ refused, of }: Count): string =>
  of === 0 ? '' : `${refused}/${of} (${(refused / of).toFixed(2)})`;

/** What is refused of each manual and of all, by each of these judges, of all that the search found. */
export const tableByManual = (rows: readonly Row[], judges: readonly Judge[]): string => {
  const whole = rows.filter(({ site }) => site === 'whole');
  const groups = [...Map.groupBy(whole, ({ manual }) => manual), ['all', whole] as const];
  const columns = judges.flatMap((judge) => [RIGHT, WRONG, OTHER].map((of) => ({ judge, ...of })));
  return aligned([
    ['', ...columns.map(({ judge }, i) => (i % 3 === 0 ? judge.name : ''))],
    ['manual', ...columns.map(({ title }) => title)],
    ...groups.map(([name, those]) => [
      name,
      ...columns.map(({ judge, counts }) => shown(countOf(those.filter(counts), judge))),
    ]),
  ]);
};

/** What is refused of all manuals, by each of these judges, and of small sites of their pages. */
export const tableOfSites = (rows: readonly Row[], judges: readonly Judge[]): string => {
  const kinds: readonly [string, Site, typeof RIGHT][] = [
    [RIGHT.title, 'whole', RIGHT],
    [WRONG.title, 'whole', WRONG],
    [OTHER.title, 'whole', OTHER],
    ...SITES.slice(1).map((site): [string, Site, typeof RIGHT] => [`wrongly, ${site}`, site, WRONG]),
  ];
  return aligned([
    ['', ...kinds.map(([title]) => title)],
    ...judges.map((judge) => [
      judge.name,
      ...kinds.map(([, on, { counts }]) =>
        shown(
          countOf(
            rows.filter((row) => row.site === on && counts(row)),
            judge,
          ),
        ),
      ),
    ]),
  ]);
};
