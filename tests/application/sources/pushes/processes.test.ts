import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutTime } from '../../../../application/event-sourcing/back-off.ts';
import { openPushWorld, type PushWorld } from '../../../support/push-world.ts';

let world: PushWorld;
beforeAll(async () => {
  world = await openPushWorld();
}, 120_000);
afterAll(() => world?.close());

describe('two processes that take reports of one push', { timeout: 120_000 }, () => {
  it('agree on the version that was recorded last', async () => {
    const [one, two] = [world.startProcess('one'), world.startProcess('two')];
    const { id, jobId } = await one.create();
    const reports = Array.from({ length: 10 }, (_, i) =>
      (i % 2 === 0 ? one : two).put(id, 'a.md', `Title ${i}`),
    );
    const written = await Promise.all(reports);
    const last = written.toSorted((a, b) => (a.position < b.position ? -1 : 1)).at(-1)!.record.title;
    expect(await world.documents(id)).toEqual({ 'a.md': last });
    // The ledger knows that version: the same again changes nothing, and any other does.
    expect((await two.put(id, 'a.md', last)).changed).toBe(false);
    expect((await two.put(id, 'a.md', 'Another')).changed).toBe(true);
    expect(await one.complete(id, jobId)).toMatchObject({ status: 'success', counts: { seen: 1 } });
  });

  it('take turns: while one of them records, the other waits', async () => {
    const impatient = { ...withoutTime, deadline: () => AbortSignal.abort() };
    const [one, two] = [world.startProcess('one'), world.startProcess('two', impatient)];
    const { id } = await one.create();
    const refused: string[] = [];
    one.steps.before = async (_, name) => {
      if (name !== 'move' && name !== 'heard') return;
      await two.put(id, 'a.md', 'Second').catch((error: Error) => refused.push(error.name));
      await two.remove(id, 'a.md').catch((error: Error) => refused.push(error.name));
    };
    await one.put(id, 'a.md', 'First');
    expect(refused).toEqual(Array.from({ length: 4 }, () => 'WaitedTooLong'));
    expect((await two.put(id, 'a.md', 'Second')).changed).toBe(true);
    expect(await world.documents(id)).toEqual({ 'a.md': 'Second' });
  });

  it('record no document of a job that has ended meanwhile', async () => {
    const [one, two] = [world.startProcess('one'), world.startProcess('two')];
    const { id, jobId } = await one.create();
    const puts = ['a.md', 'b.md', 'c.md'].map((locator) => one.put(id, locator, locator));
    const outcomes = await Promise.allSettled([...puts, two.complete(id, jobId)]);
    const recorded = outcomes.slice(0, 3).filter(({ status }) => status === 'fulfilled').length;
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [(outcome.reason as { readonly code: string }).code] : [],
    );
    expect(refused).toEqual(Array.from({ length: 3 - recorded }, () => 'conflict'));
    expect(Object.keys(await world.documents(id))).toHaveLength(recorded);
    expect(await one.complete(id, jobId)).toMatchObject({ counts: { indexed: recorded } });
  });
});

describe('a process that dies while it takes a report', { timeout: 240_000 }, () => {
  const STEPS = 8;

  it.each(Array.from({ length: STEPS }, (_, i) => i + 1))(
    'before its step %i leaves nothing that the report made anew does not mend',
    async (killAt) => {
      const calm = world.startProcess('calm');
      const { id, jobId } = await calm.create();
      await calm.put(id, 'a.md', 'Former');
      await calm.put(id, 'b.md', 'Other');
      world.time.now += 10_000;

      const mortal = world.startProcess('mortal');
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
      await world.afterDeaths();

      await calm.put(id, 'a.md', 'Newer');
      await calm.put(id, 'c.md', 'Third');
      const done = await calm.complete(id, jobId);
      expect(done).toMatchObject({ status: 'success', counts: { seen: 3, failed: 0 } });
      expect(await world.documents(id)).toEqual({ 'a.md': 'Newer', 'b.md': 'Other', 'c.md': 'Third' });
      expect(await world.files(id)).toBe(6);
    },
  );

  it('when it takes a document out leaves it there, or gone', async () => {
    for (const killAt of [1, 2, 3]) {
      const calm = world.startProcess('calm');
      const { id } = await calm.create();
      await calm.put(id, 'a.md', 'First');
      const mortal = world.startProcess('mortal');
      mortal.steps.killAt = killAt;
      await expect(mortal.remove(id, 'a.md')).rejects.toThrow('before');
      await world.afterDeaths();
      const again = await calm.remove(id, 'a.md').then(
        () => 'removed',
        ({ code }: { readonly code: string }) => code,
      );
      expect(['removed', 'not_found']).toContain(again);
      expect(await world.documents(id)).toEqual({});
      expect((await calm.put(id, 'a.md', 'First')).record).toMatchObject({ status: 'indexed' });
      expect(await world.documents(id)).toEqual({ 'a.md': 'First' });
    }
  });
});
