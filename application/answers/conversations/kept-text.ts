import { noSuchConversation } from '../../../domain/conversation/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { type Body, KeyDestroyed, type Vault } from '../../ports/vault.ts';
import { conversationStream } from '../../event-sourcing/streams.ts';

/** Texts that were kept before the event that speaks of them. */
export interface Stored {
  readonly forget: () => Promise<void>;
}
/** @throws DomainError not_found when the key of the conversation was destroyed */
export const keep = async (
  vault: Vault,
  tenant: string,
  id: string,
  ...bodies: readonly Body[]
): Promise<Stored> => {
  const owner = conversationStream(id);
  await vault.put(tenant, owner, bodies).catch((error: unknown) => {
    throw error instanceof KeyDestroyed ? noSuchConversation() : error;
  });
  const ids = bodies.map((body) => body.id);
  return { forget: () => vault.forget(tenant, owner, ids) };
};

/** What was refused leaves no text behind; what failed otherwise may have been recorded after all. */
export const orForget = async <T>({ forget }: Stored, run: () => Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    if (error instanceof DomainError) await forget();
    throw error;
  }
};
