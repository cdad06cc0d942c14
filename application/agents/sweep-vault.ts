import { DomainError } from '../../domain/shared/domain-error.ts';
import { sweepSecret } from '../access/secrets/stored-value.ts';
import { sweepConversation } from '../answers/conversations/sweep.ts';
import type { Execute } from '../event-sourcing/execute.ts';
import { sweepSigningSecrets } from '../webhooks/signing-secrets.ts';
import { categoryOf } from '../ports/event-checks.ts';
import type { Logger } from '../ports/logger.ts';
import type { OwnedTexts, Vault } from '../ports/vault.ts';
import { type AgentRun, agentRun, type AgentRunEvent, isOver } from '../../domain/agent-run/index.ts';
import type { OpenThread } from '../../domain/agent-thread/decider.ts';
import { streamIdOf } from '../event-sourcing/event-codec.ts';
import { agentRunStream } from '../event-sourcing/streams.ts';
import { fingerprintOf, requestOf, runOf, saltOf, titleOf } from './runs/bodies.ts';
import { loadRun, loadThread } from './runs/context.ts';

interface ThreadSweepDeps {
  readonly vault: Vault;
  readonly execute: Pick<Execute, 'load' | 'history'>;
}

/**
 * Deletes what a crash has left behind: the key of a thread that never started or was deleted, and bodies that no
 * event refers to. Returns the number of deleted keys and texts.
 *
 * @throws DomainError when a newer version has written to the thread
 */
const sweepThread = async (
  deps: ThreadSweepDeps,
  { tenant, owner, ids }: OwnedTexts,
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

/** Ids of the bodies that events of the run refer to; `all` for a run that has not ended or has succeeded. */
const namedIn = async (
  deps: ThreadSweepDeps,
  tenant: string,
  thread: OpenThread,
  runId: string,
): Promise<ReadonlySet<string> | 'all'> => {
  const run = await loadRun(deps, tenant, runId);
  // The run may be admitted although its own stream has not started.
  if (run.status === 'none') return thread.unsettled.includes(runId) ? 'all' : new Set();
  if (!isOver(run.status) || run.status === 'SUCCEEDED') return 'all';
  const past = await deps.execute.history(agentRun, agentRunStream(runId), tenant);
  const requestBodies = [requestOf(runId), saltOf(runId), fingerprintOf(runId), titleOf(runId)];
  return new Set([...requestBodies, ...errorOf(run), ...past.flatMap(({ event }) => bodyOf(event))]);
};

const errorOf = ({ error }: AgentRun): readonly string[] =>
  error?.message?.bodyId ? [error.message.bodyId] : [];
const bodyOf = (event: AgentRunEvent): readonly string[] => {
  if (event.type === 'RunHandedOver') return [event.request.bodyId];
  return event.type === 'RunEmitted' && event.body !== null ? [event.body.bodyId] : [];
};

export interface VaultSweepDeps {
  readonly vault: Vault;
  readonly execute: Pick<Execute, 'load' | 'history'>;
}

const HOUR = 3_600_000;
/** Newer texts may still be waiting for their event; older ones were checked by an earlier sweep. */
const AGE = { olderMs: HOUR, youngerMs: 7 * 24 * HOUR };
const BATCH_SIZE = 200;

/**
 * Deletes what a crash between a text and its event has left in the vault: keys of conversations, threads, secrets
 * and webhooks that never started or were deleted, and texts that no event refers to. Skips aggregates that a newer version has
 * written to. Returns the number of deleted keys and texts.
 */
export const sweepVault = async (
  deps: VaultSweepDeps,
  signal: AbortSignal,
  age: Parameters<Vault['writtenBetween']>[0] = AGE,
): Promise<Swept> => {
  let swept: Swept = { keys: 0, texts: 0 };
  for (let after = ''; !signal.aborted;) {
    const holdings = await deps.vault.writtenBetween(age, after, BATCH_SIZE);
    for (const holding of holdings) {
      const { keys, texts } = await sweepOne(deps, holding);
      swept = { keys: swept.keys + keys, texts: swept.texts + texts };
    }
    const last = holdings.at(-1);
    if (last === undefined || holdings.length < BATCH_SIZE) break;
    after = last.owner;
  }
  return swept;
};

export interface Swept {
  readonly keys: number;
  readonly texts: number;
}
const NOTHING: Swept = { keys: 0, texts: 0 };

const sweepOne = async (deps: VaultSweepDeps, holding: OwnedTexts): Promise<Swept> => {
  switch (categoryOf(holding.owner)) {
    case 'conversation':
      return sweepConversation(deps, holding);
    case 'secret':
      return sweepSecret(deps, holding).catch(leftAlone);
    case 'webhook':
      return sweepSigningSecrets(deps, holding).catch(leftAlone);
    case 'agentThread':
      return sweepThread(deps, holding).catch(leftAlone);
    default:
      return NOTHING;
  }
};

/** Skips what a newer version has written to. */
const leftAlone = (error: unknown): Swept => {
  if (error instanceof DomainError) return NOTHING;
  throw error;
};

export interface VaultSweepsDeps extends VaultSweepDeps {
  readonly log: Logger;
  /** Waits `ms` milliseconds, or until aborted; never rejects. */
  readonly idle: (ms: number, signal: AbortSignal) => Promise<void>;
}

const EVERY_MS = 3_600_000;

/** Sweeps the vault now and every hour until aborted. Several processes may do so concurrently. Never rejects. */
export const runVaultSweeps = async (deps: VaultSweepsDeps, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    try {
      const { keys, texts } = await sweepVault(deps, signal);
      if (keys + texts > 0) deps.log.info('deleted what crashes have left in the vault', { keys, texts });
    } catch (error) {
      deps.log.warn('the vault could not be swept', { error: (error as Error).message });
    }
    await deps.idle(EVERY_MS, signal);
  }
};
