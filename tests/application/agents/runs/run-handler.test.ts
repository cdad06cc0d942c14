import { describe, expect, it } from 'vitest';
import { textPatterns } from '../../../../adapters/system/patterns/text-patterns.ts';
import type { RunEvent } from '../../../../application/agents/runs/run-executor.ts';
import { compileRules } from '../../../../application/redaction/redactor.ts';
import { agentThreadStream } from '../../../../application/event-sourcing/streams.ts';
import { agentWorld, request } from '../../../support/agent/agent-world.ts';
import { type Act, scriptedExecutor } from '../../../support/agent/scripted-executor.ts';
import { callerOf } from '../../../support/conversations.ts';

const ACME = callerOf('acme');
const SAYS: RunEvent = { kind: 'text', step: 1, delta: 'It is so.' };
const CALLS: RunEvent = {
  kind: 'tool_called',
  step: 1,
  callId: 'c1',
  tool: 'mail.send',
  readOnly: false,
  arguments: '{"to":"jo@example.org"}',
};
const never = new Promise<void>(() => {});
const opened = (script: readonly Act[], options: Parameters<typeof agentWorld>[1] = {}) => {
  const executor = scriptedExecutor(() => script);
  return { executor, ...agentWorld(executor, options) };
};
type World = ReturnType<typeof opened>;
const asked = async (world: World, content = 'Is it so?') =>
  (await world.create(ACME, request(content))).record;
const read = async (world: World, id: string) => (await world.read(ACME, id, null)).record;
/** Lets every timer go off that is set by now. */
const tick = async ({ timers }: World) => {
  await Promise.all(timers.map((run) => run().catch(() => undefined)));
};

