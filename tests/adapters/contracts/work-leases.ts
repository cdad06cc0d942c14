import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { Abandoned, Lease, Deferral, WorkLeases } from '../../../application/ports/leases.ts';

export interface Owed extends Pick<Lease, 'kind' | 'id' | 'tenant'> {
  readonly since: number;
}
export interface UnderWay extends Pick<Abandoned, 'kind' | 'id' | 'tenant' | 'overdue' | 'claim'> {}

/** Leases on the kinds of work `errand` and `parcel`, of which the test says pending work and under way. */
export interface OpenWorkLeases {
  readonly leases: WorkLeases;
  readonly owe: (work: Owed) => Promise<void>;
  readonly begin: (work: UnderWay) => Promise<void>;
  /** This thing is neither pending nor under way any more. */
  readonly settle: (id: string) => Promise<void>;
  /** As if so much time had gone by for every lease, in milliseconds. */
  readonly pass: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

const MINUTE = 60_000;

/** Every promise of the `WorkLeases` port, for any adapter. */
export const workLeasesContract = (name: string, open: () => Promise<OpenWorkLeases>): void => {
  describe(`${name} as leases on work`, () => {
    const opened: OpenWorkLeases[] = [];
    const setUp = async () => {
      const world = await open();
      opened.push(world);
      const pending = async (over: Partial<Owed> = {}): Promise<string> => {
        const work = { kind: 'errand', id: randomUUID(), tenant: 'acme', since: 5, ...over };
        await world.owe(work);
        return work.id;
      };
      const one = async (owner: string): Promise<Lease | undefined> =>
        (await world.leases.claim(owner, 1, MINUTE))[0];
      return { ...world, pending, one };
    };
    afterEach(async () => {
      await Promise.all(opened.splice(0).map(({ close }) => close()));
    });

    it('name the kinds that they ask for', async () => {
      const { leases } = await setUp();
      expect(leases.kinds.toSorted()).toEqual(['errand', 'parcel']);
    });

    it('give each of several owners who ask at once as much as there is for all', async () => {
      const { leases, pending } = await setUp();
      const ids = await Promise.all(Array.from({ length: 15 }, (_, since) => pending({ since })));
      const claims = await Promise.all(['a', 'b', 'c'].map((owner) => leases.claim(owner, 5, MINUTE)));
      expect(claims.map(({ length }) => length)).toEqual([5, 5, 5]);
      expect(claims.flatMap((taken) => taken.map(({ id }) => id)).toSorted()).toEqual(ids.toSorted());
    });

    it('give pending work to one owner at a time, with its kind', async () => {
      const { leases, pending } = await setUp();
      const [errand, parcel] = [await pending(), await pending({ kind: 'parcel', since: 6 })];
      const claims = await Promise.all(['a', 'b', 'c'].map((owner) => leases.claim(owner, 5, MINUTE)));
      const found = claims.flat().toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
      const first = { tenant: 'acme', token: 1n, attempt: 1, lasting: 0 };
      expect(found).toEqual([
        { kind: 'errand', id: errand, ...first },
        { kind: 'parcel', id: parcel, ...first },
      ]);
      expect(await leases.claim('d', 5, MINUTE)).toEqual([]);
    });

    it('give no more than the limit, and the work pending for longest first, whatever its kind', async () => {
      const { leases, pending } = await setUp();
      const [late, early] = [await pending({ since: 9 }), await pending({ kind: 'parcel', since: 3 })];
      const middle = await pending({ since: 6 });
      expect((await leases.claim('a', 2, MINUTE)).map(({ id }) => id).toSorted()).toEqual(
        [early, middle].toSorted(),
      );
      expect((await leases.claim('a', 2, MINUTE)).map(({ id }) => id)).toEqual([late]);
    });

    it('serve the tenant with the fewest live leases first, over all kinds', async () => {
      const { pending, one } = await setUp();
      await pending({ tenant: 'big', since: 1 });
      await pending({ tenant: 'big', since: 2 });
      await pending({ tenant: 'big', kind: 'parcel', since: 3 });
      const small = await pending({ tenant: 'small', kind: 'parcel', since: 4 });
      expect((await one('a'))?.tenant).toBe('big');
      expect((await one('a'))?.id).toBe(small);
      expect((await one('a'))?.tenant).toBe('big');
    });

    it('leave the work of tenants alone that the claim excepts', async () => {
      const { leases, pending } = await setUp();
      await pending({ tenant: 'big', since: 1 });
      const small = await pending({ tenant: 'small', since: 2 });
      expect((await leases.claim('a', 5, MINUTE, ['big'])).map(({ id }) => id)).toEqual([small]);
      expect(await leases.claim('a', 5, MINUTE, ['big', 'small'])).toEqual([]);
    });

    it('renew for their owner only while they live, and leave a lost one alone', async () => {
      const { leases, pending, one, pass } = await setUp();
      await pending();
      const lease = (await one('a'))!;
      expect(await leases.renew('a', lease, MINUTE)).toBe(true);
      expect(await leases.renew('b', lease, MINUTE)).toBe(false);
      await pass(MINUTE);
      expect(await leases.renew('a', lease, MINUTE)).toBe(false);
      const next = (await one('b'))!;
      expect([next.token > lease.token, next.attempt]).toEqual([true, 2]);
      await leases.release('a', lease, 'done');
      await leases.release('a', lease, 'gone');
      await leases.defer('a', lease, { ms: MINUTE, transient: true });
      await leases.release('b', lease, 'gone');
      expect(await leases.renew('b', next, MINUTE)).toBe(true);
    });

    it('count attempts, take back that of an orderly stop, and forget them when the work is done', async () => {
      const { leases, pending, one } = await setUp();
      const id = await pending();
      await leases.defer('a', (await one('a'))!, { ms: 0, transient: true });
      const second = (await one('a'))!;
      await leases.release('a', second, 'stopped');
      const again = (await one('a'))!;
      expect([second.attempt, again.attempt]).toEqual([2, 2]);
      await leases.release('a', again, 'done');
      const fresh = (await one('a'))!;
      expect([fresh.id, fresh.attempt, fresh.token]).toEqual([id, 1, 4n]);
      await leases.release('a', fresh, 'gone');
      expect(await one('a')).toMatchObject({ id, attempt: 1, token: 1n });
    });

    it('hold back for a pause what was put off, and count what waiting does not mend', async () => {
      const { leases, pending, one, pass } = await setUp();
      const id = await pending();
      await leases.defer('a', (await one('a'))!, { ms: MINUTE, transient: false });
      expect(await one('b')).toBeUndefined();
      expect(await leases.claimOne('b', { kind: 'parcel', id, tenant: 'acme' }, MINUTE)).toBeNull();
      await pass(MINUTE - 1_000);
      expect(await one('b')).toBeUndefined();
      await pass(1_000);
      expect(await one('b')).toMatchObject({ attempt: 2, lasting: 1 });
    });

    it('hold back each for its own pause what is put off together, but for a lease that was lost', async () => {
      const { leases, pending, pass } = await setUp();
      const ids = [await pending(), await pending(), await pending()];
      const held = await leases.claim('a', 3, MINUTE);
      const lost = held.find(({ id }) => id === ids[1])!;
      await leases.release('a', lost, 'done');
      const [taken] = await leases.claim('b', 3, 9 * MINUTE);
      const putOff = (id: string | undefined, pause: Deferral) =>
        leases.defer(
          'a',
          held.find((lease) => lease.id === id)!,
          pause,
        );
      await Promise.all([
        putOff(ids[0], { ms: MINUTE, transient: true }),
        putOff(ids[1], { ms: MINUTE, transient: true }),
        putOff(ids[2], { ms: 3 * MINUTE, transient: false }),
      ]);
      expect(await leases.renew('b', taken!, 9 * MINUTE)).toBe(true);
      await pass(MINUTE);
      const first = await leases.claim('c', 3, 9 * MINUTE);
      expect(first).toMatchObject([{ id: ids[0], attempt: 2, lasting: 0 }]);
      await pass(2 * MINUTE);
      const second = await leases.claim('c', 3, 9 * MINUTE);
      expect(second).toMatchObject([{ id: ids[2], attempt: 2, lasting: 1 }]);
    });

    it('let nobody do two kinds of work on one thing at a time, and count the tries of each anew', async () => {
      const { leases, pending, one, settle, pass } = await setUp();
      const id = await pending();
      await one('a');
      await settle(id);
      await pending({ kind: 'parcel', id });
      expect(await one('b')).toBeUndefined();
      expect(await leases.claimOne('b', { kind: 'parcel', id, tenant: 'acme' }, MINUTE)).toBeNull();
      await pass(MINUTE);
      expect(await one('b')).toMatchObject({ kind: 'parcel', id, token: 2n, attempt: 1 });
    });

    it('are had by name too, of a kind that nobody owes', async () => {
      const { leases, pending, one } = await setUp();
      const work = { kind: 'sweeping', id: await pending(), tenant: 'acme' };
      const lease = await leases.claimOne('a', work, MINUTE);
      expect(lease).toEqual({ ...work, token: 1n, attempt: 1, lasting: 0 });
      expect(await leases.claimOne('b', work, MINUTE)).toBeNull();
      expect(await one('b')).toBeUndefined();
      await leases.release('a', lease!, 'done');
      expect(await one('b')).toMatchObject({ kind: 'errand', attempt: 1 });
    });

    it('tell what is under way that nobody holds, or that is overdue, and what its worker said', async () => {
      const { leases, pending, one, settle, begin, pass } = await setUp();
      const claim = { epoch: 7, step: 'at the door' };
      const never = randomUUID();
      await begin({ kind: 'parcel', id: never, tenant: 'other', overdue: false, claim });
      const found = [{ kind: 'parcel', id: never, tenant: 'other', worker: 'lost', overdue: false, claim }];
      expect(await leases.abandoned(10)).toEqual(found);
      expect(await leases.abandoned(0)).toEqual([]);
      await settle(never);
      const id = await pending();
      await one('a');
      const errand = { kind: 'errand', id, tenant: 'acme', claim };
      await settle(id);
      await begin({ ...errand, overdue: false });
      expect(await leases.abandoned(10)).toEqual([]);
      await settle(id);
      await begin({ ...errand, overdue: true });
      expect(await leases.abandoned(10)).toEqual([{ ...errand, overdue: true, worker: 'alive' }]);
      await leases.leave('somebody else');
      await pass(MINUTE);
      expect(await leases.abandoned(10)).toMatchObject([{ worker: 'lost' }]);
    });

    it('tell a worker that was told to stop from one that was lost, until somebody takes its work up', async () => {
      const { leases, pending, one, settle, begin, pass } = await setUp();
      const id = await pending();
      await one('a');
      await settle(id);
      const work = { kind: 'errand', id, tenant: 'acme', overdue: false, claim: null };
      await begin(work);
      await leases.leave('a');
      expect(await leases.abandoned(10)).toEqual([]);
      await pass(MINUTE);
      expect(await leases.abandoned(10)).toMatchObject([{ worker: 'stopped' }]);
      await settle(id);
      await pending({ id });
      await one('b');
      await settle(id);
      await begin(work);
      await pass(MINUTE);
      expect(await leases.abandoned(10)).toMatchObject([{ worker: 'lost' }]);
    });

    it('are taken from owners that are known to be dead', async () => {
      const { leases, pending, one } = await setUp();
      await pending();
      await pending({ kind: 'parcel' });
      await leases.claim('dead', 2, MINUTE);
      expect(await leases.takeOver('me')).toBe(2);
      expect(await one('me')).toMatchObject({ token: 2n });
      expect(await leases.takeOver('me')).toBe(0);
    });

    it('count work of dead owners as stopped, unless it was under way at more than ten crashes in a row', async () => {
      const { leases, begin, pending, one } = await setUp();
      const id = await pending();
      await begin({ kind: 'errand', id, tenant: 'acme', overdue: false, claim: null });
      const found: string[] = [];
      for (let crash = 0; crash < 11; crash++) {
        await one(`owner ${crash}`);
        await leases.takeOver('me');
        found.push((await leases.abandoned(10))[0]!.worker);
      }
      expect(found).toEqual([...Array.from({ length: 10 }, () => 'stopped'), 'lost']);
    });
  });
};
