import { describe, expect, it } from 'vitest';
import { sourceStream } from '../../../../application/event-sourcing/streams.ts';
import { source } from '../../../../domain/source/decider.ts';
import { callerOf, refused } from '../../../support/conversations.ts';
import { ACME, pushesInMemory } from '../../../support/pushes-in-memory.ts';

const TEXT = 'Falcons\nThey dive.';

const opened = async () => {
  const world = pushesInMemory();
  const one = world.open();
  const row = await one.create();
  world.time.now += 10_000;
  const { record } = await one.put(row.id, 'a.txt', TEXT);
  world.time.now += 10_000;
  return { world, one, id: row.id, jobId: row.jobId, document: record };
};

describe('a document that its executor takes out', () => {
  it('is answered as it was, at the position of the fact, and told of as gone', async () => {
    const { world, one, id, jobId, document } = await opened();
    const { record, position, changed } = await one.remove(ACME, id, 'a.txt');
    expect([record, changed]).toEqual([document, true]);
    const events = await world.store.readStream(sourceStream(document.id));
    expect(events.at(-1)).toMatchObject({
      type: 'SourceRemoved',
      position,
      data: { reason: 'gone', job_id: jobId, generation: 1, at: world.time.now },
    });
  });

  it('is withheld from every read, and its files with it, until the catalog knows', async () => {
    const { world, one, id, document } = await opened();
    const { position } = await one.remove(ACME, id, 'a.txt');
    expect(world.tombstones).toEqual([
      {
        sourceId: document.id,
        dataSourceId: id,
        tenant: 'acme',
        revision: 1n,
        generation: 1,
        position,
        files: [world.hash.sha256(TEXT), expect.stringMatching(/^[0-9a-f]{64}$/)],
      },
    ]);
    const failed = await one.put(id, 'b.txt', '!broken');
    await one.remove(ACME, id, 'b.txt');
    expect(world.tombstones.at(-1)).toMatchObject({ sourceId: failed.record.id, files: [] });
  });

  it('is there no more: it is not found, and counts no more', async () => {
    const { one, id, jobId } = await opened();
    await one.remove(ACME, id, 'a.txt');
    await expect(one.remove(ACME, id, 'a.txt')).rejects.toMatchObject({
      code: 'not_found',
      message: 'there is no such document in this push',
    });
    const { record } = await one.jobs.complete(ACME, id, jobId);
    expect(record.row.counts.seen).toBe(0);
  });

  it('may be brought again, byte for byte, and is read then', async () => {
    const { world, one, id, document } = await opened();
    await one.remove(ACME, id, 'a.txt');
    const again = await one.put(id, 'a.txt', TEXT);
    expect(again.record).toMatchObject({ id: document.id, status: 'indexed' });
    expect(world.read).toEqual(['a.txt', 'a.txt']);
  });

  it('takes with it what was wrong with its rows', async () => {
    const { world, one, id } = await opened();
    const { itemStore, time } = world;
    const none = { sourceId: null, fingerprint: null, bytes: 0, at: time.now, attempt: 1 };
    const row = { outcome: 'row_failed', code: 'row_invalid', message: 'no number', ...none } as const;
    const run = { dataSourceId: id, generation: 1, judgedSince: 0 };
    await itemStore.commit(run, [{ ...row, locator: 'a.txt#row=2' }]);
    await one.remove(ACME, id, 'a.txt');
    expect((await itemStore.errors(id, { limit: 9 })).rows).toEqual([]);
  });

  it('is forgotten by the item store before the fact: broken off in between, it would be read again', async () => {
    const { world, id } = await opened();
    const away = world.open({
      execute: Object.assign(() => Promise.reject(new Error('the log is away')), world.execute),
    });
    await expect(away.remove(ACME, id, 'a.txt')).rejects.toThrow('the log is away');
    const run = { dataSourceId: id, generation: 1, judgedSince: 0 };
    expect(await world.itemStore.known(run, ['a.txt'])).toEqual(new Map());
    expect(world.tombstones).toEqual([]);
  });

  it('has a job that was given up for lost go on', async () => {
    const { world, one, id } = await opened();
    await world.command(id, { type: 'lost', at: world.time.now });
    await one.remove(ACME, id, 'a.txt');
    expect(await world.eventsOf(id)).toContain('JobStatusReconciled');
  });

  it('stays where a newer job has written of it', async () => {
    const { world, one, id } = await opened();
    const { record } = await one.put(id, 'b.txt', TEXT);
    const newer = {
      type: 'record_skipped',
      reason: 'unsupported_file_type',
      dataSourceId: id,
      sourceType: 'push',
      locator: 'b.txt',
      jobId: 'newer',
      generation: 2,
      at: world.time.now,
    };
    await world.execute(source, sourceStream(record.id), newer as never, ACME.context);
    await expect(one.remove(ACME, id, 'b.txt')).rejects.toMatchObject({
      code: 'conflict',
      message: 'a newer job has written of this document',
    });
  });

  it('is refused by a name that is none, by a push that takes none, and to whoever may not see it', async () => {
    const { world, one, id, jobId, document } = await opened();
    const code = (caller: typeof ACME, locator: string) => refused(one.remove(caller, id, locator));
    expect(await code(ACME, '')).toBe('invalid_request');
    expect(await code(ACME, 'nothing.txt')).toBe('not_found');
    expect(await code(callerOf('other'), 'a.txt')).toBe('not_found');
    await one.jobs.complete(ACME, id, jobId);
    expect(await code(ACME, 'a.txt')).toBe('conflict');
    expect(await world.eventsOfDocument(document.id)).toEqual(['SourceIndexed']);
  });
});
