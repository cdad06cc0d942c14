import type { OpenConversation } from '../../domain/conversation/index.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import { sweepThread } from '../agent/sweep.ts';
import { streamIdOf } from '../event-codec.ts';
import type { Execute } from '../execute.ts';
import { categoryOf } from '../ports/append-check.ts';
import type { Holding, Vault } from '../ports/vault.ts';
import { sweepSecret } from '../secret/sweep.ts';
import { load } from './load.ts';
import { messageOf } from './message-text.ts';

export interface SweepDeps {
  readonly vault: Vault;
  readonly execute: Pick<Execute, 'load' | 'history'>;
}

const HOUR = 3_600_000;
/** Young texts may be about to get their event; old ones were looked at by an earlier sweep. */
const AGE = { olderMs: HOUR, youngerMs: 7 * 24 * HOUR };
const AT_ONCE = 200;

/**
 * Deletes what a crash has left in the vault between a text and its event: keys of conversations, threads and secrets that
 * never began or were deleted, and texts that no event speaks of. What a newer version has written to is left to that version. Answers
 * how many keys and texts it deleted.
 */
export const sweepVault = async (
  deps: SweepDeps,
  signal: AbortSignal,
  age: Parameters<Vault['writtenBetween']>[0] = AGE,
): Promise<Swept> => {
  let swept: Swept = { keys: 0, texts: 0 };
  for (let after = ''; !signal.aborted;) {
    const holdings = await deps.vault.writtenBetween(age, after, AT_ONCE);
    for (const holding of holdings) {
      const { keys, texts } = await sweepOne(deps, holding);
      swept = { keys: swept.keys + keys, texts: swept.texts + texts };
    }
    const last = holdings.at(-1);
    if (last === undefined || holdings.length < AT_ONCE) break;
    after = last.owner;
  }
  return swept;
};

export interface Swept {
  readonly keys: number;
  readonly texts: number;
}
const NOTHING: Swept = { keys: 0, texts: 0 };

const sweepOne = async (deps: SweepDeps, holding: Holding): Promise<Swept> => {
  switch (categoryOf(holding.owner)) {
    case 'conversation':
      return sweepConversation(deps, holding);
    case 'secret':
      return sweepSecret(deps, holding).catch(leftAlone);
    case 'agentThread':
      return sweepThread(deps, holding).catch(leftAlone);
    default:
      return NOTHING;
  }
};

/** What a newer version has written to is left to that version. */
const leftAlone = (error: unknown): Swept => {
  if (error instanceof DomainError) return NOTHING;
  throw error;
};

const sweepConversation = async (
  { vault, ...deps }: SweepDeps,
  { tenant, owner, ids }: Holding,
): Promise<Swept> => {
  const state = await load(deps, tenant, streamIdOf(owner)).catch((error: unknown) => {
    if (error instanceof DomainError) return null;
    throw error;
  });
  if (state === null) return NOTHING;
  if (state.status !== 'open') {
    await vault.destroy(tenant, owner);
    return { keys: 1, texts: ids.length };
  }
  const stray = ids.filter((id) => !isTold(state, id));
  if (stray.length > 0) await vault.forget(tenant, owner, stray);
  return { keys: 0, texts: stray.length };
};

/** Whether an event speaks of the text: of an answer only one that was finished has any. */
const isTold = (state: OpenConversation, id: string): boolean => {
  const message = state.messages.get(messageOf(id));
  return message?.role === 'user' || message?.status === 'finished';
};
