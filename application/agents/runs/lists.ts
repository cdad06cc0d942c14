import type { Caller } from '../../access/caller.ts';
import { reaches } from '../../answers/conversations/load-conversation.ts';
import { type Page, type PageRequest, unknownCursor } from '../../ports/page.ts';
import type {
  AgentRunFilter,
  AgentRunRow,
  AgentThreadRow,
  AgentTreeRow,
  AgentView,
} from '../../ports/agent-view.ts';
import type { Vault } from '../../ports/vault.ts';
import { agentThreadStream } from '../../event-sourcing/streams.ts';
import { titleOf } from './bodies.ts';
import { loadRun, loadThread, type LoadDeps, loadVisibleThread, mustReachThread } from './context.ts';

export interface ListDeps extends LoadDeps {
  readonly view: AgentView;
  readonly vault: Vault;
}
/** A row with the title that the caller gave. */
export type Titled<Row> = Row & { readonly title: string | null };

export interface AgentTree {
  /** Oldest first, so that each run follows its parent. */
  readonly rows: readonly AgentTreeRow[];
  /** Titles by run id; most runs have none. */
  readonly titles: ReadonlyMap<string, string>;
}

/** Lists of the threads and runs of one principal (null: of no principal), newest first, and the tree of a thread. */
export const createAgentLists = (deps: ListDeps) => ({
  /** A thread has the title of its first run. @throws DomainError invalid_cursor */
  threads: async (
    caller: Caller,
    principalId: string | null,
    page: PageRequest,
  ): Promise<Page<Titled<AgentThreadRow>>> => {
    if (page.after !== undefined) {
      const state = await loadThread(deps, caller.tenant, page.after);
      mustBeValidCursor(caller, page.after, state.status === 'none' ? null : state, principalId);
    }
    const found = await (caller.past?.agents ?? deps.view).threads(
      caller.tenant,
      principalId,
      page,
      caller.grant.sourceGroupIds,
    );
    const rows = await Promise.all(
      found.rows.map(async (row) => {
        const ids = row.titled && row.firstRunId !== null ? [row.firstRunId] : [];
        const titles = await titlesIn(deps, caller.tenant, row.id, ids);
        return { ...row, title: titles.get(row.firstRunId ?? '') ?? null };
      }),
    );
    return { ...found, rows };
  },

  /** @throws DomainError invalid_cursor */
  runs: async (
    caller: Caller,
    principalId: string | null,
    page: PageRequest,
    filter: AgentRunFilter,
  ): Promise<Page<AgentRunRow>> => {
    if (page.after !== undefined) {
      const state = await loadRun(deps, caller.tenant, page.after);
      mustBeValidCursor(caller, page.after, state.status === 'none' ? null : state, principalId);
    }
    return (caller.past?.agents ?? deps.view).runs(
      caller.tenant,
      principalId,
      page,
      caller.grant.sourceGroupIds,
      filter,
    );
  },

  /** All runs of a thread. @throws DomainError not_found */
  tree: async (caller: Caller, threadId: string, principalId: string | null): Promise<AgentTree> => {
    // Later runs may reveal more than a key may see, and it must not see the thread before them either.
    if (caller.past !== undefined) mustReachThread(caller)(await loadThread(deps, caller.tenant, threadId));
    const [rows] = await Promise.all([
      (caller.past?.agents ?? deps.view).runsOf(caller.tenant, threadId),
      loadVisibleThread({ execute: caller.past?.streams ?? deps.execute }, caller, threadId, principalId),
    ]);
    const titled = rows.filter((row) => row.titled).map(({ id }) => id);
    const titles = await titlesIn(deps, caller.tenant, threadId, titled);
    return { rows, titles };
  },
});
export type AgentLists = ReturnType<typeof createAgentLists>;

/** Titles by run id. Empty when the key of the thread is destroyed: then the thread is being deleted. */
const titlesIn = async (
  { vault }: ListDeps,
  tenant: string,
  threadId: string,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (runIds.length === 0) return new Map();
  const texts = await vault.read(tenant, agentThreadStream(threadId), runIds.map(titleOf));
  return new Map(
    runIds.flatMap((id) => {
      const title = texts?.get(titleOf(id));
      return title === undefined ? [] : [[id, title] as const];
    }),
  );
};

interface CursorRow {
  readonly principalId: string | null;
  readonly reach: readonly string[] | null;
}
const mustBeValidCursor = (
  caller: Caller,
  after: string,
  seen: CursorRow | null,
  principalId: string | null,
): void => {
  if (seen === null || seen.principalId !== principalId || !reaches(caller, seen.reach))
    throw unknownCursor(after);
};
