import { type AgentRun, agentRun, noSuchRun } from '../../../domain/agent-run/index.ts';
import type { Caller } from '../../access/caller.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { type Page, unknownCursor } from '../../ports/page.ts';
import type { AgentView } from '../../ports/agent-view.ts';
import type { Vault } from '../../ports/vault.ts';
import { agentRunStream } from '../../event-sourcing/streams.ts';
import { loadRun, loadVisibleThread } from './context.ts';
import { type PastRunEvent, tell, type RunEventView } from './run-event-view.ts';

export interface PathDeps {
  readonly execute: Pick<Execute, 'load' | 'history'>;
  readonly vault: Vault;
  readonly view: Pick<AgentView, 'runsOf'>;
}

/** The place behind one event of a path. */
export interface PlaceOnPath {
  readonly runId: string;
  readonly revision: bigint;
}

/**
 * Events on the path from the root of the thread to the run that is picked, in order, page by page: of the runs before
 * and behind the page nothing is read.
 *
 * @throws DomainError not_found; invalid_cursor for a place that is not on the path
 */
export const createPathOf =
  (deps: PathDeps) =>
  async (
    caller: Caller,
    threadId: string,
    principalId: string | null,
    runId: string,
    { limit, after }: { readonly limit: number; readonly after?: PlaceOnPath },
  ): Promise<Pick<Page<RunEventView>, 'rows' | 'hasMore'>> => {
    await loadVisibleThread(deps, caller, threadId, principalId);
    const path = await pathTo(deps, caller.tenant, threadId, runId);
    const first = after === undefined ? 0 : path.findIndex(({ id }) => id === after.runId);
    if (first < 0) throw unknownCursor(after!.runId);
    const rows: RunEventView[] = [];
    for (const { id, run } of path.slice(first)) {
      const from = id === after?.runId ? after.revision + 1n : 0n;
      const room = limit - rows.length;
      const past = await historyOf(deps, caller, id, { from, limit: room + 1 });
      rows.push(...(await tell(deps, caller.tenant, named(id, run), past.slice(0, room))));
      if (past.length > room) return { rows, hasMore: true };
    }
    return { rows, hasMore: false };
  };

type PlaceOfRun = Pick<AgentRun, 'threadId' | 'parentRunId'>;
export const named = (runId: string, { threadId, parentRunId }: PlaceOfRun) => ({
  runId,
  threadId,
  parentRunId,
});

/** Events of one run, in order. Default: all. */
export const historyOf = (
  { execute }: Pick<PathDeps, 'execute'>,
  { tenant }: Caller,
  id: string,
  range?: { readonly from: bigint; readonly limit: number },
): Promise<readonly PastRunEvent[]> => execute.history(agentRun, agentRunStream(id), tenant, range);

/** The view knows the tree at the cost of one question; the run itself may be newer than what the view knows. */
const pathTo = async (
  deps: PathDeps,
  tenant: string,
  threadId: string,
  runId: string,
): Promise<readonly { readonly id: string; readonly run: PlaceOfRun }[]> => {
  const known = new Map((await deps.view.runsOf(tenant, threadId)).map((row) => [row.id, row]));
  const path: { readonly id: string; readonly run: PlaceOfRun }[] = [];
  for (let id: string | null = runId; id !== null;) {
    const run: PlaceOfRun | undefined = known.get(id) ?? (await existing(deps, tenant, id));
    if (run === undefined || run.threadId !== threadId) throw noSuchRun();
    path.push({ id, run });
    id = run.parentRunId;
  }
  return path.toReversed();
};

const existing = async (deps: PathDeps, tenant: string, id: string): Promise<AgentRun | undefined> => {
  const run = await loadRun(deps, tenant, id);
  return run.status === 'none' ? undefined : run;
};
