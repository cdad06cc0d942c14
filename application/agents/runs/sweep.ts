import { type AgentRun, agentRun, type AgentRunEvent, isOver } from '../../../domain/agent-run/index.ts';
import type { OpenThread } from '../../../domain/agent-thread/index.ts';
import { streamIdOf } from '../../event-sourcing/event-codec.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Holding, Vault } from '../../ports/vault.ts';
import { agentRunStream } from '../../event-sourcing/streams.ts';
import { fingerprintOf, requestOf, runOf, saltOf, titleOf } from './bodies.ts';
import { loadRun, loadThread } from './load.ts';
import { rowOf } from './shared-rows.ts';

export interface ThreadSweepDeps {
  readonly vault: Vault;
  readonly execute: Pick<Execute, 'load' | 'history'>;
}

/**
 * Deletes what a crash has left of a thread: its key, where it never began or was deleted, and bodies that no event
 * names. Answers how many keys and texts that were. @throws DomainError for what a newer version has written to
 */
export const sweepThread = async (
  deps: ThreadSweepDeps,
  { tenant, owner, ids }: Holding,
): Promise<{ readonly keys: number; readonly texts: number }> => {
  const thread = await loadThread(deps, tenant, streamIdOf(owner));
  if (thread.status !== 'open') {
    await deps.vault.destroy(tenant, owner);
    return { keys: 1, texts: ids.length };
  }
  const stray: string[] = [];
  for (const [runId, bodies] of Map.groupBy(ids, runOf)) {
    const named = await namedIn(deps, tenant, thread, runId);
    if (named !== 'all') stray.push(...bodies.filter((id) => !named.has(id)));
  }
  if (stray.length > 0) await deps.vault.forget(tenant, owner, stray);
  return { keys: 0, texts: stray.length };
};

/** Bodies of a run that something speaks of. Of one that is under way, or that went well, nothing is stray. */
const namedIn = async (
  deps: ThreadSweepDeps,
  tenant: string,
  thread: OpenThread,
  runId: string,
): Promise<ReadonlySet<string> | 'all'> => {
  const run = await loadRun(deps, tenant, runId);
  // Admitted, and its own stream has not begun yet.
  if (run.status === 'none') return thread.unsettled.includes(runId) ? 'all' : new Set();
  if (!isOver(run.status) || run.status === 'SUCCEEDED') return 'all';
  const past = await deps.execute.history(agentRun, agentRunStream(runId), tenant);
  const asked = [requestOf(runId), saltOf(runId), fingerprintOf(runId), titleOf(runId)];
  return new Set([...asked, ...[...errorOf(run), ...past.flatMap(({ event }) => bodyOf(event))].map(rowOf)]);
};

const errorOf = ({ error }: AgentRun): readonly string[] =>
  error?.message?.bodyId ? [error.message.bodyId] : [];
const bodyOf = (event: AgentRunEvent): readonly string[] => {
  if (event.type === 'RunHandedOver') return [event.request.bodyId];
  return event.type === 'RunEmitted' && event.body !== null ? [event.body.bodyId] : [];
};
