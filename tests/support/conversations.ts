import { createConversationOperations } from '../../application/answers/conversations/operations.ts';
import {
  type ConversationTurns,
  createTurns,
  type OpenTurn,
} from '../../application/answers/conversations/turns.ts';
import type { TurnRequest } from '../../application/answers/conversations/load-conversation.ts';
import type { Caller } from '../../application/access/caller.ts';
import type { EventCodec } from '../../application/event-sourcing/event-codec.ts';
import type { Execute } from '../../application/event-sourcing/execute.ts';
import type { ConversationView } from '../../application/ports/conversation-view.ts';
import type { RowOverlay } from '../../application/ports/read-your-writes.ts';
import type { EventStore } from '../../application/ports/event-store.ts';
import type { IdSource } from '../../application/ports/identity.ts';
import type { Vault } from '../../application/ports/vault.ts';
import { SCOPES } from '../../domain/api-key/decider.ts';
import { type DomainErrorCode, DomainError } from '../../domain/shared/domain-error.ts';

export const NOW = 1_790_000_000_000;

export const callerOf = (tenant: string, sourceGroupIds: readonly string[] | null = null): Caller => ({
  id: 'key-1',
  tenant,
  grant: { scopes: SCOPES, sourceGroupIds },
  context: { tenant, actor: { kind: 'api_key', id: 'key-1' }, correlationId: 'c', causationId: 'c' },
});

export const asking = (text: string, more: Partial<TurnRequest> = {}): TurnRequest => ({
  messages: [{ role: 'user', content: text }],
  regenerate: false,
  principalId: null,
  ...more,
});

export const endingOf = (content: string) => ({
  content,
  finishReason: 'stop',
  model: 'small-1',
  usage: { inputTokens: 20, outputTokens: 5 },
  citedContentIds: ['0199d2a0-0000-8000-8000-000000000001'],
});

export interface ConversationParts {
  readonly execute: Execute;
  readonly store: EventStore;
  readonly codec: EventCodec;
  readonly ids: IdSource;
  readonly vault: Vault;
  readonly view: ConversationView;
  /** Absent: a list is as its view says. */
  readonly overlay?: RowOverlay;
}

export const noOverlay: RowOverlay = { put: async () => {}, remove: async () => {}, prune: async () => {} };

/** Conversations whose answers the test writes itself. */
export const conversationsOf = (parts: ConversationParts) => {
  let now = NOW;
  const clock = { now: () => (now += 1_000) };
  const turns = createTurns({ ...parts, clock });
  const redactTextFor = async () => (text: string) => text.replaceAll(/\S+@\S+/g, '[email]');
  return {
    turns,
    operations: createConversationOperations({ overlay: noOverlay, ...parts, clock, redactTextFor }),
    ...askingWith(turns),
  };
};

const askingWith = (turns: ConversationTurns) => ({
  /** A question and its whole answer. */
  ask: async (
    caller: Caller,
    question: string,
    answer: string,
    more: Partial<TurnRequest> = {},
  ): Promise<OpenTurn> => {
    const turn = await turns.open(caller, asking(question, more));
    await turns.finish(caller, turn, endingOf(answer));
    return turn;
  },
});

/** The code with which a promise was refused; null when it was not. Any other error is thrown on. */
export const refused = async (promise: Promise<unknown>): Promise<DomainErrorCode | null> => {
  try {
    await promise;
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
};
