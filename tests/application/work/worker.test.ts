import { expect, it } from 'vitest';
import { createMemoryEventStore } from '../../../adapters/memory/event-store.ts';
import { createEventCodec } from '../../../application/event-codec.ts';
import type { Lease } from '../../../application/ports/work-leases.ts';
import type { PutDown } from '../../../application/work/work-handler.ts';
import { runWorker } from '../../../application/work/worker.ts';
import { silent } from '../../support/world.ts';

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
const working = (owed: readonly string[], how: PutDown, slots = 1) => {
  const queue = [...owed];
  const done: string[] = [];
  const claims: number[] = [];
  const long: (() => void)[] = [];
  const shutdown = new AbortController();
  const waits = Promise.withResolvers<void>();
  const deps = {
    leases: {
      kinds: ['errand'],
      claim: async (_owner: string, limit: number) => {
        claims.push(limit);
        return queue.splice(0, limit).map(leaseOn);
      },
      claimOne: async () => null,
      renew: async () => true,
      release: async () => {},
      putOff: async () => {},
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

it('a worker does not look at once behind what may be owed still', async () => {
  const { done, waits, stop } = working(['a', 'b'], 'done');
  await waits;
  expect(done).toEqual(['a']);
  await stop();
});

it('a worker with many slots gathers half of them before it looks again', async () => {
  const owed = Array.from({ length: 20 }, (_, nth) => `long ${nth}`);
  const { claims, endOne, waits, stop } = working(owed, { ms: 5_000, transient: true }, 8);
  await waits;
  expect(claims).toEqual([8]);
  for (let nth = 0; nth < 3; nth++) endOne();
  await turns(50);
  expect(claims).toEqual([8]);
  endOne();
  await turns(50);
  expect(claims).toEqual([8, 4]);
  await stop();
});
