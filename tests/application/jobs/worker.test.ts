import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import { type RenewedLease, renewWhile } from '../../../application/jobs/watch.ts';
import type { LeasedWork, WorkOutcome } from '../../../application/jobs/work-handler.ts';
import { runLeased, runWorker } from '../../../application/jobs/worker.ts';
import { StreamCut } from '../../../application/ports/event-store.ts';
import type { Lease } from '../../../application/ports/leases.ts';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { silent } from '../../support/silent.ts';
import { LEASE, keptLog, timersByHand } from './leased.ts';
import { describe, expect, it } from 'vitest';

const leaseOn = (id: string): Lease => ({
  kind: 'errand',
  id,
  tenant: 'acme',
  token: 1n,
  attempt: 1,
  lasting: 0,
});

const turns = async (many: number): Promise<void> => {
  for (let turn = 0; turn < many; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** A worker whose time stands still: it looks again only when something tells it to. */
const working = (pending: readonly string[], how: WorkOutcome, slots = 1) => {
  const queue = [...pending];
  const done: string[] = [];
  const claims: number[] = [];
  const long: (() => void)[] = [];
  const shutdown = new AbortController();
  const waits = Promise.withResolvers<void>();
  const deps = {
    leases: {
      kinds: ['errand'],
      claim: async (_owner: string, limit: number, _leaseMs: number, except?: readonly string[]) => {
        if (except?.includes('acme')) return [];
        claims.push(limit);
        return queue.splice(0, limit).map(leaseOn);
      },
      claimOne: async () => null,
      renew: async () => true,
      release: async () => {},
      defer: async () => {},
      abandoned: async () => [],
      leave: async () => {},
      takeOver: async () => 0,
    },
    handlers: [
      {
        kind: 'errand',
        idName: 'errandId',
        run: async ({ lease }: { readonly lease: Lease }) => {
          done.push(lease.id);
          if (lease.id.startsWith('long')) await new Promise<void>((resolve) => long.push(resolve));
          return how;
        },
      },
    ],
    slots,
    idle: async (_ms: number, signal: AbortSignal) => {
      // Whatever is to end the wait has had its turn.
      await turns(10);
      if (signal.aborted) return;
      waits.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
    store: createMemoryEventStore(),
    codec: createEventCodec(),
    clock: { now: () => 0 },
    every: () => ({ stop: () => {} }),
    owner: 'worker-1',
    leaseMs: 30_000,
    log: silent,
  };
  const ended = runWorker(deps, shutdown.signal);
  return {
    done,
    claims,
    endOne: () => long.shift()?.(),
    waits: waits.promise,
    stop: async () => {
      shutdown.abort();
      for (const end of long.splice(0)) end();
      await ended;
    },
  };
};

it('a worker whose slots were all in use looks again as soon as one is free', async () => {
  const { done, waits, stop } = working(['a', 'b', 'c'], { ms: 5_000, transient: true });
  await waits;
  expect(done).toEqual(['a', 'b', 'c']);
  await stop();
});

it('a worker with many slots gathers three quarters of them before it looks again', async () => {
  const pending = Array.from({ length: 20 }, (_, nth) => `long ${nth}`);
  const { claims, endOne, waits, stop } = working(pending, { ms: 5_000, transient: true }, 8);
  await waits;
  expect(claims).toEqual([8]);
  for (let nth = 0; nth < 5; nth++) endOne();
  await turns(50);
  expect(claims).toEqual([8]);
  endOne();
  await turns(50);
  expect(claims).toEqual([8, 6]);
  await stop();
});

/** Work that goes on until the worker is to stop. */
const untilStopped = {
  kind: 'errand',
  idName: 'errandId',
  run: ({ shutdown }: { readonly shutdown: AbortSignal }) =>
    new Promise<'stopped'>((resolve) => {
      shutdown.addEventListener('abort', () => setImmediate(() => resolve('stopped')));
    }),
};

/** A worker whose waits and clock a test moves: each wait ends with the next of these times, the last with the stop. */
const stepping = (times: readonly number[], more: object = {}, slots = 2) => {
  const { lines, log } = keptLog();
  const left = [...times];
  const calls: string[] = [];
  const waited: number[] = [];
  const shutdown = new AbortController();
  let now = 10_000;
  const deps = {
    leases: {
      kinds: ['errand'],
      claim: async (owner: string, limit: number, leaseMs: number) => {
        calls.push(`claim ${owner} ${limit} ${leaseMs}`);
        return [] as readonly Lease[];
      },
      claimOne: async () => null,
      renew: async () => true,
      release: async () => {},
      defer: async () => {},
      abandoned: async () => {
        calls.push('sweep');
        return [];
      },
      leave: async (owner: string) => void calls.push(`leave ${owner}`),
      takeOver: async () => 0,
      ...more,
    },
    handlers: [
      {
        kind: 'errand',
        idName: 'errandId',
        run: async () => 'done' as const,
        cleanUp: async () => void calls.push('tidy'),
      },
    ],
    slots,
    idle: async (ms: number) => {
      waited.push(ms);
      calls.push('-');
      now = left.shift() ?? now;
      if (left.length === 0) shutdown.abort();
    },
    store: createMemoryEventStore(),
    codec: createEventCodec(),
    clock: { now: () => now },
    every: () => ({ stop: () => {} }),
    owner: 'worker-1',
    leaseMs: 30_000,
    log,
  };
  return { deps, calls, waited, lines, shutdown, run: () => runWorker(deps, shutdown.signal) };
};

it('a worker that cannot look tells it, and looks again', async () => {
  const claim = () => Promise.reject(new Error('the database is away'));
  const { run, lines, waited } = stepping([1, 2, 3], { claim });
  await run();
  expect(waited).toHaveLength(3);
  expect(lines[0]).toEqual(['warn', 'the worker will retry', { error: 'the database is away' }]);
});

it('a worker does not begin where its handlers are not those of the leases', async () => {
  const { run, deps } = stepping([1], { kinds: ['errand', 'trip'] });
  await expect(run()).rejects.toThrow(
    'kinds of leases: errand, trip; kinds of handlers: errand: they must be the same',
  );
  await expect(runWorker({ ...deps, handlers: [] }, new AbortController().signal)).rejects.toThrow(
    'kinds of leases: errand, trip; kinds of handlers: none: they must be the same',
  );
});

it('a worker that stops in the middle of work says so before it puts that down', async () => {
  const leases = [leaseOn('a')];
  const { deps, calls, lines, shutdown } = stepping([], {
    claim: async (_: string, limit: number) => leases.splice(0, limit),
    release: async () => void calls.push('release'),
  });
  await runWorker({ ...deps, handlers: [untilStopped] }, shutdown.signal);
  expect(calls).toEqual(['sweep', '-', 'leave worker-1', 'release']);
  expect(lines).toEqual([]);
});

it('a worker puts its work down where it cannot say that it stops', async () => {
  const leases = [leaseOn('a')];
  const { deps, lines, shutdown } = stepping([], {
    claim: async (_: string, limit: number) => leases.splice(0, limit),
    leave: () => Promise.reject(new Error('away')),
  });
  await runWorker({ ...deps, handlers: [untilStopped] }, shutdown.signal);
  expect(lines).toEqual([['warn', 'the stop of this worker was not recorded', { error: 'away' }]]);
});

it('a worker claims no more than it has slots for', async () => {
  const limits: number[] = [];
  const leases = [leaseOn('a'), leaseOn('b'), leaseOn('c')];
  const { deps, shutdown } = stepping([1, 2, 3], {
    claim: async (_: string, limit: number, _ms: number, except?: readonly string[]) => {
      if (except !== undefined) return [];
      limits.push(limit);
      return leases.splice(0, Math.min(limit, 1));
    },
  });
  await runWorker({ ...deps, handlers: [untilStopped] }, shutdown.signal);
  expect(limits).toEqual([2, 1]);
});

it('a worker begins the work of another tenant when long work gives up its slot', async () => {
  const shutdown = new AbortController();
  const { deps } = stepping([]);
  const events: string[] = [];
  const queue = [leaseOn('long'), { ...leaseOn('short'), tenant: 'other' }];
  let now = 0;
  const claim = async (_: string, limit: number, _ms: number, except: readonly string[] = []) => {
    const at = queue.findIndex(({ tenant }) => limit > 0 && !except.includes(tenant));
    return at < 0 ? [] : queue.splice(at, 1);
  };
  const run = ({ lease, watched }: LeasedWork) =>
    watched({ stream: 's', revision: 0n, stopReason: () => undefined }, async (_signal, _held, yieldSlot) => {
      events.push(`${lease.id} begins`);
      for (let step = 0; lease.id === 'long' && step < 5; step++) {
        now += 6_000;
        await yieldSlot();
        await turns(5);
      }
      events.push(`${lease.id} ends`);
      if (lease.id === 'long') shutdown.abort();
      return 'done' as const;
    });
  await runWorker(
    {
      ...deps,
      slots: 1,
      leases: { ...deps.leases, claim },
      handlers: [{ kind: 'errand', idName: 'errandId', run }],
      clock: { now: () => now },
      idle: () => turns(1),
    },
    shutdown.signal,
  );
  expect(events).toEqual(['long begins', 'short begins', 'short ends', 'long ends']);
});

it('a worker gives back a lease whose work has waited for a slot for 5 s, without using an attempt', async () => {
  const { every, turn } = timersByHand();
  const { deps } = stepping([]);
  const released: unknown[] = [];
  const release = async (...of: readonly unknown[]) => void released.push(of);
  const full = {
    take: (_: string, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  };
  const waits = runLeased(
    { ...deps, leases: { ...deps.leases, release }, every },
    { kind: 'errand', idName: 'errandId', run: () => Promise.reject(new Error('begun')) },
    LEASE,
    new AbortController().signal,
    full,
  );
  await turn(5_000);
  expect(await waits).toBe('stopped');
  expect(released).toEqual([['worker-1', LEASE, 'stopped']]);
});

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
    defer: async (...call: unknown[]) => void given.push(['defer', ...call]),
  };
  const deps = { leases, clock, every, owner: 'worker-1', leaseMs: LEASE_MS };
  const renew = () => turn(LEASE_MS / 3);
  return { deps, clock, timers, renew, renewals, given };
};

describe('a lease that is kept', () => {
  it('has run out a twelfth before its end, counted from its last renewal', async () => {
    const { deps, clock, renew } = keeping(true, false);
    const outAt = (kept: RenewedLease, at: number): boolean => {
      clock.at = at;
      return kept.hasExpired();
    };
    await renewWhile(deps, LEASE, async (kept) => {
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
  const running = async (run: () => Promise<WorkOutcome>, ...answers: readonly boolean[]) => {
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
    expect((await running(async () => pause)).given).toEqual([['defer', 'worker-1', LEASE, pause]]);
    const lost = await running(async () => 'lost', false);
    expect([lost.given, lost.lost]).toEqual([[], [false, true]]);
  });

  it('at a stream that somebody cut is put off for an hour, as nothing but an operator helps', async () => {
    const { given } = await running(() => Promise.reject(new StreamCut('dataSource-1', 0n)));
    expect(given).toEqual([['defer', 'worker-1', LEASE, { ms: 3_600_000, transient: false }]]);
  });

  it('that breaks is logged, and given back as done', async () => {
    const { how, given, lines } = await running(() => Promise.reject(new Error('broke')));
    expect([how, given]).toEqual(['done', [['release', 'worker-1', LEASE, 'done']]]);
    expect(lines).toEqual([['error', 'leased work failed', { errandId: 'e-1', error: 'Error: broke' }]]);
  });
});
