import { conversation, type OpenConversation } from '../../domain/conversation/index.ts';
import type { Caller } from '../caller.ts';
import type { Execute } from '../execute.ts';
import type { Position } from '../ports/event-store.ts';
import type { Clock, IdSource } from '../ports/identity.ts';
import type { Vault } from '../ports/vault.ts';
import type { WebCitation } from '../ports/web-search.ts';
import { conversationStream } from '../streams.ts';
import { historyTo, mustBeTheQuestion } from './history.ts';
import { keep, orForget } from './kept-text.ts';
import { load, loadVisible, mustReach } from './load.ts';
import { bodiesOfAnswer, type ChatMessage, type Shown, textOfQuestion } from './message-text.ts';
import { commandOf, type OpeningCommand, saidIn, type TurnRequest } from './turn-command.ts';

/** Ids of a conversation, a user message and an answer that were made before, as `claimedIds` answers them. */
export interface ClaimedTurn {
  readonly ids: readonly string[];
  readonly at: number;
}

export interface TurnIds {
  readonly conversation_id: string;
  readonly user_message_id: string;
  readonly assistant_message_id: string;
}
export interface OpenTurn extends TurnIds {
  /** From the root of the conversation to the question, which is last. */
  readonly history: readonly ChatMessage[];
  readonly position: Position;
}

/** How an answer ended. */
interface TurnEnding {
  readonly content: string;
  readonly finish_reason: string;
  readonly model: string;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | null;
  readonly cited_content_ids: readonly string[];
  /** Pages of the web, in the order of their marks. */
  readonly web_citations?: readonly WebCitation[];
  /** Of an answer that can be asked for again. */
  readonly shown?: Shown;
  /** The content ends before the model did. */
  readonly cut?: boolean;
}

export interface TurnDeps {
  readonly execute: Execute;
  readonly vault: Vault;
  readonly ids: IdSource;
  readonly clock: Clock;
}

/** Questions and answers of conversations, for whatever writes the answers. */
export const createTurns = (deps: TurnDeps) => ({
  /**
   * Records a question and begins its answer. With `claimed` a repetition leads to the same turn. Texts are kept before
   * the events that speak of them.
   *
   * @throws DomainError not_found for a conversation, message or principal that the caller may not know of;
   * invalid_request for a message that a question cannot follow, one named without its conversation, or another text
   * than that of the question to answer again; conflict for an answer that is not finished; not_configured without a master key
   */
  open: async (caller: Caller, request: TurnRequest, claimed?: ClaimedTurn): Promise<OpenTurn> => {
    const [made, question, answer_id] = claimed?.ids ?? Array.from({ length: 3 }, () => deps.ids.newId());
    const ids = { id: request.conversation_id ?? made!, message_id: question!, answer_id: answer_id! };
    const at = claimed?.at ?? deps.clock.now();
    const command = commandOf(request, caller, ids, at);
    const done = await perform(deps, caller, ids.id, command, saidIn(request));
    const state = done.state as OpenConversation;
    const user_message_id = state.messages.get(ids.answer_id)!.parent_id!;
    const history = await historyTo(deps.vault, caller.tenant, ids.id, state, user_message_id);
    const turn = { conversation_id: ids.id, user_message_id, assistant_message_id: ids.answer_id };
    return { ...turn, history, position: done.position };
  },

  /**
   * Answers when it ended, in Unix milliseconds.
   *
   * @throws DomainError not_found when the conversation was deleted meanwhile; conflict for an answer given up before
   */
  finish: async (
    caller: Caller,
    { conversation_id: id, assistant_message_id: answer_id }: TurnIds,
    { content, usage, web_citations: pages = [], shown, cut = false, ...facts }: TurnEnding,
  ): Promise<number> => {
    const counted = usage && { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens };
    const { finish_reason, model, cited_content_ids } = facts;
    const at = deps.clock.now();
    const ending = { finish_reason, model, usage: counted, cited_content_ids, cut, at };
    const command = { type: 'finish_answer', answer_id, ...ending } as const;
    const stored = await keep(
      deps.vault,
      caller.tenant,
      id,
      ...bodiesOfAnswer(answer_id, content, pages, shown),
    );
    await orForget(stored, () => deps.execute(conversation, conversationStream(id), command, caller.context));
    return at;
  },

  /** @param code a name of the fault; never its message, which could repeat what was asked */
  fail: async (
    caller: Caller,
    { conversation_id, assistant_message_id: answer_id }: TurnIds,
    code: string,
  ): Promise<void> => {
    const command = { type: 'fail_answer', answer_id, code, at: deps.clock.now() } as const;
    await deps.execute(conversation, conversationStream(conversation_id), command, caller.context);
  },
});
export type ConversationTurns = ReturnType<typeof createTurns>;

const perform = async (
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
    await keep(deps.vault, caller.tenant, id, { id: command.message_id, text });
    return decide().catch(async (error: unknown) => {
      // A repetition of what was deleted since must not bring a key back.
      const state = await load(deps, caller.tenant, id);
      if (state.status === 'deleted') await deps.vault.destroy(caller.tenant, conversationStream(id));
      throw error;
    });
  }
  // Refused before anything is kept.
  const state = await loadVisible(deps, caller, id, command.principal_id);
  const [begun] = conversation.decide(command, state);
  if (command.type === 'begin_answer') {
    if (begun?.type === 'AnswerBegun') {
      await mustBeTheQuestion(deps.vault, caller.tenant, id, begun.parent_id, messages.at(-1));
    }
    return decide();
  }
  const stored = await keep(deps.vault, caller.tenant, id, { id: command.message_id, text });
  return orForget(stored, decide);
};
