/** As many neighbours of about one size are merged. */
export const FAN_IN = 8;
/** Contents of the greatest segment that a merge makes, so that it takes seconds at most. */
const LARGEST = 32_768;
/** Share of dead contents from which a segment is rewritten alone. */
const DEAD_SHARE = 0.2;

/** A segment as far as merging looks at it. */
export interface MergeCandidate {
  readonly segment: number;
  readonly contents: number;
  /** Among its contents. */
  readonly dead: number;
}

/**
 * Which neighbouring segments to merge next: of a run of at least FAN_IN small ones as many as fit into one segment,
 * the smallest first; else a segment of which a fifth is dead. So each content is rewritten a few times over its life,
 * and the number of segments stays bounded (O'Neil et al., "The log-structured merge-tree", 1996).
 *
 * @param segments of one tenant in the order of their contents
 */
export const chooseMerge = (
  segments: readonly MergeCandidate[],
  limit: number,
): readonly MergeCandidate[] => {
  for (let bound = FAN_IN; bound <= LARGEST; bound *= FAN_IN) {
    for (const run of runsBelow(bound, segments)) {
      const fitting = run.map((_, start) => fittingFrom(start, run, Math.max(limit, FAN_IN)));
      const chosen = run.length < FAN_IN ? undefined : fitting.find(({ length }) => length > 1);
      if (chosen !== undefined) return chosen;
    }
  }
  const decayed = segments.find(({ contents, dead }) => dead > 0 && dead >= contents * DEAD_SHARE);
  return decayed === undefined ? [] : [decayed];
};

/** Longest runs of neighbours with fewer contents than that. */
const runsBelow = (
  bound: number,
  segments: readonly MergeCandidate[],
): readonly (readonly MergeCandidate[])[] => {
  const runs: MergeCandidate[][] = [[]];
  for (const segment of segments) {
    if (segment.contents < bound) runs.at(-1)?.push(segment);
    else runs.push([]);
  }
  return runs;
};

const fittingFrom = (
  start: number,
  run: readonly MergeCandidate[],
  limit: number,
): readonly MergeCandidate[] => {
  const fitting: MergeCandidate[] = [];
  let contents = 0;
  for (const segment of run.slice(start, start + limit)) {
    contents += segment.contents;
    if (contents > LARGEST) break;
    fitting.push(segment);
  }
  return fitting;
};
