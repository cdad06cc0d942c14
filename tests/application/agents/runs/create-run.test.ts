import { failureMessage } from '../../../../application/agents/runs/failure-message.ts';
import { type RunRequest, mustBeRunnable } from '../../../../application/agents/runs/run-request.ts';
import { agentThreadStream } from '../../../../application/event-sourcing/streams.ts';
import type { AgentMessage } from '../../../../domain/agent-run/message.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { agentWorld, request } from '../../../support/agent/agent-world.ts';
import { scriptedExecutor } from '../../../support/agent/scripted-executor.ts';
import { callerOf, refused } from '../../../support/conversations.ts';
import { describe, expect, it } from 'vitest';

/** What becomes of the lease on a run that was executed. */
const WORKED_ON = { ms: 5_000, transient: true };

const ACME = callerOf('acme');

const instant = () => agentWorld(scriptedExecutor(() => [{ kind: 'text', step: 1, delta: 'It is so.' }]));

type World = ReturnType<typeof instant>;

const create = async (
  { create: make }: World,
  content: string,
  more: Partial<RunRequest> = {},
  key?: string,
) => make(ACME, request(content, more), key);

const done = async (world: World, content: string, more: Partial<RunRequest> = {}) => {
  const { record } = await create(world, content, more);
  await world.work(record.runId);
  return (await world.read(ACME, record.runId, more.principalId ?? null)).record;
};

describe('a run that is asked for', () => {
  it('begins a thread, goes on in it, and keeps no word in an event', async () => {
    const world = instant();
    const first = await done(world, 'Which falcons?', { title: 'Falcons', mcpSessionId: 'session-1' });
    const second = await done(world, 'How fast?', { threadId: first.threadId });
    expect([first.status, second.status]).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    expect(second).toMatchObject({ parentRunId: first.runId, contextStartRunId: first.runId });
    expect(first).toMatchObject({ title: 'Falcons', mcpSessionId: 'session-1', idempotencyKey: null });
    const stored = await world.stored(first.threadId, first.runId, second.runId);
    expect(stored).not.toMatch(/falcon|fast|It is so|session-1/i);
  });

  it('is refused with a parent of another thread, or that is nowhere', async () => {
    const world = instant();
    const [one, other] = [await done(world, 'one'), await done(world, 'other')];
    const at = (parentRunId: string) =>
      refused(create(world, 'more', { threadId: one.threadId, parentRunId }));
    expect(await at(other.runId)).toBe('not_found');
    expect(await at('0199d2a0-0000-7000-8000-00000000dead')).toBe('not_found');
    expect(await at(one.runId)).toBeNull();
  });

  it('is found by its own principal, tenant and source groups alone', async () => {
    const world = instant();
    const { record } = await world.create(callerOf('acme', ['a']), request('mine', { principalId: 'jo' }));
    const reads = (caller: typeof ACME, principalId: string | null) =>
      refused(world.read(caller, record.runId, principalId));
    expect(await reads(ACME, 'jo')).toBeNull();
    expect(await reads(callerOf('acme', ['a', 'b']), 'jo')).toBeNull();
    expect(await reads(ACME, null)).toBe('not_found');
    expect(await reads(ACME, 'al')).toBe('not_found');
    expect(await reads(callerOf('other'), 'jo')).toBe('not_found');
    expect(await reads(callerOf('acme', ['b']), 'jo')).toBe('not_found');
    const { threadId } = record;
    expect(await refused(create(world, 'more', { threadId }))).toBe('not_found');
    const elsewhere = callerOf('acme', ['b']);
    expect(await refused(world.create(elsewhere, request('more', { threadId, principalId: 'jo' })))).toBe(
      'not_found',
    );
    for (const refusing of [
      world.cancel(ACME, record.runId, null, 0, new AbortController().signal),
      world.events.page(ACME, record.runId, null, { limit: 5 }),
      world.events.follow(ACME, record.runId, 'al', new AbortController().signal),
      world.events.path(ACME, threadId, null, record.runId, { limit: 5 }),
      world.remove(ACME, threadId, null),
    ])
      expect(await refused(refusing)).toBe('not_found');
  });

  it.each([
    [{ parentRunId: null }, 'parent_run_id requires'],
    [{ runtimeArn: 'arn:x' }, 'runtime_arn requires'],
    [{ executionMode: 'MANAGED_RUNTIME' }, 'needs a runtime_arn'],
    [{ executionMode: 'MANAGED_RUNTIME', runtimeArn: 'arn:x' }, 'is not set up here'],
    [{ input: { messages: [{ role: 'assistant', content: 'so' }] } }, 'must be from the user'],
    [{ input: { messages: [{ role: 'user', content: ' ' }] } }, 'must not be blank'],
    [
      {
        input: {
          messages: [
            { role: 'tool', toolCallId: 'c', content: '' },
            { role: 'user', content: 'a' },
          ],
        },
      },
      'answers no earlier tool call',
    ],
  ] as readonly (readonly [Partial<RunRequest>, string])[])(
    'is refused at once as %j',
    async (more, message) => {
      await expect(create(instant(), 'a', more)).rejects.toThrow(message);
    },
  );

  it('waits behind the one before it, or is refused, and goes on once that is over', async () => {
    const world = instant();
    const first = (await create(world, 'first')).record;
    const { threadId } = first;
    expect(await refused(create(world, 'second', { threadId }))).toBe('thread_busy');
    const second = (await create(world, 'second', { threadId, concurrency: 'enqueue' })).record;
    expect(second.afterRunId).toBe(first.runId);
    expect(await world.work(second.runId)).toBe('done');
    expect((await world.read(ACME, second.runId, null)).record.status).toBe('QUEUED');
    await world.work(first.runId);
    expect(await world.work(second.runId)).toEqual(WORKED_ON);
    expect((await world.read(ACME, second.runId, null)).record.status).toBe('SUCCEEDED');
    expect(await refused(create(world, 'third', { threadId }))).toBeNull();
  });
});

