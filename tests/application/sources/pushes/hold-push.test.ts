import { describe, expect, it } from 'vitest';
import { PUSH_WRITE } from '../../../../application/sources/ingestion/kinds-of-work.ts';
import { WaitedTooLong, withoutTime } from '../../../../application/event-sourcing/back-off.ts';
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
