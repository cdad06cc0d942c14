import type { Caller } from '../../access/caller.ts';
import { reaches } from '../../answers/conversations/load.ts';
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
import { loadRun, loadThread, type LoadDeps, loadVisibleThread } from './context.ts';

export interface ListDeps extends LoadDeps {
  readonly view: AgentView;
  readonly vault: Vault;
}
/** With what the caller called it. */
export type Titled<Row> = Row & { readonly title: string | null };

export interface AgentTree {
  /** The eldest first: each after its parent. */
  readonly rows: readonly AgentTreeRow[];
  /** By run; most have none. */
  readonly titles: ReadonlyMap<string, string>;
}

/** Lists of what is held for one principal (null: none), and the tree of a thread. Newest first. */
export const createAgentLists = (deps: ListDeps) => ({
  /** A thread is called as its first run. @throws DomainError invalid_cursor */
  threads: async (
    caller: Caller,
    principalId: string | null,
    page: PageRequest,
  ): Promise<Page<Titled<AgentThreadRow>>> => {
    if (page.after !== undefined) {
      const state = await loadThread(deps, caller.tenant, page.after);
      mustHaveSeen(caller, page.after, state.status === 'none' ? null : state, principalId);
    }
    const found = await deps.view.threads(caller.tenant, principalId, page, caller.grant.sourceGroupIds);
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
      mustHaveSeen(caller, page.after, state.status === 'none' ? null : state, principalId);
    }
    return deps.view.runs(caller.tenant, principalId, page, caller.grant.sourceGroupIds, filter);
  },

  /** All runs of a thread. @throws DomainError not_found */
  tree: async (caller: Caller, threadId: string, principalId: string | null): Promise<AgentTree> => {
    const [rows] = await Promise.all([
      deps.view.runsOf(caller.tenant, threadId),
      loadVisibleThread(deps, caller, threadId, principalId),
    ]);
    const titled = rows.filter((row) => row.titled).map(({ id }) => id);
    const titles = await titlesIn(deps, caller.tenant, threadId, titled);
    return { rows, titles };
  },
});
export type AgentLists = ReturnType<typeof createAgentLists>;

/** By run. A thread whose key is gone is being deleted: it has none. */
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

interface Seen {
  readonly principalId: string | null;
  readonly reach: readonly string[] | null;
}
const mustHaveSeen = (caller: Caller, after: string, seen: Seen | null, principalId: string | null): void => {
  if (seen === null || seen.principalId !== principalId || !reaches(caller, seen.reach))
    throw unknownCursor(after);
};