describe('a run that a worker takes', () => {
  it('is executed once, however often it is leased', async () => {
    const world = opened([SAYS]);
    const { runId } = await asked(world);
    const workedOn = { ms: 5_000, transient: true };
    expect([await world.work(runId), await world.work(runId)]).toEqual([workedOn, workedOn]);
    expect(world.executor.executed).toHaveLength(1);
    expect(await world.typesOf(runId)).toEqual(['RunQueued', 'RunStarted', 'RunEmitted', 'RunSucceeded']);
    expect(world.executor.executed[0]).toMatchObject({ tenant: 'acme', runId, history: [] });
  });

  it('is told what was said above it, and not what was said beside it', async () => {
    const world = opened([SAYS]);
    const first = await asked(world, 'first');
    await world.work(first.runId);
    const { threadId } = first;
    const beside = (await world.create(ACME, request('beside', { threadId }))).record;
    await world.work(beside.runId);
    const above = { threadId, parentRunId: first.runId };
    const last = (await world.create(ACME, request('last', above))).record;
    await world.work(last.runId);
    expect(world.executor.executed.at(-1)?.history).toEqual([
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'It is so.' },
    ]);
  });

  it('is told no more than fits, and says so', async () => {
    const world = opened([SAYS], { contextTokens: 16 });
    let threadId: string | undefined;
    const runs = [];
    for (const content of ['one', 'two', 'six']) {
      const more = threadId === undefined ? {} : { threadId };
      const { record } = await world.create(ACME, request(content, more));
      await world.work(record.runId);
      threadId = record.threadId;
      runs.push(await read(world, record.runId));
    }
    const facts = runs.map(({ contextStartRunId, contextTruncated }) => [
      contextStartRunId,
      contextTruncated,
    ]);
    expect(facts).toEqual([
      [null, false],
      [runs[0]?.runId, false],
      [runs[1]?.runId, true],
    ]);
  });

  it('fails as its executor says, and gives those behind it what was whole', async () => {
    const answered: RunEvent = {
      kind: 'model_answered',
      step: 1,
      model: 'm',
      usage: null,
      finishReason: 'stop',
      message: { role: 'assistant', content: 'let me see' },
    };
    const calling: RunEvent = {
      ...answered,
      message: { ...answered.message, toolCalls: [{ id: 'c1', name: 'mail.send', arguments: '{}' }] },
    };
    const failure: Act = { kind: 'fails', code: 'provider_error', message: 'the provider refused' };
    const world = opened([answered, calling, CALLS, failure]);
    const first = await asked(world, 'first');
    await world.work(first.runId);
    const failed = await read(world, first.runId);
    const openToolCalls = [{ callId: 'c1', tool: 'mail.send', readOnly: false }];
    expect(failed).toMatchObject({ status: 'FAILED', error: { code: 'provider_error', openToolCalls } });
    expect(failed.errorMessage).toMatch(/^the provider refused\..*may have acted: mail\.send$/);
    const { record } = await world.create(ACME, request('again', { threadId: first.threadId }));
    await world.work(record.runId);
    expect(world.executor.executed.at(-1)?.history).toEqual([
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'let me see' },
    ]);
  });

  it('keeps and shows nothing that policies forbid agents to tell', async () => {
    const rules = compileRules([{ name: 'mail', kind: 'email' }], textPatterns);
    const split: readonly RunEvent[] = [
      { kind: 'text', step: 1, delta: 'Ask jo@exam' },
      { kind: 'text', step: 1, delta: 'ple.org now' },
      CALLS,
      {
        kind: 'tool_answered',
        step: 1,
        callId: 'c1',
        isError: false,
        truncated: false,
        result: 'to jo@example.org',
      },
    ];
    const world = opened(split, { rules });
    const { record } = await world.create(ACME, request('I am jo@example.org', { title: 'jo@example.org' }));
    await world.work(record.runId);
    expect(world.executor.executed[0]?.input.messages[0]?.content).toBe('I am [mail]');
    const { rows } = await world.events.page(ACME, record.runId, null, { limit: 50 });
    const told = JSON.stringify(rows.map(({ body }) => body));
    expect(told).not.toContain('jo@');
    expect(told).toContain('Ask [mail] now');
    expect(told).toContain(String.raw`{\"to\":\"[mail]\"}`);
    const final = await read(world, record.runId);
    expect([final.title, JSON.stringify(final.resultBody)]).toEqual([
      '[mail]',
      expect.stringContaining('Ask [mail] now'),
    ]);
    const held = await world.vault.writtenBetween({ olderMs: 0, youngerMs: 9e9 }, '', 9);
    const texts = await world.vault.read('acme', agentThreadStream(record.threadId), held[0]!.ids);
    expect([...texts!.values()].join('\n')).not.toContain('jo@');
  });

  it('is told with the first words of each answer at once, and with those behind them together', async () => {
    const piece = (step: number, delta: string): RunEvent => ({ kind: 'text', step, delta });
    const pieces = [piece(1, 'It '), piece(1, 'is '), piece(1, 'so.'), piece(2, 'Or '), piece(2, 'not.')];
    const world = opened([...pieces, { kind: 'waits', until: never }]);
    const { runId } = await asked(world);
    const working = world.work(runId);
    const deltas = async () => {
      const { rows } = await world.events.page(ACME, runId, null, { limit: 50 });
      return rows.flatMap(({ event, body }) => (event.type === 'RunEmitted' ? [body?.['delta']] : []));
    };
    await until(async () => (await deltas()).length === 3);
    expect(await deltas()).toEqual(['It ', 'is so.', 'Or ']);
    await world.cancel(ACME, runId, null, 0, new AbortController().signal);
    await tick(world);
    await working;
  });

  it('stops when it is cancelled, and then keeps nothing more', async () => {
    const world = opened([SAYS, { kind: 'waits', until: never }, SAYS]);
    const { runId } = await asked(world);
    const working = world.work(runId);
    await until(() => world.executor.executed.length === 1);
    await world.cancel(ACME, runId, null, 0, new AbortController().signal);
    await tick(world);
    expect(await working).toEqual({ ms: 5_000, transient: true });
    expect((await read(world, runId)).status).toBe('CANCELLED');
    expect((await world.typesOf(runId)).slice(-2)).toEqual(['RunCancelRequested', 'RunCancelled']);
    expect(world.timers).toEqual([]);
  });

  it('goes on for a while when its process is told to stop, and then fails by that name', async () => {
    const world = opened([{ kind: 'waits', until: never }]);
    const { runId } = await asked(world);
    const shutdown = new AbortController();
    const working = world.work(runId, shutdown.signal);
    await until(() => world.executor.executed.length === 1);
    shutdown.abort();
    expect((await read(world, runId)).status).toBe('RUNNING');
    await tick(world);
    await working;
    expect(await read(world, runId)).toMatchObject({ status: 'FAILED', error: { code: 'worker_stopped' } });
  });

  it('writes nothing once its lease has run out', async () => {
    let out = false;
    const world = opened([
      { kind: 'step', step: 1 },
      { kind: 'step', step: 2 },
    ]);
    const { runId } = await asked(world);
    const executor = world.executor.execute;
    Object.assign(world.executor, {
      execute: async (...[run, emit, signal]: Parameters<typeof executor>) => {
        await emit({ kind: 'step', step: 1 });
        out = true;
        return executor(run, emit, signal);
      },
    });
    await world.work(runId, undefined, () => out);
    expect(await world.typesOf(runId)).toEqual(['RunQueued', 'RunStarted', 'RunEmitted']);
  });
});

