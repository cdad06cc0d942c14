import { describe, expect, it } from 'vitest';
import { type RunEvent, RunFailure } from '../../../../application/agents/runs/run-executor.ts';
import { agentRunStream, agentThreadStream } from '../../../../application/event-sourcing/streams.ts';
import { ACME, askedRun } from '../../../support/agent/asked-run.ts';
import { idOf } from '../../../support/memory-parts.ts';

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
      'a late write was dropped',
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