describe('an Idempotency-Key', () => {
  it('leads to one run when the same comes many times at once', async () => {
    const world = instant();
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(world, 'once', {}, 'k')));
    expect(new Set(answers.map(({ record }) => record.runId)).size).toBe(1);
    expect(new Set(answers.map(({ record }) => record.threadId)).size).toBe(1);
    expect(await world.typesOf(answers[0]!.record.runId)).toEqual(['RunQueued']);
  });

  it('is free again after a refusal', async () => {
    const world = instant();
    const first = (await create(world, 'first')).record;
    const { threadId } = first;
    expect(await refused(create(world, 'second', { threadId }, 'k'))).toBe('thread_busy');
    await world.work(first.runId);
    const other = await create(world, 'another', { threadId }, 'k');
    expect([other.replayed, other.record.parentRunId]).toEqual([false, first.runId]);
  });

  it('leads to its run also where such a request would be refused by now', async () => {
    let refuses = false;
    const check = (): void => {
      if (refuses) throw new DomainError('invalid_request', 'not any more');
    };
    const world = agentWorld({ ...scriptedExecutor(() => []), check });
    const first = await create(world, 'once', {}, 'k');
    refuses = true;
    expect((await create(world, 'once', {}, 'k')).record.runId).toBe(first.record.runId);
    expect(await refused(create(world, 'once', {}, 'other'))).toBe('invalid_request');
    refuses = false;
    expect((await create(world, 'another', {}, 'other')).replayed).toBe(false);
  });
});

describe('a thread that is deleted', () => {
  it('leaves no key, no text and no run that anybody finds', async () => {
    const world = instant();
    const run = await done(world, 'Which falcons?');
    const waiting = (await create(world, 'and now?', { threadId: run.threadId })).record;
    await world.remove(ACME, run.threadId, null);
    expect(
      await world.vault.read('acme', agentThreadStream(run.threadId), [`${run.runId}/request`]),
    ).toBeNull();
    for (const id of [run.runId, waiting.runId])
      expect(await refused(world.read(ACME, id, null))).toBe('not_found');
    expect(await world.typesOf(waiting.runId)).toEqual(['RunQueued', 'RunCancelled']);
    expect(await refused(world.remove(ACME, run.threadId, null))).toBe('not_found');
  });
});

