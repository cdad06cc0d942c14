import { describe, expect, it } from 'vitest';
import { type PutDown, reasonOf } from '../../../application/jobs/work-handler.ts';
import { keepLease, type KeptLease } from '../../../application/jobs/keep-lease.ts';
import { runHeld, runLeased } from '../../../application/jobs/worker.ts';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import { keptLog, LEASE, timersByHand } from './leased.ts';

const LEASE_MS = 12_000;

const keeping = (...answers: readonly boolean[]) => {
  const { timers, every, turn } = timersByHand();
  const clock = { at: 1_000, now: () => clock.at };
  const renewals: unknown[] = [];
  const left = [...answers];
  const given: unknown[] = [];
  const leases = {
    renew: async (...call: unknown[]) => {
      renewals.push(call);
      // A renewal counts from when it was asked for: the store may have done it at once.
      clock.at += 500;
      return left.shift() ?? true;
    },
    release: async (...call: unknown[]) => void given.push(['release', ...call]),
    putOff: async (...call: unknown[]) => void given.push(['putOff', ...call]),
  };
  const deps = { leases, clock, every, owner: 'worker-1', leaseMs: LEASE_MS };
  const renew = () => turn(LEASE_MS / 3);
  return { deps, clock, timers, renew, renewals, given };
};

describe('a lease that is kept', () => {
  it('is renewed three times in its length, until the work has ended', async () => {
    const { deps, timers, renew, renewals } = keeping();
    const answer = await keepLease(deps, LEASE, async ({ lease, lost }) => {
      await renew();
      expect([lease, lost.aborted]).toEqual([LEASE, false]);
      return 'answer';
    });
    expect(answer).toBe('answer');
    expect(renewals).toEqual([['worker-1', LEASE, LEASE_MS]]);
    expect(timers.map(({ ms, stopped }) => [ms, stopped])).toEqual([[4_000, true]]);
    await expect(keepLease(deps, LEASE, () => Promise.reject(new Error('broke')))).rejects.toThrow('broke');
    expect(timers.map(({ stopped }) => stopped)).toEqual([true, true]);
  });

  it('is lost when a renewal is refused', async () => {
    const { deps, renew } = keeping(true, false);
    await keepLease(deps, LEASE, async ({ lost }) => {
      await renew();
      expect(lost.aborted).toBe(false);
      await renew();
      expect(lost.aborted).toBe(true);
    });
  });

  it('has run out a twelfth before its end, counted from its last renewal', async () => {
    const { deps, clock, renew } = keeping(true, false);
    const outAt = (kept: KeptLease, at: number): boolean => {
      clock.at = at;
      return kept.hasRunOut();
    };
    await keepLease(deps, LEASE, async (kept) => {
      expect([outAt(kept, 12_000), outAt(kept, 12_001)]).toEqual([false, true]);
      clock.at = 5_000;
      await renew();
      expect([outAt(kept, 16_000), outAt(kept, 16_001)]).toEqual([false, true]);
      clock.at = 9_000;
      await renew();
      expect(outAt(kept, 16_001)).toBe(true);
    });
  });
});

describe('leased work', () => {
  const running = async (run: () => Promise<PutDown>, ...answers: readonly boolean[]) => {
    const { deps, given, renew } = keeping(...answers);
    const { lines, log } = keptLog();
    const all = { ...deps, log, store: createMemoryEventStore(), codec: createEventCodec() };
    const lost: boolean[] = [];
    const handler = {
      kind: 'errand',
      idName: 'errandId',
      run: async ({ isLost }: { readonly isLost: () => boolean }) => {
        lost.push(isLost());
        await renew();
        lost.push(isLost());
        return run();
      },
    };
    const how = await runLeased(all, handler, LEASE, new AbortController().signal);
    return { how, given, lines, lost, all, handler };
  };

  it.each(['done', 'stopped', 'gone'] as const)('is given back as %s', async (how) => {
    const run = await running(async () => how);
    expect([run.how, run.given, run.lines]).toEqual([how, [['release', 'worker-1', LEASE, how]], []]);
    expect(run.lost).toEqual([false, false]);
  });

  it('is put off, or left alone where it is lost', async () => {
    const pause = { ms: 5, transient: true };
    expect((await running(async () => pause)).given).toEqual([['putOff', 'worker-1', LEASE, pause]]);
    const lost = await running(async () => 'lost', false);
    expect([lost.given, lost.lost]).toEqual([[], [false, true]]);
  });

  it('that breaks is logged, and given back as done', async () => {
    const { how, given, lines } = await running(() => Promise.reject(new Error('broke')));
    expect([how, given]).toEqual(['done', [['release', 'worker-1', LEASE, 'done']]]);
    expect(lines).toEqual([['error', 'leased work broke', { errandId: 'e-1', error: 'Error: broke' }]]);
  });

  it('is watched from what it claims, with its lease', async () => {
    const { deps } = keeping();
    const store = createMemoryEventStore();
    const event = { id: crypto.randomUUID(), type: 'JobCanceled.v9', data: {}, metadata: {} };
    await store.append('dataSource-1', 'none', [event]);
    const looks: (() => Promise<void>)[] = [];
    const every = (ms: number, look: () => Promise<void>) => {
      if (ms === 500) looks.push(look);
      return { stop: () => {} };
    };
    const claim = { stream: 'dataSource-1', revision: -1n, stopReason: () => undefined };
    const answered = await runHeld(
      { ...deps, every, store, codec: createEventCodec() },
      {
        run: ({ lease, watched }) =>
          watched(claim, async (signal) => {
            for (const look of looks) await look();
            return lease === LEASE && reasonOf(signal) === 'outdated' ? 'stopped' : 'lost';
          }),
      },
      LEASE,
      new AbortController().signal,
    );
    expect(answered).toBe('stopped');
  });

  it('that cannot be given back runs out', async () => {
    const { all, handler, lines } = await running(async () => 'done');
    const leases = { ...all.leases, release: () => Promise.reject(new Error('away')) };
    const { signal } = new AbortController();
    expect(await runLeased({ ...all, leases }, handler, LEASE, signal)).toBe('done');
    expect(lines).toEqual([['warn', 'lease not released; it will run out', { error: 'away' }]]);
  });
});
