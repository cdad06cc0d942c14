import type { AgentRun, AgentRunEvent } from '../../../domain/agent-run/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Caller } from '../../access/caller.ts';
import type { EventCodec } from '../../event-sourcing/event-codec.ts';
import { decodeOrRefuse } from '../../event-sourcing/load.ts';
import type { Page } from '../../ports/page.ts';
import { BEGINNING, type EventFeed } from '../../ports/event-store.ts';
import { agentRunStream } from '../../event-sourcing/streams.ts';
import { loadVisibleRun } from './context.ts';
import { createPathOf, historyOf, identityOf, type PathDeps } from './run-path.ts';
import { type PastRunEvent, viewEvents, type RunEventView } from './run-event-view.ts';

export interface RunEventsDeps extends PathDeps {
  readonly feed: Pick<EventFeed, 'follow'>;
  readonly codec: EventCodec;
}

/** The past and the future events of a run. */
export interface FollowedRun {
  /** All events so far, in order. */
  readonly past: readonly RunEventView[];
  /** Ends after the event that ends the run, or when the signal aborts. */
  readonly live: AsyncIterable<RunEventView>;
}

/**
 * Reads events of runs with their bodies from the runs' own streams. All operations throw DomainError `not_found` when
 * the caller may not see the run or the thread, and `not_configured` without a master key.
 */
export const createRunEvents = (deps: RunEventsDeps) => ({
  /** Events after revision `after`, in order. @throws DomainError invalid_cursor */
  page: async (
    caller: Caller,
    id: string,
    principalId: string | null,
    { limit, after }: { readonly limit: number; readonly after?: bigint },
  ): Promise<Page<RunEventView>> => {
    const { run, revision: last } = await loadVisibleRun(deps, caller, id, principalId);
    if (after !== undefined && after > last)
      throw new DomainError('invalid_cursor', `there is no event ${after} in this run: the last is ${last}`);
    const from = after === undefined ? 0n : after + 1n;
    const past = await historyOf(deps, caller, id, { from, limit: limit + 1 });
    const rows = await viewEvents(deps, caller.tenant, identityOf(id, run), past.slice(0, limit));
    return { rows, hasMore: past.length > limit, total: Number(last) + 1 };
  },

  follow: async (
    caller: Caller,
    id: string,
    principalId: string | null,
    signal: AbortSignal,
  ): Promise<FollowedRun> => {
    const { run } = await loadVisibleRun(deps, caller, id, principalId);
    const stored = await historyOf(deps, caller, id);
    const past = await viewEvents(deps, caller.tenant, identityOf(id, run), stored);
    return { past, live: live(deps, caller, { id, run, stored }, signal) };
  },

  path: createPathOf(deps),
});
export type RunEvents = ReturnType<typeof createRunEvents>;

async function* live(
  deps: RunEventsDeps,
  { tenant }: Caller,
  {
    id,
    run,
    stored,
  }: { readonly id: string; readonly run: AgentRun; readonly stored: readonly PastRunEvent[] },
  signal: AbortSignal,
): AsyncGenerator<RunEventView> {
  const last = stored.at(-1)?.recorded;
  let seen = last?.revision ?? -1n;
  if (stored.some(({ event }) => ends(event))) return;
  const from = last?.position ?? BEGINNING;
  for await (const message of deps.feed.follow(from, { stream: agentRunStream(id) }, { signal })) {
    if (message.kind !== 'events') continue;
    const newer = message.events.filter(({ revision }) => revision > seen);
    const past = newer.map((recorded) => ({
      recorded,
      event: decodeOrRefuse(deps.codec, recorded) as AgentRunEvent,
    }));
    seen = newer.at(-1)?.revision ?? seen;
    yield* await viewEvents(deps, tenant, identityOf(id, run), past);
    if (past.some(({ event }) => ends(event))) return;
  }
}

const ends = ({ type }: AgentRunEvent): boolean =>
  type === 'RunSucceeded' || type === 'RunFailed' || type === 'RunCancelled';
