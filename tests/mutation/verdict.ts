import type { Equivalent } from './equivalent.ts';

/** What became of a mutant; names are the tester's. */
export interface TriedMutant {
  readonly file: string;
  readonly line: number;
  readonly code: string;
  readonly by: string;
  readonly status: string;
}

interface Verdict {
  readonly mutants: number;
  readonly killed: number;
  readonly equivalent: number;
  /** Share of those that could be killed. */
  readonly share: number;
  readonly survivors: readonly TriedMutant[];
  /** Of the list, and killed or not there any more: to be taken out. */
  readonly stale: readonly Equivalent[];
}

const KILLED = new Set(['Killed', 'Timeout']);
const SURVIVED = new Set(['Survived', 'NoCoverage']);

/** Mutants that do not run at all count as none. `files`: those that were tried. */
export const verdictOn = (
  tried: readonly TriedMutant[],
  equivalents: readonly Equivalent[],
  files: ReadonlySet<string>,
): Verdict => {
  const killed = tried.filter(({ status }) => KILLED.has(status)).length;
  const alive = tried.filter(({ status }) => SURVIVED.has(status));
  const same = (mutant: TriedMutant) => (known: Equivalent) =>
    known.file === mutant.file && known.code === mutant.code && known.by === mutant.by;
  const survivors = alive.filter((mutant) => !equivalents.some(same(mutant)));
  const stale = equivalents.filter(
    (known) => files.has(known.file) && !alive.some((mutant) => same(mutant)(known)),
  );
  const mutants = killed + alive.length;
  const equivalent = alive.length - survivors.length;
  const possible = mutants - equivalent;
  return { mutants, killed, equivalent, share: possible === 0 ? 1 : killed / possible, survivors, stale };
};
