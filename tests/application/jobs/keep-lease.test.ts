import { describe, expect, it } from 'vitest';
import { type PutDown } from '../../../application/jobs/work-handler.ts';
import { keepLease, type KeptLease } from '../../../application/jobs/keep-lease.ts';
import { runLeased } from '../../../application/jobs/worker.ts';
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
});
