import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import type { NewEvent } from '../../../application/ports/event-store.ts';
import { watch } from '../../../application/jobs/watch.ts';
import { reasonOf, type Work, type WorkLost } from '../../../application/jobs/work-handler.ts';
import { timersByHand } from './leased.ts';

const STREAM = 'dataSource-1';
const eventOf = (type: string): NewEvent => ({
  id: crypto.randomUUID(),
  type,
  data: { job_id: 'j', at: 1 },
  metadata: { tenant: 'acme' },
});

/** Work on a stream of one event, which begins at its revision. */
const watching = async (graceMs?: number) => {
  const { timers, every, turn } = timersByHand();
  const store = createMemoryEventStore();
  await store.append(STREAM, 'none', [eventOf('JobStarted')]);
  const lost = new AbortController();
  const shutdown = new AbortController();
  const asked: string[] = [];
  const reads: unknown[] = [];
  let ranOut = false;
  const claim = {
    stream: STREAM,
    revision: 0n,
    stopReason: ({ type }: { readonly type: string }) => {
      asked.push(type);
      return type === 'JobCancelRequested' ? ('canceled' as const) : undefined;
    },
    ...(graceMs !== undefined && { graceMs }),
  };
  const readStream: typeof store.readStream = (stream, from, limit) => {
    reads.push(from);
    return store.readStream(stream, from, limit);
  };
  const deps = { store: { ...store, readStream }, codec: createEventCodec(), every };
  const kept = { lost: lost.signal, hasRunOut: () => ranOut };
  let revision = 0n;
  return {
    timers,
    asked,
    reads,
    look: () => turn(500),
    turn,
    lose: () => lost.abort(),
    runOut: () => void (ranOut = true),
    shutDown: () => shutdown.abort(),
    write: async (type: string) => {
      await store.append(STREAM, revision, [eventOf(type)]);
      revision += 1n;
    },
    run: <T>(work: Work<T>) => watch(deps, kept, claim, shutdown.signal, work),
  };
};

describe('work that is watched', () => {
  it('goes on while its stream says nothing, and answers', async () => {
    const { run, look, write, asked, reads, timers } = await watching();
    const answer = await run(async (signal, stillOurs) => {
      await look();
      await write('JobProgressed');
      await look();
      await look();
      stillOurs();
      return signal.aborted;
    });
    expect([answer, asked, reads]).toEqual([false, ['JobProgressed'], [1n, 1n, 2n]]);
    expect(timers.map(({ ms, stopped }) => [ms, stopped])).toEqual([[500, true]]);
  });

  it('is stopped by the first event that is a reason', async () => {
    const { run, look, write, asked } = await watching();
    const reason = await run(async (signal) => {
      await write('JobProgressed');
      await write('JobCancelRequested');
      await write('JobCanceled');
      await look();
      return reasonOf(signal);
    });
    expect([reason, asked]).toEqual(['canceled', ['JobProgressed', 'JobCancelRequested']]);
  });

  it('is outdated by an event that this version does not know', async () => {
    const { run, look, write } = await watching();
    const reason = await run(async (signal) => {
      await write('JobStarted.v9');
      await look();
      return reasonOf(signal);
    });
    expect(reason).toBe('outdated');
  });

  it('is stopped where its lease is lost, or has run out', async () => {
    const lost = await watching();
    expect(
      await lost.run(async (signal) => {
        lost.lose();
        return reasonOf(signal);
      }),
    ).toBe('lease_lost');
    const before = await watching();
    before.lose();
    expect(await before.run(async (signal) => reasonOf(signal))).toBe('lease_lost');
    const out = await watching();
    expect(
      await out.run(async (signal) => {
        out.runOut();
        await out.look();
        return reasonOf(signal);
      }),
    ).toBe('lease_lost');
  });

  it('may write nothing more once its lease has run out', async () => {
    const { run, runOut, timers } = await watching();
    const reasons: unknown[] = [];
    const work = run(async (signal, stillOurs) => {
      runOut();
      try {
        stillOurs();
      } finally {
        reasons.push(reasonOf(signal));
      }
    });
    await expect(work).rejects.toThrow(
      expect.objectContaining({ name: 'WorkLost', message: 'its lease has run out' }) as WorkLost,
    );
    expect([reasons, timers.map(({ stopped }) => stopped)]).toEqual([['lease_lost'], [true]]);
  });

  it('is stopped at once when the process is to stop', async () => {
    const { run, shutDown } = await watching();
    const reason = await run(async (signal) => {
      shutDown();
      return reasonOf(signal);
    });
    expect(reason).toBe('shutdown');
    const late = await watching();
    late.shutDown();
    expect(await late.run(async (signal) => reasonOf(signal))).toBe('shutdown');
  });

  it('has its grace when the process is to stop, and no timer outlives it', async () => {
    const { run, shutDown, turn, timers } = await watching(9_000);
    const seen = await run(async (signal) => {
      shutDown();
      const before = signal.aborted;
      await turn(9_000);
      return [before, reasonOf(signal)];
    });
    expect(seen).toEqual([false, 'shutdown']);
    expect(timers.map(({ ms, stopped }) => [ms, stopped])).toEqual([
      [500, true],
      [9_000, true],
    ]);
    const ended = await watching(9_000);
    await ended.run(async () => undefined);
    ended.shutDown();
    expect(ended.timers.map(({ ms }) => ms)).toEqual([500]);
  });
});
