import { isTransient } from '../../../../adapters/postgres/connection.ts';
import { sha256 } from '../../../../adapters/system/identity.ts';
import { textPatterns } from '../../../../adapters/system/patterns/text-patterns.ts';
import { createRetryingVault } from '../../../../application/agents/runs/retrying-vault.ts';
import type { RunEvent, RunToDo } from '../../../../application/agents/runs/run-executor.ts';
import { agentRunStream, agentThreadStream } from '../../../../application/event-sourcing/streams.ts';
import { KeyDestroyed, type Vault } from '../../../../application/ports/vault.ts';
import { compileRules } from '../../../../application/redaction/redactor.ts';
import { agentWorld, request } from '../../../support/agent/agent-world.ts';
import { RUN_FACTS } from '../../../support/agent/run-facts.ts';
import { askedRun } from '../../../support/agent/asked-run.ts';
import { type Act, scriptedExecutor } from '../../../support/agent/scripted-executor.ts';
import { callerOf } from '../../../support/conversations.ts';
import { idOf } from '../../../support/memory-parts.ts';
import { silent } from '../../../support/silent.ts';
import { describe, expect, it } from 'vitest';

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

const readRun = async (world: World, id: string) => (await world.read(ACME, id, null)).record;

/** Lets every timer go off that is set by now. */
const tick = async ({ timers }: World) => {
  await Promise.all(timers.map((run) => run().catch(() => undefined)));
};

