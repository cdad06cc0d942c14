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

/** A worker with one slot whose time stands still: it looks again only when something tells it to. */
const working = (owed: readonly string[], how: PutDown) => {
  const queue = [...owed];
  const done: string[] = [];
  const shutdown = new AbortController();
  const waits = Promise.withResolvers<void>();
  const deps = {
    leases: {
      kinds: ['errand'],
      claim: async (_owner: string, limit: number) => queue.splice(0, limit).map(leaseOn),
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
          return how;
        },
      },
    ],
    slots: 1,
    idle: async (_ms: number, signal: AbortSignal) => {
      // Whatever is to end the wait has had its turn.
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
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
    waits: waits.promise,
    stop: async () => {
      shutdown.abort();
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
