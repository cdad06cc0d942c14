import type { Evidence } from '../../../domain/answer/evidence.ts';
import { evidenceSum, type Weights } from '../../../domain/answer/is-about.ts';
import { fit } from './logistic.ts';
import { isAnsweredBy, type Judge, type Row } from './rows.ts';
import type { Site } from './sites.ts';

/** What questions count in the fit: those without an answer are few, and those of another manual may have one. */
const UNANSWERABLE = 2;
const OF_ANOTHER = 0.5;
/** What the same counts again on small sites. */
const ON: Readonly<Record<Site, number>> = { whole: 1, alone: 0.15, 'beside one': 0.3, 'beside five': 0.3 };

type Weighed = Row & { readonly evidence: Evidence };
const weighed = (rows: readonly Row[]): readonly Weighed[] =>
  rows.filter((row): row is Weighed => row.evidence !== null);

/** What each piece of evidence counts, by logistic regression over these rows. */
export const countsFitted = (rows: readonly Row[]): Weights['counts'] => {
  const those = weighed(rows);
  const names = Object.keys(those[0]?.evidence ?? {}) as (keyof Evidence)[];
  const { counts } = fit(
    those.map(({ evidence, answerable, isOfAnother, site }) => ({
      values: names.map((name) => evidence[name]),
      holds: answerable,
      weight: (answerable ? 1 : isOfAnother ? OF_ANOTHER : UNANSWERABLE) * ON[site],
    })),
  );
  return Object.fromEntries(names.map((name, i) => [name, counts[i]!])) as Weights['counts'];
};

/** The same counts with the highest bound by which no more than this share of the questions with an answer are refused. */
export const bounded = (counts: Weights['counts'], rows: readonly Row[], mostRefused: number): Weights => {
  const own = rows.filter(({ answerable, site }) => answerable && site === 'whole');
  const needed = own.map((row) => leastThatRefuses(row, counts)).toSorted((a, b) => a - b);
  return { counts, least: needed[Math.floor(mostRefused * own.length)] ?? 0 };
};

/** The bound above which the question is refused; infinite where it is answered or refused whatever the bound. */
const leastThatRefuses = (row: Row, counts: Weights['counts']): number => {
  if (!isAnsweredBy(row, { counts, least: -Infinity })) return -Infinity;
  if (row.evidence === null || isAnsweredBy(row, { counts, least: Infinity })) return Infinity;
  return evidenceSum(row.evidence, counts);
};

/** Each manual by what was fitted to the others: a judge for each share of questions that may be refused. */
export const judgesWithout = (rows: readonly Row[], shares: readonly number[]): readonly Judge[] => {
  const fits = [...new Set(rows.map(({ manual }) => manual))].map((name) => {
    const others = rows.filter(({ manual }) => manual !== name);
    return { name, others, counts: countsFitted(others) };
  });
  return shares.map((share) => {
    const weights = new Map(fits.map(({ name, others, counts }) => [name, bounded(counts, others, share)]));
    return { name: `left out, ${share}`, weightsFor: (manual) => weights.get(manual)! };
  });
};
