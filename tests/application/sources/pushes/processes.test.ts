import { ContentionTimeout, withoutPauses } from '../../../../application/event-sourcing/back-off.ts';
import { callerOf } from '../../../support/conversations.ts';
import { idOf } from '../../../support/memory-parts.ts';
import { type PushWorld, openPushWorld } from '../../../support/push-world.ts';
import { ACME, pushesInMemory } from '../../../support/pushes-in-memory.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let shared: PushWorld;

beforeAll(async () => {
  shared = await openPushWorld();
}, 120_000);

afterAll(() => shared?.close());

describe('two processes that take reports of one push', { timeout: 120_000 }, () => {
  it('agree on the version that was recorded last', async () => {
    const [one, two] = [shared.startProcess('one'), shared.startProcess('two')];
    const { id, jobId } = await one.create();
    const reports = Array.from({ length: 10 }, (_, i) =>
      (i % 2 === 0 ? one : two).put(id, 'a.md', `Title ${i}`),
    );
    const written = await Promise.all(reports);
    const last = written.toSorted((a, b) => (a.position < b.position ? -1 : 1)).at(-1)!.record.title;
    expect(await shared.documents(id)).toEqual({ 'a.md': last });
    // The ledger knows that version: the same again changes nothing, and any other does.
    expect((await two.put(id, 'a.md', last)).changed).toBe(false);
    expect((await two.put(id, 'a.md', 'Another')).changed).toBe(true);
    expect(await one.complete(id, jobId)).toMatchObject({ status: 'success', counts: { seen: 1 } });
  });

  it('take turns: while one of them records, the other waits', async () => {
    const impatient = { ...withoutPauses, deadline: () => AbortSignal.abort() };
    const [one, two] = [shared.startProcess('one'), shared.startProcess('two', impatient)];
    const { id } = await one.create();
    const refused: string[] = [];
    one.steps.before = async (_, name) => {
      if (name !== 'move' && name !== 'recordHeartbeat') return;
      await two.put(id, 'a.md', 'Second').catch((error: Error) => refused.push(error.name));
      await two.remove(id, 'a.md').catch((error: Error) => refused.push(error.name));
    };
    await one.put(id, 'a.md', 'First');
    expect(refused).toEqual(Array.from({ length: 4 }, () => 'ContentionTimeout'));
    expect((await two.put(id, 'a.md', 'Second')).changed).toBe(true);
    expect(await shared.documents(id)).toEqual({ 'a.md': 'Second' });
  });

  it('record no document of a job that has ended meanwhile', async () => {
    const [one, two] = [shared.startProcess('one'), shared.startProcess('two')];
    const { id, jobId } = await one.create();
    const puts = ['a.md', 'b.md', 'c.md'].map((locator) => one.put(id, locator, locator));
    const outcomes = await Promise.allSettled([...puts, two.complete(id, jobId)]);
    const recorded = outcomes.slice(0, 3).filter(({ status }) => status === 'fulfilled').length;
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [(outcome.reason as { readonly code: string }).code] : [],
    );
    expect(refused).toEqual(Array.from({ length: 3 - recorded }, () => 'conflict'));
    expect(Object.keys(await shared.documents(id))).toHaveLength(recorded);
    expect(await one.complete(id, jobId)).toMatchObject({ counts: { indexed: recorded } });
  });
});

it('versions that were replaced leave no files, while the job of the push goes on', async () => {
  const process = shared.startProcess('one');
  const { id } = await process.create();
  for (let version = 0; version < 5; version++)
    for (const locator of ['a.md', 'b.md']) await process.put(id, locator, `Version ${version}`);
  expect(await shared.filesAfterSweep(id)).toBe(4);
  expect(await shared.files(id)).toBe(4);
  expect(await shared.documents(id)).toEqual({ 'a.md': 'Version 4', 'b.md': 'Version 4' });
  // The next replacement is looked for anew; this process believes that its mark still stands, for it is not due.
  await shared.startProcess('two').put(id, 'a.md', 'Version 5');
  expect(await shared.filesAfterSweep(id)).toBe(4);
});

