import { type AgentRun, agentRun, noSuchRun } from '../../../domain/agent-run/index.ts';
import type { Caller } from '../../access/caller.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { type Page, unknownCursor } from '../../ports/page.ts';
import type { AgentView } from '../../ports/agent-view.ts';
import type { Vault } from '../../ports/vault.ts';
import { agentRunStream } from '../../event-sourcing/streams.ts';
import { loadRun, loadVisibleThread } from './context.ts';
import { type PastRunEvent, viewEvents, type RunEventView } from './run-event-view.ts';

export interface PathDeps {
  readonly execute: Pick<Execute, 'load' | 'history'>;
  readonly vault: Vault;
  readonly view: Pick<AgentView, 'runsOf'>;
}

/** A cursor on a path: the event after which the next page begins. */
export interface PathCursor {
  readonly runId: string;
  readonly revision: bigint;
}

/**
 * Reads the events on the path from the root of the thread to the given run, in order, page by page. Does not read
 * runs before or after the page.
 *
 * @throws DomainError not_found; invalid_cursor for a run that is not on the path
 */
export const createPathOf =
  (deps: PathDeps) =>
  async (
    caller: Caller,
    threadId: string,
    principalId: string | null,
    runId: string,
    { limit, after }: { readonly limit: number; readonly after?: PathCursor },
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
      rows.push(...(await viewEvents(deps, caller.tenant, identityOf(id, run), past.slice(0, room))));
      if (past.length > room) return { rows, hasMore: true };
    }
    return { rows, hasMore: false };
  };

type RunParentage = Pick<AgentRun, 'threadId' | 'parentRunId'>;
export const identityOf = (runId: string, { threadId, parentRunId }: RunParentage) => ({
  runId,
  threadId,
  parentRunId,
});

/** Events of one run, in order; all of them by default. */
export const historyOf = (
  { execute }: Pick<PathDeps, 'execute'>,
  { tenant }: Caller,
  id: string,
  range?: { readonly from: bigint; readonly limit: number },
): Promise<readonly PastRunEvent[]> => execute.history(agentRun, agentRunStream(id), tenant, range);

/** The view returns the whole tree in one query. A run that the view does not show yet is loaded from its stream. */
const pathTo = async (
  deps: PathDeps,
  tenant: string,
  threadId: string,
  runId: string,
): Promise<readonly { readonly id: string; readonly run: RunParentage }[]> => {
  const known = new Map((await deps.view.runsOf(tenant, threadId)).map((row) => [row.id, row]));
  const path: { readonly id: string; readonly run: RunParentage }[] = [];
  for (let id: string | null = runId; id !== null;) {
    const run: RunParentage | undefined = known.get(id) ?? (await existing(deps, tenant, id));
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
