import type { AgentRunRow, AgentThreadRow } from '../../../application/ports/agent-view.ts';
import type { ConversationRow } from '../../../application/ports/conversation-view.ts';
import { agentRunRow, agentThreadRow } from '../../../application/read-models/agent-rows.ts';
import {
  conversationRow,
  conversationRowOf,
  messagesOf,
} from '../../../application/read-models/conversation-row.ts';
import type { AgentRunEvent, RunFacts } from '../../../domain/agent-run/index.ts';
import type { AgentThreadEvent } from '../../../domain/agent-thread/decider.ts';
import {
  type ConversationEvent,
  type OpenConversation,
  conversation,
} from '../../../domain/conversation/index.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { historyOfSteps, steps } from '../../domain/conversation/random-conversation.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RUN_FACTS } from '../../support/agent/run-facts.ts';

const of = (revision: bigint) => ({ id: 'thread-1', tenant: 'acme', revision });

const context = {
  tenant: 'acme',
  actor: { kind: 'api_key', id: 'k' },
  correlationId: 'c',
  causationId: 'c',
} as const;

const within = (revision: bigint) => ({ ...of(revision), metadata: { ...context, schemaVersion: 3 } });

const FACTS: RunFacts = {
  ...RUN_FACTS,
  threadId: 'thread-1',
  principalId: 'jo',
  parentRunId: null,
  afterRunId: null,
  sourceGroupIds: ['g1'],
  reach: ['g1'],
  titled: true,
  at: 5,
};

const { threadId: _, ...facts } = FACTS;

const started: AgentThreadEvent = { type: 'AgentThreadStarted', principalId: 'jo', at: 1 };

const admitted = (runId: string, more: Partial<RunFacts> = {}): AgentThreadEvent => ({
  type: 'RunAdmitted',
  ...facts,
  ...more,
  runId,
  ended: [],
});

const deleted: AgentThreadEvent = { type: 'AgentThreadDeleted', at: 9 };

describe('the row of a thread', () => {
  const rowAfter = (...events: readonly AgentThreadEvent[]): AgentThreadRow | null =>
    events.reduce<AgentThreadRow | null>((row, event, i) => agentThreadRow(row, event, of(BigInt(i))), null);

  it('is gone with it, does not begin with a run, and is not changed by what it holds', () => {
    expect(rowAfter(started, deleted)).toBeNull();
    expect(() => rowAfter(admitted('r1'))).toThrow('RunAdmitted before AgentThreadStarted');
    const row = rowAfter(started, admitted('r1'))!;
    for (const event of [started, admitted('r1'), deleted])
      expect(agentThreadRow(row, event, of(1n))).toBe(row);
    expect(agentThreadRow(row, deleted, of(2n))).toBeNull();
  });
});

describe('the row of a run', () => {
  const waiting = agentRunRow(null, admitted('r1'), within(4n))!;
  const after = (row: AgentRunRow | null, ...events: readonly AgentRunEvent[]): AgentRunRow | null =>
    events.reduce<AgentRunRow | null>(
      (before, event) => agentRunRow(before, event, { ...within((before?.revision ?? -1n) + 1n), id: 'r1' }),
      row,
    );
  const queued: AgentRunEvent = { ...FACTS, type: 'RunQueued' };
  const begun: AgentRunEvent = {
    type: 'RunStarted',
    workerId: 'w',
    contextStartRunId: 'r0',
    contextTruncated: true,
    contextMessages: 2,
    contextDigest: 'd',
    at: 11,
  };
  const body = { bodyId: 'b', digest: 'd', bytes: 1 };
  const ran = after(waiting, queued, begun)!;

  it('is there as soon as its thread has admitted it, under what it was admitted', () => {
    expect(waiting).toStrictEqual({
      ...FACTS,
      id: 'r1',
      tenant: 'acme',
      startedAt: null,
      finishedAt: null,
      contextStartRunId: null,
      contextTruncated: false,
      messagesBodyId: null,
      errorCode: null,
      status: 'QUEUED',
      statusSince: 5,
      context,
      revision: -1n,
    });
    for (const event of [admitted('r1'), started, deleted]) {
      expect(agentRunRow(waiting, event, within(9n))).toBe(waiting);
    }
    expect(agentRunRow(null, started, within(0n))).toBeNull();
  });

  it('follows what its own stream tells', () => {
    expect(after(waiting, queued)).toStrictEqual({ ...waiting, revision: 0n });
    expect(ran).toStrictEqual({
      ...waiting,
      status: 'RUNNING',
      statusSince: 11,
      startedAt: 11,
      contextStartRunId: 'r0',
      contextTruncated: true,
      revision: 1n,
    });
    const silent: readonly AgentRunEvent[] = [
      { type: 'RunHandedOver', runtimeArn: 'a', runtimeSessionId: 's', request: body, at: 12 },
      { type: 'RunEmitted', emission: { kind: 'step', step: 1 }, body: null, at: 13 },
    ];
    for (const event of silent) expect(after(ran, event)).toStrictEqual({ ...ran, revision: 2n });
    const asked = after(ran, { type: 'RunCancelRequested', at: 14 })!;
    expect(asked).toStrictEqual({ ...ran, status: asked.status, statusSince: 14, revision: 2n });
    expect(asked.status).not.toBe('RUNNING');
    expect(after(ran, { type: 'RunSucceeded', result: body, messages: body, at: 15 })).toStrictEqual({
      ...ran,
      status: 'SUCCEEDED',
      statusSince: 15,
      finishedAt: 15,
      messagesBodyId: body.bodyId,
      revision: 2n,
    });
    for (const [type, status] of [
      ['RunFailed', 'FAILED'],
      ['RunCancelled', 'CANCELLED'],
    ] as const) {
      const ended = { type, code: 'why', message: null, at: 16 } as unknown as AgentRunEvent;
      const ending = { statusSince: 16, finishedAt: 16, errorCode: 'why', revision: 2n };
      expect(after(ran, ended)).toStrictEqual({ ...ran, status, ...ending });
    }
  });

  it('is none once it went with its thread, and not changed by what it holds', () => {
    expect(agentRunRow(null, begun, within(1n))).toBeNull();
    expect(agentRunRow(ran, queued, within(0n))).toBe(ran);
    expect(agentRunRow(ran, begun, within(1n))).toBe(ran);
  });
});

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
  it('does not change by events that it holds already', () => {
    const row = rowOf(HISTORY);
    const again = HISTORY.reduce<ConversationRow | null>(
      (from, event, i) => conversationRow(from, event, place(BigInt(i))),
      row,
    );
    expect(again).toBe(row);
  });

  it('names the question that it began with, whatever is asked later', () => {
    const more = { type: 'UserMessageAdded', messageId: 'q2', parentId: null, at: 30 } as const;
    expect(rowOf(HISTORY.slice(0, 1))).not.toHaveProperty('firstQuestionId');
    expect(rowOf([...HISTORY, more])).toMatchObject({ firstQuestionId: 'q1' });
  });
});

describe('the messages of a conversation', () => {
  it('stand with how each ended', () => {
    const {
      type: _type,
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
