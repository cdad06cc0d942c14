import { describe, expect, it } from 'vitest';
import { contextOf } from '../../../../application/agents/runs/context.ts';
import type { RunEvent } from '../../../../application/agents/runs/run-executor.ts';
import { textOfRequest, parseRequest } from '../../../../application/agents/runs/messages.ts';
import { agentRunStream, agentThreadStream } from '../../../../application/event-sourcing/streams.ts';
import type { AssistantMessage } from '../../../../domain/agent-run/message.ts';
import { agentRun } from '../../../../domain/agent-run/index.ts';
import { agentWorld, request } from '../../../support/agent/agent-world.ts';
import { type Act, scriptedExecutor } from '../../../support/agent/scripted-executor.ts';
import { callerOf } from '../../../support/conversations.ts';

const ACME = callerOf('acme');
const says = (message: Partial<AssistantMessage> & { readonly content: string }): RunEvent => ({
  kind: 'model_answered',
  step: 1,
  model: 'm',
  usage: null,
  finishReason: 'stop',
  message: { role: 'assistant', ...message },
});
const CALL = { id: 'c1', name: 'search', arguments: '{"q":"falcons"}' };
const CALLS = says({ content: '', toolCalls: [CALL] });
const FOUND: RunEvent = {
  kind: 'tool_answered',
  step: 1,
  callId: 'c1',
  isError: false,
  truncated: false,
  result: 'Found.',
};
const FAILS: Act = { kind: 'fails', code: 'provider_error', message: 'the provider refused' };

/** A first run that does this, and what the one behind it is told of it. */
const historyAfter = async (script: readonly Act[], more: object = {}, contextTokens = 10_000) => {
  const executor = scriptedExecutor((run) => (executor.executed.length === 1 && run ? script : []));
  const world = agentWorld(executor, { contextTokens });
  const first = (await world.create(ACME, request('first', more))).record;
  await world.work(first.runId);
  const second = (await world.create(ACME, request('second', { threadId: first.threadId }))).record;
  await world.work(second.runId);
  const [, started] = await world.store.readStream(agentRunStream(second.runId));
  return { world, first, second, told: executor.executed.at(-1)!.history, started: started!.data };
};
const ASKED = { role: 'user', content: 'first' };

