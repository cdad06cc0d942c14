import type { OpenConversation } from '../../../domain/conversation/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { streamIdOf } from '../../event-sourcing/event-codec.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { OwnedTexts, Vault } from '../../ports/vault.ts';
import { load } from './load-conversation.ts';
import { messageOf } from './message-text.ts';

interface ConversationSweepDeps {
  readonly vault: Vault;
  readonly execute: Pick<Execute, 'load'>;
}

/**
 * Deletes what a crash has left of one conversation: the key if the conversation never started or was deleted, and
 * texts that no event refers to. Returns the number of deleted keys and texts. Skips a conversation that a newer
 * version of the service has written to.
 */
export const sweepConversation = async (
  { vault, ...deps }: ConversationSweepDeps,
  { tenant, owner, ids }: OwnedTexts,
): Promise<{ readonly keys: number; readonly texts: number }> => {
  const state = await load(deps, tenant, streamIdOf(owner)).catch((error: unknown) => {
    if (error instanceof DomainError) return null;
    throw error;
  });
  if (state === null) return { keys: 0, texts: 0 };
  if (state.status !== 'open') {
    await vault.destroy(tenant, owner);
    return { keys: 1, texts: ids.length };
  }
  const stray = ids.filter((id) => !isStarted(state, id));
  if (stray.length > 0) await vault.forget(tenant, owner, stray);
  return { keys: 0, texts: stray.length };
};

/** Whether an event refers to the text. Only a finished answer has texts. */
const isStarted = (state: OpenConversation, id: string): boolean => {
  const message = state.messages.get(messageOf(id));
  return message?.role === 'user' || message?.status === 'finished';
};
