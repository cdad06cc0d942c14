import { afterEach, describe, expect, it } from 'vitest';
import { WorkLost } from '../../../application/jobs/work-handler.ts';
import { runWorker } from '../../../application/jobs/worker.ts';
import { eventually } from '../../support/eventually.ts';
import { CALLER, openErrands } from './errand-world.ts';
import type { OpenWorkLeases } from './work-leases.ts';

/** What every kind of work has from the worker, tried with kinds that the program does not know, on any leases. */
export const workOfAnyKind = (name: string, open: () => Promise<OpenWorkLeases>): void => {
  describe(`work of any kind, leased by ${name}`, () => {
    const opened: OpenWorkLeases[] = [];
    const setUp = async () => {
      const leases = await open();
      opened.push(leases);
      const world = openErrands(leases);
      const last = (id: string, type: string) =>
        eventually(
          async () => (await world.types(id)).at(-1),
          (found) => found === type,
        );
      return { ...world, leases: leases.leases, last };
    };
    afterEach(async () => {
      await Promise.all(opened.splice(0).map(({ close }) => close()));
    });

    it('is claimed, done and given back, each kind by its handler', async () => {
      const { ask, worker, types, trail, last, leases } = await setUp();
      const [errand, parcel] = [await ask('errand'), await ask('parcel')];
      const one = await worker('worker-1');
      for (const { id, end } of [await one.next(), await one.next()]) {
        expect(await types(id)).toEqual(['ErrandAsked', 'ErrandBegun']);
        end();
        await last(id, 'ErrandDone');
      }
      one.stop();
      await one.running;
      for (const [kind, id] of [
        ['errand', errand],
        ['parcel', parcel],
      ] as const) {
        expect((await trail(id))[1]).toMatchObject({
          data: { by: 'worker-1', epoch: 1 },
          metadata: {
            tenant: 'acme',
            actor: { kind: 'worker', id: 'worker-1' },
            $correlationId: 'request-1',
          },
        });
        expect(await leases.claimOne('b', { kind, id, tenant: 'acme' }, 1)).not.toBeNull();
      }
    });

    it('is stopped by an event of its stream, and by no other', async () => {
      const { ask, worker, send, last, types } = await setUp();
      const [id, other] = [await ask('errand'), await ask('errand')];
      const one = await worker('worker-1');
      const begun = [await one.next(), await one.next()];
      await send(other, { type: 'cancel' }, CALLER);
      await one.lookOut();
      const signalOf = (of: string) => begun.find((found) => found.id === of)!.signal;
      expect([signalOf(other).reason, signalOf(id).aborted]).toEqual(['canceled', false]);
      begun.find((found) => found.id === id)!.end();
      await last(id, 'ErrandDone');
      one.stop();
      await one.running;
      expect((await types(other)).at(-1)).toBe('ErrandCanceled');
    });

    it('is stopped by what a newer version has written to its stream, and left to that', async () => {
      const { ask, worker, writeNewer, types } = await setUp();
      const id = await ask('errand');
      const one = await worker('worker-1');
      const { signal } = await one.next();
      await writeNewer(id);
      await one.lookOut();
      expect(signal.reason).toBe('outdated');
      one.stop();
      await one.running;
      expect(await types(id)).toEqual(['ErrandAsked', 'ErrandBegun', 'FactOfTomorrow']);
    });

    it('is left to others once its lease was taken', async () => {
      const { ask, worker, leases, types } = await setUp();
      const id = await ask('errand');
      const one = await worker('worker-1');
      const { signal } = await one.next();
      await leases.takeOver('worker-2');
      await one.lookOut();
      expect(signal.reason).toBe('lease_lost');
      const taken = await leases.claimOne('worker-2', { kind: 'errand', id, tenant: 'acme' }, 60_000);
      one.stop();
      await one.running;
      expect((await types(id)).at(-1)).toBe('ErrandBegun');
      expect(await leases.renew('worker-2', taken!, 60_000)).toBe(true);
    });

    it('is left to others once its lease could not be renewed for its length', async () => {
      const { ask, worker, types, pass } = await setUp();
      const id = await ask('errand');
      const one = await worker('worker-1');
      const { signal, assertLeaseHeld } = await one.next();
      await pass(54_000);
      assertLeaseHeld();
      await pass(2_000);
      expect(assertLeaseHeld).toThrow(WorkLost);
      expect(signal.reason).toBe('lease_lost');
      one.stop();
      await one.running;
      expect((await types(id)).at(-1)).toBe('ErrandBegun');
    });

    it('of a process that was killed is put back, and taken up by another', async () => {
      const { ask, worker, pass, trail, last } = await setUp();
      const id = await ask('errand');
      const one = await worker('worker-1');
      await one.next();
      one.kill();
      const two = await worker('worker-2');
      await pass(59_000);
      await two.look();
      expect((await trail(id)).at(-1)).toMatchObject({ type: 'ErrandBegun', data: { by: 'worker-1' } });
      await pass(1_000);
      await pass(5_000);
      await two.look();
      (await two.next()).end();
      await last(id, 'ErrandDone');
      expect((await trail(id)).slice(2)).toMatchObject([
        {
          type: 'ErrandPutBack',
          data: { reason: 'lost' },
          metadata: { actor: { kind: 'system', id: 'sweeper' } },
        },
        { type: 'ErrandBegun', data: { by: 'worker-2', epoch: 2 } },
        { type: 'ErrandDone' },
      ]);
      two.stop();
      await two.running;
    });

    it('of a process that was frozen is refused to it once another has taken it up', async () => {
      const { ask, worker, pass, send, last, types } = await setUp();
      const id = await ask('errand');
      const one = await worker('worker-1');
      const frozen = await one.next();
      await pass(65_000);
      const two = await worker('worker-2');
      const { end } = await two.next();
      expect(frozen.assertLeaseHeld).toThrow(WorkLost);
      await expect(send(id, { type: 'finish', epoch: 1 }, CALLER)).rejects.toThrow('begun at 2');
      await one.lookOut();
      end();
      await last(id, 'ErrandDone');
      one.stop();
      two.stop();
      await Promise.all([one.running, two.running]);
      const trail = ['ErrandAsked', 'ErrandBegun', 'ErrandPutBack', 'ErrandBegun', 'ErrandDone'];
      expect(await types(id)).toEqual(trail);
    });

    it('is put back by a worker that is stopped, and its attempt is not counted', async () => {
      const { ask, worker, leases, trail } = await setUp();
      const id = await ask('errand');
      const one = await worker('worker-1');
      await one.next();
      one.stop();
      await one.running;
      expect((await trail(id)).at(-1)).toMatchObject({ type: 'ErrandPutBack', data: { reason: 'shutdown' } });
      expect(await leases.claim('worker-2', 1, 60_000)).toMatchObject([{ id, attempt: 1 }]);
    });

    it('of a process that was told to stop, and had no time, is put back as no fault of its own', async () => {
      const { ask, worker, pass, trail } = await setUp();
      const id = await ask('errand');
      const one = await worker('worker-1', { stubborn: true });
      await one.next();
      one.stop();
      await one.left;
      one.kill();
      await pass(60_000);
      const two = await worker('worker-2');
      (await two.next()).end();
      two.stop();
      await two.running;
      expect((await trail(id))[2]).toMatchObject({ type: 'ErrandPutBack', data: { reason: 'stopped' } });
    });

    it('that breaks is logged by the name of its id, and given back', async () => {
      const { ask, worker, leases, logged } = await setUp();
      const id = await ask('parcel');
      const one = await worker('worker-1');
      (await one.next()).fail(new Error('no such street'));
      one.stop();
      await one.running;
      expect(logged).toEqual([['leased work failed', { errandId: id, error: 'Error: no such street' }]]);
      expect(await leases.claimOne('b', { kind: 'parcel', id, tenant: 'acme' }, 1)).not.toBeNull();
    });

    it('is not begun where nobody can do one of its kinds', async () => {
      const { leases } = await setUp();
      const running = runWorker({ leases, handlers: [] } as never, new AbortController().signal);
      await expect(running).rejects.toThrow('kinds of leases: errand, parcel; kinds of handlers: none');
    });
  });
};