describe('what a run is told of the one before it', () => {
  it('is what its model and its tools had said, where it failed', async () => {
    const { told } = await historyAfter([CALLS, FOUND, says({ content: 'Yes.' }), FAILS]);
    expect(told).toEqual([
      ASKED,
      { role: 'assistant', content: '', toolCalls: [CALL] },
      { role: 'tool', toolCallId: 'c1', content: 'Found.' },
      { role: 'assistant', content: 'Yes.' },
    ]);
  });

  it('is no call of a tool without its answer, and nothing but messages', async () => {
    const note: RunEvent = { kind: 'note', code: 'seen', message: 'a note' };
    const asked: RunEvent = { kind: 'model_called', step: 1, model: 'm', messageCount: 1, request: {} };
    const { told } = await historyAfter([note, asked, CALLS, FAILS]);
    expect(told).toEqual([ASKED]);
  });

  it('leaves out what the vault does not hold any more', async () => {
    const executor = scriptedExecutor(() => [says({ content: 'Yes.' }), says({ content: 'No.' }), FAILS]);
    const world = agentWorld(executor);
    const first = (await world.create(ACME, request('first'))).record;
    await world.work(first.runId);
    const owner = agentThreadStream(first.threadId);
    const [held] = await world.vault.writtenBetween({ olderMs: 0, youngerMs: 9e9 }, '', 9);
    const lost = held!.ids.find((id) => id.endsWith('/e1'))!;
    await world.vault.forget('acme', owner, [`${first.runId}/request`, lost]);
    const second = (await world.create(ACME, request('second', { threadId: first.threadId }))).record;
    await world.work(second.runId);
    expect(executor.executed.at(-1)!.history).toEqual([{ role: 'assistant', content: 'Yes.' }]);
  });

  it('reads no more runs than fit', async () => {
    const { world, second } = await historyAfter([says({ content: 'Yes. '.repeat(50) }), FAILS]);
    const loaded: string[] = [];
    const load: typeof world.execute.load = (...of) => {
      loaded.push(of[1]);
      return world.execute.load(...of);
    };
    const deps = { execute: { ...world.execute, load }, vault: world.vault, contextTokens: 1 };
    const below = { ...second, parentRunId: second.runId };
    expect((await contextOf(deps, 'acme', below)).truncated).toBe(true);
    expect(loaded).toEqual([agentRunStream(second.runId)]);
  });

  it('of a runtime is what it answered, and not what its tools did', async () => {
    const { world, first } = await historyAfter([]);
    const threadId = '0199d2a0-0000-7000-8000-0000000000a1';
    const runId = '0199d2a0-0000-7000-8000-0000000000a2';
    const { state } = await world.execute(
      agentRun,
      agentRunStream(first.runId),
      { type: 'cancel', at: 1 },
      ACME.context,
    );
    if (state.status === 'none') throw new Error('there is no such run');
    const owner = agentThreadStream(threadId);
    const digest = 'd';
    const body = (name: string) => ({ bodyId: `${runId}/${name}`, digest, bytes: 1 });
    await world.vault.create('acme', owner, [
      { id: `${runId}/request`, text: textOfRequest({ ...state, ...QUESTION }) },
      { id: `${runId}/e0`, text: JSON.stringify({ message: { role: 'assistant', content: 'Yes.' } }) },
      {
        id: `${runId}/e1`,
        text: JSON.stringify({ message: { role: 'tool', tool_call_id: 'c', content: 'F' } }),
      },
    ]);
    const send = (command: object) =>
      world.execute(agentRun, agentRunStream(runId), { ...command, at: 1 } as never, ACME.context);
    const { afterRunId, workflowType, provider, inputHistoryMode, keyId, scopes } = state;
    const facts = { afterRunId, workflowType, provider, inputHistoryMode, keyId, scopes };
    const of = { principalId: null, parentRunId: null, sourceGroupIds: null, reach: null, authzPolicy: null };
    const where = { executionMode: 'MANAGED_RUNTIME', runtimeArn: 'arn:x', titled: false };
    await send({ type: 'queue', threadId, ...facts, ...of, ...where });
    const context = {
      contextStartRunId: null,
      contextTruncated: false,
      contextMessages: 0,
      contextDigest: '',
    };
    await send({ type: 'claim', workerId: 'w', ...context });
    const answered = { kind: 'model_answered', step: 1, model: 'm', usage: null, finishReason: 'stop' };
    await send({ type: 'emit', emission: answered, body: body('e0') });
    const tool = { kind: 'tool_answered', step: 1, callId: 'c', isError: false, truncated: false };
    await send({ type: 'emit', emission: tool, body: body('e1') });
    await send({ type: 'fail', code: 'x', message: null });
    const below = { ...state, threadId, parentRunId: runId };
    const deps = { execute: world.execute, vault: world.vault, contextTokens: 1_000 };
    expect((await contextOf(deps, 'acme', below)).messages).toEqual([
      { role: 'user', content: 'so?' },
      { role: 'assistant', content: 'Yes.' },
    ]);
    expect((await contextOf(deps, 'acme', { ...below, parentRunId: threadId })).messages).toEqual([]);
  });
});

const QUESTION = {
  input: { messages: [{ role: 'user', content: 'so?' }], extra: { someField: 1 } },
  mcpSessionId: 'session',
  idempotencyKey: 'key',
} as const;

it('a request is kept as it was sent: names of messages in snake_case, other fields as they were spelt', () => {
  const messages = [
    { role: 'tool', toolCallId: 'c', content: 'Found.' },
    ...QUESTION.input.messages,
  ] as const;
  const kept = { ...QUESTION, input: { ...QUESTION.input, messages } };
  const text = textOfRequest(kept);
  expect(JSON.parse(text)).toEqual({
    input: {
      messages: [
        { role: 'tool', tool_call_id: 'c', content: 'Found.' },
        { role: 'user', content: 'so?' },
      ],
      extra: { someField: 1 },
    },
    mcp_session_id: 'session',
    idempotency_key: 'key',
  });
  expect(parseRequest(text)).toEqual(kept);
});
