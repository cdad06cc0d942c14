import { type RunEvent, RunFailure } from '../../../../application/agents/runs/run-executor.ts';
import { agentRunStream, agentThreadStream } from '../../../../application/event-sourcing/streams.ts';
import { agentWorld, request } from '../../../support/agent/agent-world.ts';
import { ACME, askedRun } from '../../../support/agent/asked-run.ts';
import { type Act, scriptedExecutor } from '../../../support/agent/scripted-executor.ts';
import { idOf } from '../../../support/memory-parts.ts';
import { describe, expect, it } from 'vitest';

const never = new Promise<void>(() => {});

const stays = new AbortController().signal;

describe('a run that is canceled', () => {
  const asked = async (script: readonly Act[] = []) => {
    const waits: number[] = [];
    const over = new AbortController();
    const executor = scriptedExecutor(() => script);
    const world = agentWorld(executor, {
      after: (ms) => {
        waits.push(ms);
        return over.signal;
      },
    });
    const { record } = await world.create(ACME, request('Is it so?'));
    const cancel = (waitMs = 0, gone = stays) => world.cancel(ACME, record.runId, null, waitMs, gone);
    return { world, executor, id: record.runId, waits, over, cancel };
  };

  /** A run that goes on until it hears that it is to stop. */
  const running = async () => {
    const all = await asked([{ kind: 'waits', until: never }]);
    const working = all.world.work(all.id);
    while (all.executor.executed.length === 0) await new Promise((resolve) => setImmediate(resolve));
    return { ...all, working };
  };

  it('is to stop where it is under way: who asks twice changes nothing the second time', async () => {
    const { cancel, world, working } = await running();
    expect(await cancel()).toMatchObject({ record: { status: 'CANCELLING' }, changed: true, wasOver: false });
    expect(await cancel()).toMatchObject({
      record: { status: 'CANCELLING' },
      changed: false,
      wasOver: false,
    });
    await Promise.all(world.timers.map((run) => run()));
    await working;
  });

  it('is waited for as long as it was asked, and answered as it is then', async () => {
    const { world, id, cancel, waits, working } = await running();
    const canceling = cancel(5_000);
    while (waits.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(waits).toEqual([5_000]);
    await Promise.all(world.timers.map((run) => run()));
    const { record, changed } = await canceling;
    expect([record.status, changed]).toEqual(['CANCELLED', true]);
    await working;
    const last = (await world.store.readStream(agentRunStream(id))).at(-1);
    expect(last?.data).toMatchObject({ by: 'worker', code: null });
  });

  it.each(['time', 'caller'])('is waited for no longer once its %s is gone', async (what) => {
    const { world, cancel, over, working } = await running();
    const gone = new AbortController();
    const canceling = cancel(5_000, gone.signal);
    (what === 'time' ? over : gone).abort();
    expect((await canceling).record.status).toBe('CANCELLING');
    await Promise.all(world.timers.map((run) => run()));
    await working;
  });
});

const STEP: RunEvent = { kind: 'step', step: 1 };

const WELL = { messages: [], result: { done: true } };

const lease = { type: 'lease_lost', code: 'worker_lost', at: 1 } as const;

describe('a run that somebody else has ended meanwhile', () => {
  it('is as they say: what comes late is dropped, and told of', async () => {
    let lost: unknown;
    const { world, id, send, read, logged } = await askedRun(async (_run, emit) => {
      await emit(STEP);
      await send(lease);
      lost = await emit(STEP).catch((error: Error) => error.name);
      throw new RunFailure('provider_error', 'the provider refused');
    });
    await world.work(id);
    expect(world.timers).toEqual([]);
    expect([(await read()).error?.code, lost]).toEqual(['worker_lost', 'WorkLost']);
    expect(logged.at(-1)).toEqual([
      'info',
      'the end of a run was not recorded',
      { runId: id, command: 'fail', reason: 'fail: the run is FAILED' },
    ]);
  });

  it('is told to stop, and records nothing', async () => {
    const { world, id, send, logged } = await askedRun(async (_run, emit, signal) => {
      await emit(STEP);
      await send(lease);
      await Promise.all(world.timers.map((run) => run().catch(() => undefined)));
      signal.throwIfAborted();
      return WELL;
    });
    await world.work(id);
    expect((await world.typesOf(id)).at(-1)).toBe('RunFailed');
    expect(logged).toEqual([]);
  });

  it('is told to stop where a newer version has written to it', async () => {
    const { world, id, logged } = await askedRun(async (_run, emit, signal) => {
      await emit(STEP);
      const past = await world.store.readStream(agentRunStream(id));
      const metadata = past.at(-1)!.metadata;
      const event = { id: idOf(77), type: 'RunPaused', data: {}, metadata };
      await world.store.append(agentRunStream(id), past.at(-1)!.revision, [event]);
      await Promise.all(world.timers.map((run) => run().catch(() => undefined)));
      signal.throwIfAborted();
      return WELL;
    });
    await world.work(id);
    const types = (await world.store.readStream(agentRunStream(id))).map(({ type }) => type);
    expect([types.at(-1), logged]).toEqual(['RunPaused', []]);
  });
});

describe('a run that is asked to stop, before the watch has seen it', () => {
  it('hears of it by what it emits, and is canceled without an error', async () => {
    const { world, id, read, logged } = await askedRun(async (_run, emit) => {
      await emit(STEP);
      await world.cancel(ACME, id, null, 0, new AbortController().signal);
      await expect(emit(STEP)).rejects.toThrow('the run is being cancelled');
      await emit(STEP);
      return WELL;
    });
    await world.work(id);
    expect(await read()).toMatchObject({ status: 'CANCELLED', error: null });
    expect(logged).toEqual([]);
  });
});

describe('a run that cannot be begun', () => {
  it('is nothing to run where its thread was deleted, and that is told', async () => {
    const { world, id, run, logged } = await askedRun(async () => WELL);
    await world.vault.destroy('acme', agentThreadStream(run.threadId));
    await world.work(id);
    expect(logged).toEqual([['info', 'nothing to run', { runId: id, reason: 'there is no such thread' }]]);
  });

  it('is gone where nobody has admitted it, and not ours where its lease is lost', async () => {
    const { world, id } = await askedRun(async () => WELL);
    expect(await world.work(idOf(9))).toBe('gone');
    expect(await world.work(idOf(9), undefined, () => true)).toBe('lost');
    expect(await world.work(id, undefined, () => true)).toBe('lost');
    expect(await world.typesOf(id)).toEqual(['RunQueued']);
  });
});
