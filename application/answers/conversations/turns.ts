import {
  conversation,
  type OpenConversation,
  noSuchConversation,
  pathTo,
} from '../../../domain/conversation/index.ts';
import type { Caller } from '../../access/caller.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Position } from '../../ports/event-store.ts';
import type { Clock, IdSource } from '../../ports/identity.ts';
import type { Vault } from '../../ports/vault.ts';
import type { WebCitation } from '../../ports/web-search.ts';
import { conversationStream } from '../../event-sourcing/streams.ts';
import {
  type ChatMessage,
  type PromptSources,
  bodiesOfAnswer,
  storeTexts,
  orDiscard,
  parseQuestion,
  textOfQuestion,
} from './message-text.ts';
import {
  type OpeningCommand,
  type TurnRequest,
  commandOf,
  load,
  loadVisible,
  mustReach,
  newMessagesOf,
} from './load-conversation.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';

/**
 * The messages from the root of a conversation to this question, which is last.
 *
 * @throws DomainError not_found when the key of the conversation is destroyed
 */
const historyTo = async (
  vault: Vault,
  tenant: string,
  id: string,
  { messages }: OpenConversation,
  userMessageId: string,
): Promise<readonly ChatMessage[]> => {
  const path = pathTo(messages, userMessageId);
  const texts = await vault.read(
    tenant,
    conversationStream(id),
    path.map((message) => message.id),
  );
  if (texts === null) throw noSuchConversation();
  return path.flatMap((message): readonly ChatMessage[] => {
    const text = texts.get(message.id);
    // In a restored backup, an event may refer to a text that was written after the vault was copied.
    if (text === undefined) return [];
    return message.role === 'user' ? parseQuestion(text) : [{ role: 'assistant', content: text }];
  });
};

/**
 * Rejects a request to regenerate that brings a different question: that question would be ignored.
 *
 * @throws DomainError invalid_request
 */
const mustBeSameQuestion = async (
  vault: Vault,
  tenant: string,
  id: string,
  userMessageId: string,
  sent: ChatMessage | undefined,
): Promise<void> => {
  if (sent?.role !== 'user' || sent.content.trim() === '') return;
  const texts = await vault.read(tenant, conversationStream(id), [userMessageId]);
  const text = texts?.get(userMessageId);
  if (text === undefined || parseQuestion(text).at(-1)?.content === sent.content) return;
  throw new DomainError(
    'invalid_request',
    'regenerate answers the stored message: send it unchanged or blank; to ask something else, omit regenerate and send the answer before it as parent_message_id',
  );
};

/** Ids of a conversation, a user message and an answer, created earlier by the claim of an idempotency key. */
export interface ClaimedTurn {
  readonly ids: readonly string[];
  readonly at: number;
}

export interface TurnIds {
  readonly conversationId: string;
  readonly userMessageId: string;
  readonly assistantMessageId: string;
}
export interface OpenTurn extends TurnIds {
  /** The messages from the root of the conversation to the question, which is last. */
  readonly history: readonly ChatMessage[];
  readonly position: Position;
}

/** The result of a finished answer. */
interface TurnEnding {
  readonly content: string;
  readonly finishReason: string;
  readonly model: string;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | null;
  readonly citedContentIds: readonly string[];
  /** Cited web pages, in the order of their marks. */
  readonly webCitations?: readonly WebCitation[];
  /** Set when the answer may be replayed. */
  readonly shown?: PromptSources;
  /** Whether the content is shorter than the model's answer. */
  readonly cut?: boolean;
}

export interface TurnDeps {
  readonly execute: Execute;
  readonly vault: Vault;
  readonly ids: IdSource;
  readonly clock: Clock;
}

