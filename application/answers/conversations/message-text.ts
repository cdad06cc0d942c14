import { noSuchConversation } from '../../../domain/conversation/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { camelKeys, snakeKeys } from '../../../domain/shared/key-case.ts';
import { conversationStream } from '../../event-sourcing/streams.ts';
import { type VaultText, KeyDestroyed, type Vault } from '../../ports/vault.ts';
import type { WebCitation } from '../../ports/web-search.ts';

/** One message as callers send it and models read it. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/**
 * What is kept of a request as its user message: the question, which is last, and what the caller sent before it.
 * Messages of the role `system` are left out: they instruct the model for the one request that brings them.
 */
const keptOf = (messages: readonly ChatMessage[]): readonly ChatMessage[] =>
  messages.filter(({ role }) => role !== 'system');

/** The text under which a user message lies in the vault. */
export const textOfQuestion = (messages: readonly ChatMessage[]): string =>
  JSON.stringify(keptOf(messages).map(({ role, content }) => ({ role, content })));

/**
 * Pages of the web that an answer cites lie beside its text, as a text of their own: addresses and titles of strangers'
 * pages tell what was asked, so they are in no event.
 */
const WEB = '/web';
export const webCitationsOf = (answerId: string): string => `${answerId}${WEB}`;
/** What tells a repeated request from another one lies there too: a hash of what was asked could be guessed. */
export const requestOf = (answerId: string): string => `${answerId}/request`;
/** Of an answer that can be asked for again: what the model was shown. */
export const shownOf = (answerId: string): string => `${answerId}/shown`;
/** The message that a text in the vault belongs to. */
export const messageOf = (bodyId: string): string => bodyId.split('/', 1)[0]!;

/** What a model was shown, without any text of it. */
export interface Shown {
  /** In the order of their numbers. */
  readonly contentIds: readonly string[];
  readonly pages: readonly WebCitation[];
  /** What the web was searched for, and what else it would be. */
  readonly queries: readonly string[];
  readonly suggestion: string;
}
const NOTHING_SHOWN: Shown = { contentIds: [], pages: [], queries: [], suggestion: '' };
export const parseShown = (text: string | undefined): Shown =>
  text === undefined ? NOTHING_SHOWN : (camelKeys(JSON.parse(text)) as Shown);

/** The texts under which an answer lies in the vault. */
export const bodiesOfAnswer = (
  id: string,
  text: string,
  pages: readonly WebCitation[],
  shown?: Shown,
): readonly VaultText[] => {
  const citations = JSON.stringify(pages.map(({ url, title }) => ({ url, title })));
  return [
    { id, text },
    ...(pages.length > 0 ? [{ id: webCitationsOf(id), text: citations }] : []),
    ...(shown === undefined ? [] : [{ id: shownOf(id), text: JSON.stringify(snakeKeys(shown)) }]),
  ];
};
export const parsePages = (text: string): readonly WebCitation[] => JSON.parse(text) as WebCitation[];

export const parseQuestion = (text: string): readonly ChatMessage[] => JSON.parse(text) as ChatMessage[];

/** Texts that were kept before the event that speaks of them. */
export interface Stored {
  readonly forget: () => Promise<void>;
}
/** @throws DomainError not_found when the key of the conversation was destroyed */
export const keep = async (
  vault: Vault,
  tenant: string,
  id: string,
  ...bodies: readonly VaultText[]
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
