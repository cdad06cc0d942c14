import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPushWorld, type PushWorld } from '../../../support/push-world.ts';

const HALF_AN_HOUR = 30 * 60_000;

let world: PushWorld;
beforeAll(async () => {
  world = await openPushWorld();
}, 120_000);
afterAll(() => world?.close());

/** A push that its executor has left after one document. */
const leftAlone = async () => {
  const one = world.startProcess('one');
  const { id, jobId } = await one.create();
  world.time.now += 10_000;
  await one.put(id, 'a.txt', 'First');
  return { one, id, jobId };
};
const lost = async () => {
  const left = await leftAlone();
  world.time.now += HALF_AN_HOUR;
  await left.one.sweep();
  return left;
};

describe('an executor that falls silent', { timeout: 60_000 }, () => {
  it('makes its job unknown after half an hour, whichever process looks', async () => {
    const { id } = await leftAlone();
    const other = world.startProcess('another');
    world.time.now += HALF_AN_HOUR - 1;
    await other.sweep();
    expect((await world.events(id)).at(-1)).toBe('JobProgressed');
    world.time.now += 1;
    await other.sweep();
    expect((await world.events(id)).at(-1)).toBe('JobStatusLost');
    await other.sweep();
    expect((await world.events(id)).filter((type) => type === 'JobStatusLost')).toHaveLength(1);
  });

  it('is heard by a report that changes nothing', async () => {
    const { one, id } = await leftAlone();
    const before = await world.events(id);
    world.time.now += 1_000;
    await one.put(id, 'a.txt', 'First');
    expect(await world.events(id)).toEqual(before);
    world.time.now += HALF_AN_HOUR - 1;
    await one.sweep();
    expect(await world.events(id)).toEqual(before);
    world.time.now += 1;
    await one.sweep();
    expect((await world.events(id)).at(-1)).toBe('JobStatusLost');
  });

  it('takes its job up again with the next document', async () => {
    const { one, id, jobId } = await lost();
    await one.put(id, 'b.txt', 'After');
    expect(await world.events(id)).toContain('JobStatusReconciled');
    const done = await one.complete(id, jobId);
    expect(done).toMatchObject({ status: 'success', counts: { seen: 2, indexed: 2 } });
    expect(await world.documents(id)).toEqual({
      'a.txt': 'First',
      'b.txt': 'After',
    });
  });

  it('may still say how its job ended', async () => {
    const well = await lost();
    expect(await well.one.complete(well.id, well.jobId)).toMatchObject({
      status: 'success',
      counts: { seen: 1, indexed: 1 },
      error: null,
    });
    const badly = await lost();
    expect(await badly.one.fail(badly.id, badly.jobId)).toMatchObject({
      status: 'failure',
      error: { title: 'Closed', message: 'no answer' },
    });
    expect((await world.events(badly.id)).at(-1)).toBe('JobStatusReconciled');
  });

  it('may be canceled, and followed by another job', async () => {
    const { one, id } = await lost();
    expect((await one.cancel(id)).record.row.status).toBe('canceled');
    expect(await one.open(id)).toMatchObject({ status: 'managed', generation: 2 });
    const other = await lost();
    expect(await other.one.open(other.id)).toMatchObject({ status: 'managed', generation: 2 });
    await expect(other.one.complete(other.id, other.jobId)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('that does not answer a cancel within 180 s has its job canceled', async () => {
    const { one, id, jobId } = await leftAlone();
    await one.cancel(id);
    world.time.now += 179_999;
    await one.sweep();
    expect((await world.events(id)).at(-1)).toBe('JobCancelRequested');
    world.time.now += 1;
    await one.sweep();
    expect((await world.events(id)).at(-1)).toBe('JobCanceled');
    expect(await one.fail(id, jobId)).toMatchObject({ status: 'canceled' });
  });
});
