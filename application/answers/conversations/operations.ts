import { conversation, noSuchConversation } from '../../../domain/conversation/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Caller } from '../../access/caller.ts';
import type { Written } from '../../event-sourcing/idempotent.ts';
import { type Page, type PageRequest, unknownCursor } from '../../ports/page.ts';
import type { ConversationView, ConversationRow } from '../../ports/conversation-view.ts';
import type { RowOverlay } from '../../ports/read-your-writes.ts';
import { DecryptionFailed } from '../../ports/vault.ts';
import type { WebCitation } from '../../ports/web-search.ts';
import type { RedactTextFor } from '../../redaction/redact-text.ts';
import {
  type ConversationMessage,
  conversationRowOf,
  messagesOf,
} from '../../read-models/conversation-row.ts';
import { conversationStream } from '../../event-sourcing/streams.ts';
import { load, loadHistory, loadVisible, mustReach, reaches } from './load-conversation.ts';
import { type ChatMessage, parsePages, parseQuestion, titleOf, webCitationsId } from './message-text.ts';
import type { TurnDeps } from './turns.ts';

export type ReadableMessage = ConversationMessage & {
  /** Null when there is no finished answer. */
  readonly content: string | null;
  /** Messages that the caller sent before the question in the same request. */
  readonly preceding: readonly ChatMessage[];
  /** The cited web pages, in the order of their marks. */
  readonly webCitations: readonly WebCitation[];
};
/** `title`: how its first question begins; null where that can be read no more. */
export type TitledConversation = ConversationRow & { readonly title: string | null };
export interface ReadableConversation {
  readonly row: TitledConversation;
  /** Oldest first, so that each message follows its parent. */
  readonly messages: readonly ReadableMessage[];
}

export interface ConversationDeps extends Omit<TurnDeps, 'ids'> {
  readonly view: ConversationView;
  readonly redactTextFor: RedactTextFor;
  readonly overlay: RowOverlay;
}

/**
 * Reads and deletes conversations. All operations throw DomainError `not_found` for a conversation that does not
 * exist, was deleted, belongs to another principal (null: none), or is beyond the reach of the caller's key.
 */
export const createConversationOperations = (deps: ConversationDeps) => ({
  /** Newest first. @throws DomainError invalid_cursor */
  list: async (
    caller: Caller,
    principalId: string | null,
    page: PageRequest,
  ): Promise<Page<TitledConversation>> => {
    const { after } = page;
    if (after !== undefined && !(await isKnownCursor(deps, caller, principalId, after)))
      throw unknownCursor(after);
    const view = caller.past?.conversations ?? deps.view;
    const found = await view.list(caller.tenant, principalId, page, caller.grant.sourceGroupIds);
    const rows = found.rows.map(async (row) => ({ ...row, title: await storedTitle(deps, row) }));
    return { ...found, rows: await Promise.all(rows) };
  },

  /**
   * Reads a conversation from its events, not from a view. Redacts titles of cited pages by the current policies.
   *
   * @throws DomainError not_configured without a master key
   */
  get: async (caller: Caller, id: string, principalId: string | null): Promise<ReadableConversation> => {
    const { past } = caller;
    const execute = past?.streams ?? deps.execute;
    const history = await loadHistory({ execute }, caller, id, principalId);
    // Later answers may reveal more than a key may see, and it must not see the conversation before them either.
    if (past !== undefined) mustReach(caller)(await load(deps, caller.tenant, id));
    const messages = messagesOf(history);
    const ids = messages.flatMap(({ id: of, role }) => (role === 'user' ? [of] : [of, webCitationsId(of)]));
    const [row, texts] = [
      conversationRowOf(history, id, caller.tenant),
      await deps.vault.read(caller.tenant, conversationStream(id), ids),
    ];
    // Without its key the conversation is being deleted, or its deletion was interrupted; its past has no texts then.
    if (row === null || (texts === null && past === undefined)) throw noSuchConversation();
    const hide = await deps.redactTextFor(caller.tenant);
    const hidden = ({ url, title }: WebCitation): WebCitation => ({ url, title: hide(title) });
    const read = messages.map((message) => readable(message, texts ?? new Map()));
    return {
      row: { ...row, title: titleOf(read[0]?.content ?? '') },
      messages: read.map((one) => ({ ...one, webCitations: one.webCitations.map(hidden) })),
    };
  },

  /**
   * Destroys the key of the conversation's texts, then records the deletion. If it is interrupted, the conversation
   * can no longer be read, and the next call completes the deletion.
   */
  remove: async (caller: Caller, id: string, principalId: string | null): Promise<Written<string>> => {
    await loadVisible(deps, caller, id, principalId);
    await deps.vault.destroy(caller.tenant, conversationStream(id));
    const command = { type: 'delete', principalId, at: deps.clock.now() } as const;
    const done = await deps.execute(conversation, conversationStream(id), command, caller.context, {
      guard: mustReach(caller),
    });
    const revision = done.revision === 'none' ? 0n : done.revision;
    await deps.overlay.remove('conversation', { id, tenant: caller.tenant, revision }, done.position);
    return { record: id, position: done.position, changed: true };
  },
});
export type ConversationOperations = ReturnType<typeof createConversationOperations>;

/** Whether the conversation is in the caller's list, or was in it before its deletion. */
const isKnownCursor = async (
  deps: ConversationDeps,
  caller: Caller,
  principalId: string | null,
  id: string,
): Promise<boolean> => {
  const state = await load(deps, caller.tenant, id);
  return (
    state.status !== 'none' && state.principalId === principalId && reaches(caller, state.sourceGroupIds)
  );
};

/** Null without the key of its texts, or a master key. A text that is damaged takes its title alone from the list. */
const storedTitle = async (
  { vault }: ConversationDeps,
  { id, tenant, firstQuestionId }: ConversationRow,
): Promise<string | null> => {
  if (firstQuestionId === undefined) return null;
  try {
    const texts = await vault.read(tenant, conversationStream(id), [firstQuestionId]);
    const question = texts?.get(firstQuestionId);
    return titleOf(question === undefined ? '' : (parseQuestion(question).at(-1)?.content ?? ''));
  } catch (error) {
    if (error instanceof DecryptionFailed) return null;
    if (error instanceof DomainError && error.code === 'not_configured') return null;
    throw error;
  }
};

const NOTHING = { content: null, preceding: [], webCitations: [] };

const readable = (message: ConversationMessage, texts: ReadonlyMap<string, string>): ReadableMessage => {
  const text = texts.get(message.id);
  if (text === undefined) return { ...message, ...NOTHING };
  if (message.role === 'assistant') {
    // The text of an answer may be stored although its end is not recorded (yet).
    if (message.status !== 'finished') return { ...message, ...NOTHING };
    const pages = texts.get(webCitationsId(message.id)) ?? '[]';
    return { ...message, ...NOTHING, content: text, webCitations: parsePages(pages) };
  }
  const sent = parseQuestion(text);
  const content = sent.at(-1)?.content ?? '';
  return { ...message, ...NOTHING, content, preceding: sent.slice(0, -1) };
};