describe('a run that nobody works on', () => {
  const claims = [
    ['RUNNING', 'lost', false, 'FAILED', 'worker_lost'],
    ['RUNNING', 'stopped', false, 'FAILED', 'worker_stopped'],
    ['RUNNING', 'alive', true, 'FAILED', 'timed_out'],
    ['CANCELLING', 'lost', false, 'CANCELLED', undefined],
    ['CANCELLING', 'alive', true, 'CANCELLED', undefined],
    ['QUEUED', 'lost', true, 'FAILED', 'queue_timeout'],
  ] as const;
  it.each(claims)('%s, worker %s, overdue %s: %s %s', async (status, worker, overdue, expected, code) => {
    const world = opened([CALLS, { kind: 'waits', until: never }]);
    const { runId } = await asked(world);
    if (status !== 'QUEUED') {
      void world.work(runId);
      await until(async () => (await world.typesOf(runId)).length === 3);
    }
    if (status === 'CANCELLING') await world.cancel(ACME, runId, null, 0, new AbortController().signal);
    const found = { kind: 'agent_run', id: runId, tenant: 'acme', worker, overdue, claim: { status } };
    await world.handler.abandoned?.(found);
    const ended = await read(world, runId);
    expect([ended.status, ended.error?.code]).toEqual([expected, code]);
    await expect(world.handler.abandoned?.(found)).rejects.toThrow('the run is');
  });

  it('is begun by the worker where the process that admitted it died', async () => {
    const facts = {
      threadId: '0199d2a0-0000-7000-8000-0000000000a1',
      principalId: null,
      parentRunId: null,
      afterRunId: null,
      workflowType: 'chat',
      provider: null,
      executionMode: 'LOCAL',
      runtimeArn: null,
      inputHistoryMode: 'delta_v1',
      keyId: 'k',
      scopes: [],
      sourceGroupIds: null,
      reach: null,
      authzPolicy: null,
      titled: false,
      at: 1,
    } as const;
    const rows = { admitted: async () => ({ facts, context: ACME.context }), forgetLeases: async () => {} };
    const world = opened([SAYS], { rows });
    const runId = '0199d2a0-0000-7000-8000-0000000000a2';
    const owner = agentThreadStream(facts.threadId);
    await world.vault.create('acme', owner);
    const text = JSON.stringify({ input: { messages: [{ role: 'user', content: 'a' }] } });
    await world.vault.put('acme', owner, [
      { id: `${runId}/request`, text },
      { id: `${runId}/salt`, text: 's' },
    ]);
    await world.work(runId);
    expect((await world.typesOf(runId)).at(-1)).toBe('RunSucceeded');
  });
});

/** Lets others work until it is so. */
const until = async (is: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await is())) await new Promise((resolve) => setImmediate(resolve));
};
