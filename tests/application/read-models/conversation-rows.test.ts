import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConversationRow } from '../../../application/ports/conversation-view.ts';
import { messagesOf } from '../../../application/read-models/conversation-messages.ts';
import { conversationRow, conversationRowOf } from '../../../application/read-models/conversation-row.ts';
import {
  conversation,
  type ConversationEvent,
  type OpenConversation,
} from '../../../domain/conversation/index.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { historyOfSteps, steps } from '../../domain/conversation/random-conversation.ts';

const HISTORY: readonly ConversationEvent[] = [
  { type: 'ConversationStarted', principalId: 'jo', at: 10 },
  { type: 'UserMessageAdded', messageId: 'q1', parentId: null, at: 10 },
  { type: 'AnswerBegun', messageId: 'a1', parentId: 'q1', sourceGroupIds: ['g1'], at: 10 },
  {
    type: 'AnswerFinished',
    messageId: 'a1',
    finishReason: 'stop',
    model: 'm',
    usage: null,
    citedContentIds: ['c1'],
    cut: false,
    at: 12,
  },
  { type: 'AnswerBegun', messageId: 'a2', parentId: 'q1', sourceGroupIds: ['g2'], at: 20 },
  { type: 'AnswerFailed', messageId: 'a2', code: 'provider_error', at: 21 },
];
const place = (revision: bigint) => ({ id: 'conversation-1', tenant: 'acme', revision });
const rowOf = (history: readonly ConversationEvent[]) => conversationRowOf(history, 'conversation-1', 'acme');

describe('the row of a conversation', () => {
  it('counts messages, knows when it was last heard of, and what it may tell of', () => {
    expect(rowOf(HISTORY)).toStrictEqual({
      ...place(5n),
      principalId: 'jo',
      sourceGroupIds: ['g1', 'g2'],
      messageCount: 3,
      createdAt: 10,
      updatedAt: 21,
    });
  });

  it('is gone with its deletion', () => {
    expect(rowOf([...HISTORY, { type: 'ConversationDeleted', at: 30 }])).toBeNull();
  });

  it('does not change by events that it holds already', () => {
    const row = rowOf(HISTORY);
    const again = HISTORY.reduce<ConversationRow | null>(
      (from, event, i) => conversationRow(from, event, place(BigInt(i))),
      row,
    );
    expect(again).toBe(row);
  });

  it('needs its start first', () => {
    expect(() => conversationRow(null, HISTORY[1]!, place(0n))).toThrow('before ConversationStarted');
  });
});

describe('the messages of a conversation', () => {
  it('stand with how each ended', () => {
    const {
      type: _,
      messageId: __,
      at: ___,
      ...ending
    } = HISTORY[3] as Extract<ConversationEvent, { type: 'AnswerFinished' }>;
    const answer = { role: 'assistant', parentId: 'q1' } as const;
    expect(messagesOf(HISTORY)).toStrictEqual([
      { role: 'user', id: 'q1', parentId: null, createdAt: 10 },
      { ...answer, id: 'a1', status: 'finished', ending, errorCode: null, createdAt: 10 },
      { ...answer, id: 'a2', status: 'failed', ending: null, errorCode: 'provider_error', createdAt: 20 },
    ]);
  });

  it('cannot end before they begin', () => {
    expect(() => messagesOf([HISTORY[5]!])).toThrow('never begun');
  });

  it('are those that the aggregate knows, over every history; the row counts them', () => {
    fc.assert(
      fc.property(steps, (some) => {
        const history = historyOfSteps(some);
        const { messages } = fold(conversation, history, conversation.initial) as OpenConversation;
        const shape = (message: { id: string; parentId: string | null; role: string; status?: string }) => [
          message.id,
          message.parentId,
          message.role,
          message.status,
        ];
        expect(messagesOf(history).map(shape)).toEqual([...messages.values()].map(shape));
        expect(rowOf(history)?.messageCount).toBe(messages.size);
      }),
      { numRuns: 300 },
    );
  });
});
