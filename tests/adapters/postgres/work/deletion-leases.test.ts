import { afterEach, describe, expect, it } from 'vitest';
import { type LeasesWorld, NOW, openLeases } from './leases-world.ts';

const worlds: LeasesWorld[] = [];
/** A data source whose deletion is pending. */
const open = async () => {
  const opened = await openLeases();
  worlds.push(opened);
  const { id } = await opened.queue();
  const setting = await opened.planned(id);
  await opened.run(id, { type: 'delete', at: NOW });
  return { ...opened, id, setting };
};
afterEach(async () => {
  await Promise.all(worlds.splice(0).map(({ world }) => world.close()));
});
const REMOVED = { contents: 0, sources: 0, bytes: 0 };

describe('the lease of a deletion', () => {
  it('keeps its pause when the service is started anew', async () => {
    const { leases } = await open();
    const [lease] = await leases.claim('dead', 1, 60_000);
    await leases.defer('dead', lease!, { ms: 600_000, transient: false });
    expect(await leases.takeOver('me')).toBe(0);
    expect(await leases.claim('me', 5, 60_000)).toEqual([]);
  });

  it('leaves its tenant’s turn to others in the pause', async () => {
    const { leases, queue } = await open();
    const [lease] = await leases.claim('a', 1, 60_000);
    await leases.defer('a', lease!, { ms: 600_000, transient: true });
    const mine = await queue();
    await queue('other');
    expect(await leases.claim('a', 1, 60_000)).toMatchObject([{ id: mine.id }]);
  });

  it('is forgotten with the data source', async () => {
    const { leases, left, id, setting } = await open();
    const [lease] = await leases.claim('a', 1, 60_000);
    await leases.release('b', lease!, 'gone');
    expect(await left(id, setting)).toEqual({ leases: 1, ticks: 1 });
    await leases.release('a', lease!, 'gone');
    expect(await left(id, setting)).toEqual({ leases: 0, ticks: 1 });
  });

  it('and the plan of the schedule are swept where they were left of a removed data source, and nowhere else', async () => {
    const { leases, deletions, left, run, queue, planned, expire, id, setting } = await open();
    const other = await queue();
    const kept = await planned(other.id);
    await leases.claim('a', 5, 60_000);
    await run(id, { type: 'delete_done', ...REMOVED, at: NOW });
    expect(await deletions.forgetRemoved()).toBe(1);
    // The lease is held: whoever holds it puts it down first.
    expect(await left(id, setting)).toEqual({ leases: 1, ticks: 0 });
    await expire();
    expect(await deletions.forgetRemoved()).toBe(1);
    expect(await left(id, setting)).toEqual({ leases: 0, ticks: 0 });
    expect(await left(other.id, kept)).toEqual({ leases: 1, ticks: 1 });
  });

  it('is found by those who take up what was given up so long ago', async () => {
    const { deletions, run, id } = await open();
    const error = { title: 'Deletion failed', message: '' };
    expect(await deletions.failed(NOW + 9, 5)).toEqual([]);
    await run(id, { type: 'delete_failed', error, at: NOW + 5 });
    expect(await deletions.failed(NOW + 4, 5)).toEqual([]);
    expect(await deletions.failed(NOW + 5, 5)).toEqual([{ dataSourceId: id, tenant: 'acme' }]);
    await run(id, { type: 'delete', at: NOW + 6 });
    expect(await deletions.failed(NOW + 9, 5)).toEqual([]);
  });
});