const ASKS: AgentMessage = { role: 'user', content: 'Is it so?' };

const calls = (...ids: readonly string[]): AgentMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map((id) => ({ id, name: 'search', arguments: '{}' })),
});

const answers = (toolCallId: string): AgentMessage => ({ role: 'tool', toolCallId, content: 'Found.' });

const local = scriptedExecutor(() => []);

const managed = scriptedExecutor(() => []);

const BOTH = { LOCAL: local, MANAGED_RUNTIME: managed };

const asking = (more: Partial<RunRequest>, ...before: readonly AgentMessage[]): RunRequest =>
  request('', { input: { messages: [...before, ASKS] }, ...more });

const refusal = (of: RunRequest): unknown => {
  try {
    return mustBeRunnable(BOTH, of);
  } catch (error) {
    return error;
  }
};

const invalid = (message: string) => ({ code: 'invalid_request', message });

describe('a request for a run', () => {
  it('is refused where nobody executes such runs, or whoever does refuses it', async () => {
    const nobody = async () => mustBeRunnable({ ...BOTH, LOCAL: null }, asking({}));
    await expect(nobody()).rejects.toMatchObject({
      code: 'not_configured',
      message: 'execution_mode LOCAL is not set up here',
    });
    const picky = {
      ...local,
      check: () => {
        throw new DomainError('schema_invalid', 'no such schema');
      },
    };
    expect(() => mustBeRunnable({ ...BOTH, LOCAL: picky }, asking({}))).toThrow('no such schema');
  });
});

describe('a history that is sent with a request', () => {
  const LEGACY = { inputHistoryMode: 'legacy_full' } as const;

  it('has an answer for each call of a tool, in any order', () => {
    expect(refusal(asking(LEGACY, ASKS, calls('a', 'b'), answers('b'), answers('a')))).toBe(local);
    expect(refusal(asking(LEGACY, calls('a'), answers('a'), calls('a'), answers('a')))).toBe(local);
    expect(refusal(asking(LEGACY, { role: 'assistant', content: 'Yes.' }))).toBe(local);
  });

  it('has no call without its answer', () => {
    const message = 'a tool call in input.messages has no answer';
    expect(refusal(asking(LEGACY, calls('a')))).toMatchObject(invalid(message));
    expect(refusal(asking(LEGACY, calls('a', 'b'), answers('b')))).toMatchObject(invalid(message));
  });

  it('has no answer without its call', () => {
    const message = 'a message with the role tool answers no earlier tool call: a';
    expect(refusal(asking(LEGACY, answers('a')))).toMatchObject(invalid(message));
    expect(refusal(asking(LEGACY, calls('a'), answers('a'), answers('a')))).toMatchObject(invalid(message));
  });

  it('has no calls at all where only what is new is sent', () => {
    expect(refusal(asking({}, calls('a'), answers('a')))).toMatchObject(
      invalid('delta_v1 sends only new messages: tool calls are already known'),
    );
    expect(refusal(asking({}, { role: 'assistant', content: 'Yes.' }))).toBe(local);
  });
});

describe('why a run came to nothing', () => {
  it('names the tools that may have acted, and none that only read', () => {
    const call = (tool: string, readOnly: boolean) => ({ callId: tool, tool, readOnly });
    const openToolCalls = [call('mail.send', false), call('search', true), call('file.write', false)];
    expect(failureMessage({ code: 'x', openToolCalls }, 'It broke')).toBe(
      'It broke. These tools were called and did not answer, so that they may have acted: mail.send, file.write',
    );
    expect(failureMessage({ code: 'x', openToolCalls: [call('search', true)] }, 'It broke')).toBe('It broke');
  });
});