describe('a process that dies while it takes a report', { timeout: 240_000 }, () => {
  const STEPS = 8;

  it.each(Array.from({ length: STEPS }, (_, i) => i + 1))(
    'before its step %i leaves nothing that the report made anew does not mend',
    async (killAt) => {
      const calm = shared.startProcess('calm');
      const { id, jobId } = await calm.create();
      await calm.put(id, 'a.md', 'Former');
      await calm.put(id, 'b.md', 'Other');
      shared.time.now += 10_000;

      const mortal = shared.startProcess('mortal');
      mortal.steps.killAt = killAt;
      const died = await mortal.put(id, 'a.md', 'Newer').then(
        () =>
          mortal.put(id, 'c.md', 'Third').then(
            () => false,
            () => true,
          ),
        () => true,
      );
      expect(died).toBe(true);
      await shared.afterDeaths();

      await calm.put(id, 'a.md', 'Newer');
      await calm.put(id, 'c.md', 'Third');
      const done = await calm.complete(id, jobId);
      expect(done).toMatchObject({ status: 'success', counts: { seen: 3, failed: 0 } });
      expect(await shared.documents(id)).toEqual({ 'a.md': 'Newer', 'b.md': 'Other', 'c.md': 'Third' });
      expect(await shared.files(id)).toBe(6);
      expect(await shared.filesAfterSweep(id)).toBe(6);
    },
  );

  it('when it takes a document out leaves it there, or gone', async () => {
    for (const killAt of [1, 2, 3]) {
      const calm = shared.startProcess('calm');
      const { id } = await calm.create();
      await calm.put(id, 'a.md', 'First');
      const mortal = shared.startProcess('mortal');
      mortal.steps.killAt = killAt;
      await expect(mortal.remove(id, 'a.md')).rejects.toThrow('before');
      await shared.afterDeaths();
      const again = await calm.remove(id, 'a.md').then(
        () => 'removed',
        ({ code }: { readonly code: string }) => code,
      );
      expect(['removed', 'not_found']).toContain(again);
      expect(await shared.documents(id)).toEqual({});
      expect((await calm.put(id, 'a.md', 'First')).record).toMatchObject({ status: 'indexed' });
      expect(await shared.documents(id)).toEqual({ 'a.md': 'First' });
    }
  });
});

const opened = async () => {
  const world = pushesInMemory();
  const { id } = await world.open().create();
  return { world, id };
};

const impatient = { ...withoutPauses, deadline: () => AbortSignal.abort() };

describe('whoever holds a push', () => {
  it('waits for other processes, and tries again until they have written', async () => {
    const { world, id } = await opened();
    const pauses: number[] = [];
    const lease = (await world.leases.claimOne('other', { kind: 'x', id, tenant: 'acme' }, 60_000))!;
    const backOff = {
      ...withoutPauses,
      random: () => 1,
      sleep: async (ms: number) => {
        pauses.push(ms);
        if (pauses.length === 2) await world.leases.release('other', lease, 'done');
      },
    };
    expect(await world.open({ backOff }).lockPush(ACME, id, async () => 'written')).toBe('written');
    expect(pauses).toEqual([4, 8]);
  });

  it('gives up once it has waited for too long, for this process or another', async () => {
    const { world, id } = await opened();
    const { lockPush } = world.open({ backOff: impatient });
    await world.leases.claimOne('other', { kind: 'x', id, tenant: 'acme' }, 60_000);
    await expect(lockPush(ACME, id, async () => 'written')).rejects.toThrow(ContentionTimeout);
    const own = await opened();
    const mine = own.world.open({ backOff: impatient });
    const inner = mine.lockPush(ACME, own.id, () => mine.lockPush(ACME, own.id, async () => 'written'));
    await expect(inner).rejects.toThrow(ContentionTimeout);
  });

  it('knows none but the pushes that its caller may see, and none that is gone', async () => {
    const { world, id } = await opened();
    const { lockPush } = world.open();
    const use = async () => 'held';
    const missing = { code: 'not_found', message: 'there is no such source group' };
    await expect(lockPush(ACME, idOf(9), use)).rejects.toMatchObject(missing);
    await expect(lockPush(callerOf('other'), id, use)).rejects.toMatchObject(missing);
    await expect(lockPush(callerOf('acme', [idOf(9)]), id, use)).rejects.toMatchObject(missing);
    await world.command(id, { type: 'delete', at: 1 });
    await world.command(id, { type: 'delete_done', contents: 0, sources: 0, bytes: 0, at: 2 });
    await expect(lockPush(ACME, id, use)).rejects.toMatchObject(missing);
  });
});