describe('a run that a worker takes', () => {
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
    const failed = await readRun(world, first.runId);
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
      { kind: 'reasoning', step: 1, delta: 'Who is jo@exam' },
      { kind: 'reasoning', step: 1, delta: 'ple.org?' },
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
    expect(told).toContain('{"delta":"[mail]?"}');
    expect(told).toContain(String.raw`{\"to\":\"[mail]\"}`);
    const final = await readRun(world, record.runId);
    expect([final.title, JSON.stringify(final.resultBody)]).toEqual([
      '[mail]',
      expect.stringContaining('Ask [mail] now'),
    ]);
    const held = await world.vault.writtenBetween({ olderMs: 0, youngerMs: 9e9 }, '', 9);
    const texts = await world.vault.read('acme', agentThreadStream(record.threadId), held[0]!.ids);
    expect([...texts!.values()].join('\n')).not.toContain('jo@');
  });

  it('stops when it is cancelled, and then keeps nothing more', async () => {
    const world = opened([SAYS, { kind: 'waits', until: never }, SAYS]);
    const { runId } = await asked(world);
    const working = world.work(runId);
    await until(() => world.executor.executed.length === 1);
    await world.cancel(ACME, runId, null, 0, new AbortController().signal);
    await tick(world);
    expect(await working).toEqual({ ms: 5_000, transient: true });
    expect((await readRun(world, runId)).status).toBe('CANCELLED');
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
    expect((await readRun(world, runId)).status).toBe('RUNNING');
    await tick(world);
    await working;
    expect(await readRun(world, runId)).toMatchObject({
      status: 'FAILED',
      error: { code: 'worker_stopped' },
    });
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
    const ended = await readRun(world, runId);
    expect([ended.status, ended.error?.code]).toEqual([expected, code]);
    await expect(world.handler.abandoned?.(found)).rejects.toThrow('the run is');
  });

  it('is begun by the worker where the process that admitted it died', async () => {
    const facts = {
      ...RUN_FACTS,
      threadId: '0199d2a0-0000-7000-8000-0000000000a1',
      parentRunId: null,
      afterRunId: null,
      reach: null,
    };
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

const WELL = { messages: [], result: { done: true } };

describe('whoever executes a run', () => {
  it('is given all that was asked for, with the powers that the key had then', async () => {
    let given: RunToDo | undefined;
    const group = idOf(7);
    const { world, id, run } = await askedRun(
      async (toDo) => {
        given = toDo;
        return WELL;
      },
      {
        caller: callerOf('acme', [group]),
        more: { principalId: 'jo', authzPolicy: 'readers', mcpSessionId: 's', provider: 'PROVIDER_B' },
      },
    );
    await world.work(id);
    const { begun: _, yieldSlot: __, ...facts } = given!;
    expect(facts).toEqual({
      tenant: 'acme',
      threadId: run.threadId,
      runId: id,
      caller: {
        id: 'key-1',
        tenant: 'acme',
        grant: { scopes: run.scopes, sourceGroupIds: [group] },
        context: expect.objectContaining({ tenant: 'acme', actor: { kind: 'worker', id: 'worker-1' } }),
      },
      onBehalfOf: { principalId: 'jo', authzPolicy: 'readers' },
      workflowType: 'chat',
      provider: 'PROVIDER_B',
      executionMode: 'LOCAL',
      runtimeArn: null,
      mcpSessionId: 's',
      input: { messages: [{ role: 'user', content: 'Is it so?' }] },
      history: [],
    });
  });

  it('has what it tells kept with its length, and a digest that only the salt of the run leads to', async () => {
    const { world, id, run } = await askedRun(async (_run, emit) => {
      await emit({ kind: 'note', code: 'seen', message: 'é' });
      return WELL;
    });
    await world.work(id);
    const owner = agentThreadStream(run.threadId);
    const salts = await world.vault.read('acme', owner, [`${id}/salt`]);
    const emitted = (await world.store.readStream(agentRunStream(id))).find(
      ({ type }) => type === 'RunEmitted',
    );
    const body = emitted!.data['body'] as { readonly body_id: string };
    const text = '{"message":"é"}';
    expect((await world.vault.read('acme', owner, [body.body_id]))?.get(body.body_id)).toBe(text);
    const digest = sha256.sha256(`${salts?.get(`${id}/salt`)}\n${text}`);
    expect(body).toMatchObject({ digest, bytes: text.length + 1 });
  });
});

describe('a run whose words are lost', () => {
  it.each(['request', 'salt'])('fails where its %s is not there, and is not executed', async (what) => {
    let executed = false;
    const { world, id, run } = await askedRun(async () => {
      executed = true;
      return WELL;
    });
    await world.vault.forget('acme', agentThreadStream(run.threadId), [`${id}/${what}`]);
    await world.work(id);
    expect([executed, await world.typesOf(id)]).toEqual([false, ['RunQueued', 'RunFailed']]);
    const last = (await world.store.readStream(agentRunStream(id))).at(-1);
    expect(last?.data).toMatchObject({ code: 'internal_error', message: null });
  });
});

describe('a run that comes to nothing', () => {
  it('fails without a word where something broke here, which is logged', async () => {
    const error = new Error('secret address');
    const { world, id, read, logged } = await askedRun(async () => {
      throw error;
    });
    await world.work(id);
    const run = await read();
    expect(run.error).toMatchObject({ code: 'internal_error', message: null });
    expect(run.errorMessage).toBe('something went wrong here');
    expect(logged).toEqual([['error', 'a run failed unexpectedly', { runId: id, error: error.stack }]]);
    const other = await askedRun(async () => {
      throw Object.assign(new Error('no trace'), { stack: undefined });
    });
    await other.world.work(other.id);
    expect(other.logged).toEqual([
      ['error', 'a run failed unexpectedly', { runId: other.id, error: 'Error: no trace' }],
    ]);
  });

  it('fails where nobody is set up to execute it', async () => {
    const { world, id, read } = await askedRun(async () => WELL, { executorOfWorker: null });
    await world.work(id);
    expect(await read()).toMatchObject({
      error: { code: 'not_configured' },
      errorMessage: 'LOCAL is not set up here',
    });
  });
});

const AWAY = Object.assign(new Error('the server stops'), { code: '57P01' });

/** A run whose worker finds the vault away so many times, from its first text on. */
const ranWith = async (failures: number, error: Error = AWAY) => {
  let left = failures;
  const slept: number[] = [];
  const retrying = (vault: Vault): Vault =>
    createRetryingVault({
      vault: {
        ...vault,
        put: async (...args) => {
          if (left-- > 0) throw error;
          return vault.put(...args);
        },
      },
      isTransient,
      sleep: async (ms) => void slept.push(ms),
      log: silent,
      signal: new AbortController().signal,
    });
  const executor = scriptedExecutor(() => [
    { kind: 'step', step: 1 },
    { kind: 'text', step: 1, delta: 'It is so.' },
  ]);
  const world = agentWorld(executor, { vaultOfWorker: retrying });
  const { record } = await world.create(ACME, request('Is it so?'));
  await world.work(record.runId);
  const { record: run } = await world.read(ACME, record.runId, null);
  return { run, slept, types: await world.typesOf(record.runId) };
};

describe('a run whose vault is away', () => {
  it('fails as unavailable where that takes too long', async () => {
    const { run } = await ranWith(Infinity);
    expect([run.status, run.error?.code]).toEqual(['FAILED', 'unavailable']);
    expect(run.errorMessage).toContain('send it again as a sibling');
  });

  it('does not wait where waiting does not help', async () => {
    const { slept } = await ranWith(1, new KeyDestroyed('it has no data key'));
    expect(slept).toEqual([]);
  });
});
