import type { AgentThreadDetail } from 'knowledger-client';

export type RunNode = AgentThreadDetail['runs'][number];

interface Placed {
  readonly run: RunNode;
  /** Column of the graph, from 0. */
  readonly lane: number;
  /** Of the parent, in rows and lanes; null at the root. */
  readonly from: { readonly row: number; readonly lane: number } | null;
}

/**
 * Rows for a graph: the oldest child goes on in the lane of its parent, each later one gets a lane to the right of all
 * that the branches before it use, so that no two lines cross. Runs without a parent stand beside each other: all are in
 * the first lane.
 */
export const placedRuns = (runs: readonly RunNode[]): readonly Placed[] => {
  const children = Map.groupBy(runs, ({ parent_run_id: parent }) => parent);
  const rows: Placed[] = [];
  // Without recursion, since a thread may be thousands of runs deep. The last one of `open` comes next.
  const open: { readonly run: RunNode; readonly lane: number | null; readonly from: Placed['from'] }[] = [];
  const push = (of: readonly RunNode[], from: Placed['from']): void => {
    for (const [i, run] of [...of.entries()].toReversed())
      open.push({ run, lane: i === 0 || from === null ? (from?.lane ?? 0) : null, from });
  };
  push(children.get(null) ?? [], null);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const since = next.from?.row ?? 0;
    const lane = next.lane ?? Math.max(...rows.slice(since).map((row) => row.lane)) + 1;
    rows.push({ run: next.run, lane, from: next.from });
    push(children.get(next.run.run_id) ?? [], { row: rows.length - 1, lane });
  }
  return rows;
};
