import { describe, expect, it } from 'vitest';
import { PUSH_WRITE } from '../../../../application/sources/ingestion/kinds-of-work.ts';
import { WaitedTooLong, withoutTime } from '../../../../application/event-sourcing/back-off.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { callerOf } from '../../../support/conversations.ts';
import { idOf } from '../../../support/memory-parts.ts';
import { ACME, pushesInMemory } from '../../../support/pushes-in-memory.ts';

const opened = async () => {
  const world = pushesInMemory();
  const { id } = await world.open().create();
  return { world, id };
};
const impatient = { ...withoutTime, deadline: () => AbortSignal.abort() };

describe('whoever holds a push', () => {
  it('sees it as its stream tells it once it is held', async () => {
    const { world, id } = await opened();
    const { hold } = world.open();
    const { leases } = world;
    const claimOne: typeof leases.claimOne = async (...given) => {
      await world.command(id, { type: 'cancel', at: world.time.now });
      return leases.claimOne(...given);
    };
    const late = world.open({ leases: { ...leases, claimOne } });
    expect(await hold(ACME, id, async ({ state }) => state.status)).toBe('managed');
    expect(await late.hold(ACME, id, async ({ state }) => state.status)).toBe('canceling');
  });

  it('has a lease of a minute, by the name of its process, and gives it back', async () => {
    const { world, id } = await opened();
    const told: unknown[] = [];
    const { leases } = world;
    const noting: typeof leases = {
      ...leases,
      claimOne: (owner, work, ms) => {
        told.push(['claimed', owner, work, ms]);
        return leases.claimOne(owner, work, ms);
      },
      release: (owner, lease, how) => {
        told.push(['released', owner, lease.id, how]);
        return leases.release(owner, lease, how);
      },
    };
    const { hold } = world.open({ leases: noting, owner: 'worker-2' });
    expect(await hold(ACME, id, async () => 'written')).toBe('written');
    const work = { kind: PUSH_WRITE, id, tenant: 'acme' };
    expect(told).toEqual([
      ['claimed', 'worker-2', work, 60_000],
      ['released', 'worker-2', id, 'done'],
    ]);
  });

  it('may write for eleven twelfths of that, and no longer', async () => {
    const { world, id } = await opened();
    const { hold } = world.open();
    await hold(ACME, id, async ({ stillOurs }) => {
      world.time.now += 55_000;
      expect(stillOurs()).toBeUndefined();
      world.time.now += 1;
      expect(stillOurs).toThrow('this took too long: try again');
    });
  });

  it('gives it back also where it failed, and leaves nothing of what is gone', async () => {
    const { world, id } = await opened();
    const how: string[] = [];
    const { leases } = world;
    const release: typeof leases.release = async (owner, lease, as) => {
      how.push(as);
      await leases.release(owner, lease, as);
    };
    const { hold } = world.open({ leases: { ...leases, release } });
    const failing = (error: Error) =>
      hold(ACME, id, async () => {
        throw error;
      });
    await expect(failing(new Error('broken'))).rejects.toThrow('broken');
    await expect(failing(new DomainError('conflict', 'refused'))).rejects.toThrow('refused');
    await expect(failing(new DomainError('not_found', 'gone'))).rejects.toThrow('gone');
    expect(how).toEqual(['done', 'done', 'gone']);
    expect(await hold(ACME, id, async () => 'free again')).toBe('free again');
  });

  it('waits for others of this process, in the order in which they came', async () => {
    const { world, id } = await opened();
    const { hold } = world.open();
    const order: string[] = [];
    const free = Promise.withResolvers<void>();
    const first = hold(ACME, id, async () => {
      await free.promise;
      order.push('first');
    });
    const others = ['second', 'third'].map((name) => hold(ACME, id, async () => void order.push(name)));
    free.resolve();
    await Promise.all([first, ...others]);
    expect(order).toEqual(['first', 'second', 'third']);
  });

  it('waits for other processes, and tries again until they have written', async () => {
    const { world, id } = await opened();
    const pauses: number[] = [];
    const lease = (await world.leases.claimOne('other', { kind: 'x', id, tenant: 'acme' }, 60_000))!;
    const backOff = {
      ...withoutTime,
      random: () => 1,
      sleep: async (ms: number) => {
        pauses.push(ms);
        if (pauses.length === 2) await world.leases.release('other', lease, 'done');
      },
    };
    expect(await world.open({ backOff }).hold(ACME, id, async () => 'written')).toBe('written');
    expect(pauses).toEqual([4, 8]);
  });

  it('gives up once it has waited for too long, for this process or another', async () => {
    const { world, id } = await opened();
    const { hold } = world.open({ backOff: impatient });
    await world.leases.claimOne('other', { kind: 'x', id, tenant: 'acme' }, 60_000);
    await expect(hold(ACME, id, async () => 'written')).rejects.toThrow(WaitedTooLong);
    const own = await opened();
    const mine = own.world.open({ backOff: impatient });
    const inner = mine.hold(ACME, own.id, () => mine.hold(ACME, own.id, async () => 'written'));
    await expect(inner).rejects.toThrow(WaitedTooLong);
  });

  it('knows none but the pushes that its caller may see, and none that is gone', async () => {
    const { world, id } = await opened();
    const { hold } = world.open();
    const use = async () => 'held';
    const missing = { code: 'not_found', message: 'there is no such source group' };
    await expect(hold(ACME, idOf(9), use)).rejects.toMatchObject(missing);
    await expect(hold(callerOf('other'), id, use)).rejects.toMatchObject(missing);
    await expect(hold(callerOf('acme', [idOf(9)]), id, use)).rejects.toMatchObject(missing);
    await world.command(id, { type: 'delete', at: 1 });
    await world.command(id, { type: 'delete_done', contents: 0, sources: 0, bytes: 0, at: 2 });
    await expect(hold(ACME, id, use)).rejects.toMatchObject(missing);
  });
});