/** Records questions and answers of conversations. */
export const createTurns = (deps: TurnDeps) => ({
  /**
   * Records a question and starts its answer. With `claimed` it is idempotent. Texts are stored before the events that
   * refer to them.
   *
   * @throws DomainError not_found for a conversation, message or principal that the caller may not see;
   *   invalid_request for a message that a question cannot follow, a parent message without its conversation, or a
   *   changed question with `regenerate`; conflict when the parent answer is not finished; not_configured without a
   *   master key
   */
  open: async (caller: Caller, request: TurnRequest, claimed?: ClaimedTurn): Promise<OpenTurn> => {
    const [made, question, answerId] = claimed?.ids ?? Array.from({ length: 3 }, () => deps.ids.newId());
    const ids = { id: request.conversationId ?? made!, messageId: question!, answerId: answerId! };
    const at = claimed?.at ?? deps.clock.now();
    const command = commandOf(request, caller, ids, at);
    const done = await recordQuestion(deps, caller, ids.id, command, newMessagesOf(request));
    const state = done.state as OpenConversation;
    const userMessageId = state.messages.get(ids.answerId)!.parentId!;
    const history = await historyTo(deps.vault, caller.tenant, ids.id, state, userMessageId);
    const turn = { conversationId: ids.id, userMessageId, assistantMessageId: ids.answerId };
    return { ...turn, history, position: done.position };
  },

  /**
   * Records the end of an answer. Returns the end time in Unix milliseconds.
   *
   * @throws DomainError not_found when the conversation was deleted meanwhile; conflict when the answer has already
   *   failed
   */
  finish: async (
    caller: Caller,
    { conversationId: id, assistantMessageId: answerId }: TurnIds,
    { content, usage, webCitations: pages = [], shown, cut = false, ...facts }: TurnEnding,
  ): Promise<number> => {
    const counted = usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens };
    const { finishReason, model, citedContentIds } = facts;
    const at = deps.clock.now();
    const ending = { finishReason, model, usage: counted, citedContentIds, cut, at };
    const command = { type: 'finish_answer', answerId, ...ending } as const;
    const stored = await storeTexts(
      deps.vault,
      caller.tenant,
      id,
      ...bodiesOfAnswer(answerId, content, pages, shown),
    );
    await orDiscard(stored, () =>
      deps.execute(conversation, conversationStream(id), command, caller.context),
    );
    return at;
  },

  /** @param code names the fault; never an error message, which could repeat the question */
  fail: async (
    caller: Caller,
    { conversationId, assistantMessageId: answerId }: TurnIds,
    code: string,
  ): Promise<void> => {
    const command = { type: 'fail_answer', answerId, code, at: deps.clock.now() } as const;
    await deps.execute(conversation, conversationStream(conversationId), command, caller.context);
  },
});
export type ConversationTurns = ReturnType<typeof createTurns>;

const recordQuestion = async (
  deps: TurnDeps,
  caller: Caller,
  id: string,
  command: OpeningCommand,
  messages: readonly ChatMessage[],
) => {
  const text = textOfQuestion(messages);
  const decide = () =>
    deps.execute(conversation, conversationStream(id), command, caller.context, {
      guard: mustReach(caller),
      probablyNew: command.type === 'start',
    });
  if (command.type === 'start') {
    await deps.vault.create(caller.tenant, conversationStream(id));
    await storeTexts(deps.vault, caller.tenant, id, { id: command.messageId, text });
    return decide().catch(async (error: unknown) => {
      // A repeated request must not recreate the key of a conversation that was deleted meanwhile.
      const state = await load(deps, caller.tenant, id);
      if (state.status === 'deleted') await deps.vault.destroy(caller.tenant, conversationStream(id));
      throw error;
    });
  }
  // Decide first, so that nothing is stored for a refused command.
  const state = await loadVisible(deps, caller, id, command.principalId);
  const [begun] = conversation.decide(command, state);
  if (command.type === 'begin_answer') {
    if (begun?.type === 'AnswerBegun') {
      await mustBeSameQuestion(deps.vault, caller.tenant, id, begun.parentId, messages.at(-1));
    }
    return decide();
  }
  const stored = await storeTexts(deps.vault, caller.tenant, id, { id: command.messageId, text });
  return orDiscard(stored, decide);
};
