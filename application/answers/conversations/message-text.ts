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
 * The messages that are stored as a user message: the question, which is last, and the messages before it. System
 * messages are left out, because they apply only to the request that brings them.
 */
const keptOf = (messages: readonly ChatMessage[]): readonly ChatMessage[] =>
  messages.filter(({ role }) => role !== 'system');

/** The stored text of a user message. */
export const textOfQuestion = (messages: readonly ChatMessage[]): string =>
  JSON.stringify(keptOf(messages).map(({ role, content }) => ({ role, content })));

/**
 * The cited web pages of an answer are stored in the vault as a separate text: their URLs and titles reveal what was
 * asked, so no event contains them.
 */
const WEB = '/web';
export const webCitationsId = (answerId: string): string => `${answerId}${WEB}`;
/**
 * Distinguishes a repeated request from a different one. In the vault, since a hash of the request could be guessed.
 */
export const requestOf = (answerId: string): string => `${answerId}/request`;
/** The sources in the prompt of an answer that may be replayed. */
export const promptSourcesId = (answerId: string): string => `${answerId}/shown`;
/** The message that a text in the vault belongs to. */
export const messageOf = (bodyId: string): string => bodyId.split('/', 1)[0]!;

/** The sources in a prompt, without their texts. */
export interface PromptSources {
  /** In the order of their numbers. */
  readonly contentIds: readonly string[];
  readonly pages: readonly WebCitation[];
  /** The web queries, and the suggestion for another one. */
  readonly queries: readonly string[];
  readonly suggestion: string;
}
const NO_SOURCES: PromptSources = { contentIds: [], pages: [], queries: [], suggestion: '' };
export const parsePromptSources = (text: string | undefined): PromptSources =>
  text === undefined ? NO_SOURCES : (camelKeys(JSON.parse(text)) as PromptSources);

/** The texts that are stored in the vault for an answer. */
export const bodiesOfAnswer = (
  id: string,
  text: string,
  pages: readonly WebCitation[],
  shown?: PromptSources,
): readonly VaultText[] => {
  const citations = JSON.stringify(pages.map(({ url, title }) => ({ url, title })));
  return [
    { id, text },
    ...(pages.length > 0 ? [{ id: webCitationsId(id), text: citations }] : []),
    ...(shown === undefined ? [] : [{ id: promptSourcesId(id), text: JSON.stringify(snakeKeys(shown)) }]),
  ];
};
export const parsePages = (text: string): readonly WebCitation[] => JSON.parse(text) as WebCitation[];

export const parseQuestion = (text: string): readonly ChatMessage[] => JSON.parse(text) as ChatMessage[];

const MAX_TITLE = 120;

/** How a question begins, in one line: what its conversation is called in lists. Null for one without words. */
export const titleOf = (question: string): string | null => {
  const line = question
    .trim()
    .slice(0, 10 * MAX_TITLE)
    .replaceAll(/\s+/g, ' ');
  // The cut may go through a pair of surrogates.
  const cut = line.slice(0, MAX_TITLE - 1).replace(/[\uD800-\uDBFF]$/, '');
  return line === '' ? null : line.length > MAX_TITLE ? `${cut}…` : line;
};

/** Texts that were stored before the event that refers to them. */
export interface StoredTexts {
  readonly forget: () => Promise<void>;
}
/** @throws DomainError not_found when the key of the conversation was destroyed */
export const storeTexts = async (
  vault: Vault,
  tenant: string,
  id: string,
  ...bodies: readonly VaultText[]
): Promise<StoredTexts> => {
  const owner = conversationStream(id);
  await vault.put(tenant, owner, bodies).catch((error: unknown) => {
    throw error instanceof KeyDestroyed ? noSuchConversation() : error;
  });
  const ids = bodies.map((body) => body.id);
  return { forget: () => vault.forget(tenant, owner, ids) };
};

/**
 * Runs an operation; if it is refused, deletes the texts. After other errors it may have been recorded, so they stay.
 */
export const orDiscard = async <T>({ forget }: StoredTexts, run: () => Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    if (error instanceof DomainError) await forget();
    throw error;
  }
};
