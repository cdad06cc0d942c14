import { describe, expect, it } from 'vitest';
import { lookAtDataSource } from '../../../../application/sources/ingestion/command-data-source.ts';
import { dataSourceStream } from '../../../../application/event-sourcing/streams.ts';
import { dataSource, type DataSourceKind } from '../../../../domain/data-source/index.ts';
import {
  begun,
  claimed,
  completed,
  created,
  deleted,
  purged,
} from '../../../domain/data-source/job-steps.ts';
import { callerOf, NOW } from '../../../support/conversations.ts';
import { COUNTED_CONTENTS } from '../../../support/data-source-view.ts';
import { caller, CRAWL, FILES, openDataSources, repoWith } from './data-sources-in-memory.ts';

const DONE = [claimed, begun, completed];
const NOWHERE = '01900000-0000-7000-8000-00000000ffff';

/** With a crawl whose first job is done. */
const withCrawl = async () => {
  const world = openDataSources();
  const { id } = (await world.create(CRAWL)).record.row;
  await world.after(id, ...DONE);
  return { ...world, id };
};
const withRepo = async () => {
  const world = openDataSources();
  const secretId = await world.secret();
  const { id } = (await world.create(repoWith(secretId))).record.row;
  return { ...world, id, secretId };
};

describe('a data source', () => {
  it('is read and listed with the name and the parameters of its setting', async () => {
    const { operations, id } = await withCrawl();
    const found = await operations.get(caller, 'crawl', id);
    expect(found).toMatchObject({ row: { id, status: 'success' }, name: 'Docs', parameters: CRAWL });
    expect(found).not.toHaveProperty('chunkMetadatas');
    const page = await operations.list(caller, 'crawl', { limit: 9 });
    expect(page).toEqual({ rows: [found], hasMore: false, total: 1 });
    const filtered = await operations.list(caller, 'crawl', { limit: 9 }, { status: 'queued' });
    expect(filtered.rows).toEqual([]);
  });

  it('of files tells how many of its contents have declared metadata, which the catalog counts', async () => {
    const world = openDataSources();
    const { id } = (await world.create(FILES, { waits: true })).record.row;
    expect(await world.operations.get(caller, 'local_file_group', id)).toMatchObject({
      chunkMetadatas: COUNTED_CONTENTS,
    });
    const { rows } = await world.operations.list(caller, 'local_file_group', { limit: 9 });
    expect(rows).toMatchObject([{ chunkMetadatas: COUNTED_CONTENTS }]);
    const { record } = await world.operations.remove(caller, 'local_file_group', id);
    expect(record).toMatchObject({ chunkMetadatas: COUNTED_CONTENTS });
  });

  it('is listed to a restricted key only where it is one of its own', async () => {
    const { operations, id } = await withCrawl();
    const listed = async (only: readonly string[]) =>
      (await operations.list(callerOf('acme', only), 'crawl', { limit: 9 })).rows.length;
    expect([await listed([id]), await listed([NOWHERE])]).toEqual([1, 0]);
  });

  it('is not there for whoever may not see it, by another name of its kind, or once it is gone', async () => {
    const { operations, errors, after, id, execute, view, shared } = await withCrawl();
    const refused = { code: 'not_found', message: 'there is no such crawl' };
    const look = (by = caller, kind: DataSourceKind = 'crawl', of = id) =>
      lookAtDataSource({ execute, view }, by, kind, of);
    const nobody = [callerOf('other'), callerOf('acme', [NOWHERE])];
    for (const by of nobody)
      for (const work of [
        operations.get(by, 'crawl', id),
        operations.cancel(by, 'crawl', id),
        operations.sync(by, 'crawl', id, 'full'),
        operations.remove(by, 'crawl', id),
        errors(by, 'crawl', id, { limit: 9 }),
        look(by),
      ])
        await expect(work).rejects.toMatchObject({ code: 'not_found' });
    const files = { code: 'not_found', message: 'there is no such local file group' };
    await expect(operations.get(caller, 'local_file_group', id)).rejects.toMatchObject(files);
    await expect(operations.cancel(caller, 'local_file_group', id)).rejects.toMatchObject(files);
    await expect(look(caller, 'local_file_group')).rejects.toMatchObject(files);
    await expect(look(caller, 'crawl', NOWHERE)).rejects.toMatchObject(refused);
    await expect(operations.remove(caller, 'crawl', NOWHERE)).rejects.toMatchObject(refused);
    const head = await shared.store.head();
    await after(id, deleted, purged);
    await expect(look()).rejects.toMatchObject(refused);
    await expect(operations.get(caller, 'crawl', id)).rejects.toMatchObject(refused);
    expect((await shared.store.read(head, {}, 9)).events.map(({ type }) => type)).toEqual([
      'DataSourceDeletionRequested',
      'DataSourceDeleted',
    ]);
  });

  it('is looked at as its stream tells it, however far its view is', async () => {
    const { execute, view, id, shared, create } = await withCrawl();
    const position = (await shared.store.readStream(`dataSource-${id}`)).at(-1)!.position;
    await create(CRAWL);
    expect(await lookAtDataSource({ execute, view }, caller, 'crawl', id)).toMatchObject({
      record: { row: { id, tenant: 'acme', status: 'success' }, name: 'Docs', parameters: CRAWL },
      position,
      changed: false,
    });
  });

  it('whose setting is not there has no name and no parameters, and can be deleted', async () => {
    const { execute, view, operations, shared } = openDataSources();
    await execute(dataSource, dataSourceStream(NOWHERE), created(dataSource.initial, NOW), caller.context);
    const { record } = await lookAtDataSource({ execute, view }, caller, 'crawl', NOWHERE);
    expect(record).toMatchObject({ row: { id: NOWHERE }, name: '', parameters: null });
    const { position } = await operations.remove(caller, 'crawl', NOWHERE);
    expect(position).toBe(await shared.store.head());
  });
});

describe('a sync', () => {
  it('queues a job in its mode, and answers the record as it is then', async () => {
    const { operations, id, factsOf, shared } = await withCrawl();
    const { record, position, changed } = await operations.sync(caller, 'crawl', id, 'full');
    expect((await factsOf(id)).at(-1)).toEqual({
      type: 'JobQueued',
      job_id: record.row.jobId,
      attempt: 1,
      trigger: 'sync',
      mode: 'full',
      generation: 2,
      at: shared.time.now,
    });
    expect(record.row).toMatchObject({ id, tenant: 'acme', status: 'queued', mode: 'full', generation: 2 });
    expect([changed, position]).toEqual([true, await shared.store.head()]);
    const again = await operations.sync(caller, 'crawl', id, 'incremental');
    expect(again.changed).toBe(false);
    expect(again.record.row).toMatchObject({ jobId: record.row.jobId, mode: 'full' });
  });

  it('of named items queues them as their connector spells them, by the parameters of the data source', async () => {
    const { operations, id, after, factsOf } = await withRepo();
    await after(id, ...DONE);
    await operations.sync(caller, 'repo', id, 'incremental', ['a.md', 'b.md']);
    expect((await factsOf(id)).at(-1)).toMatchObject({
      type: 'JobQueued',
      mode: 'incremental',
      locators: [`${id} acme/docs a.md`, `${id} acme/docs b.md`],
    });
  });

  it('of named items is only for whoever sees the data source, of its kind, while it is there', async () => {
    const world = await withRepo();
    const { operations, id, after, create, connectors } = world;
    // Whoever may not see it is not even told whether the names would do.
    const itemsToSync = () => Promise.reject(new Error('nobody should have asked'));
    Object.assign(connectors.repo!, { itemsToSync });
    const sync = (by = caller, of = id) => operations.sync(by, 'repo', of, 'full', ['x']);
    const crawl = (await create(CRAWL)).record.row.id;
    const refused = { code: 'not_found', message: 'there is no such repo' };
    const nobody = [
      sync(callerOf('other')),
      sync(callerOf('acme', [NOWHERE])),
      sync(caller, NOWHERE),
      sync(caller, crawl),
    ];
    for (const work of nobody) await expect(work).rejects.toMatchObject(refused);
    await after(id, deleted, purged);
    await expect(sync()).rejects.toMatchObject(refused);
  });
});

describe('canceling and deleting a data source', () => {
  it('cancels a job that waits at once', async () => {
    const world = openDataSources();
    const { id } = (await world.create(CRAWL)).record.row;
    const { record, changed } = await world.operations.cancel(caller, 'crawl', id);
    expect([record.row.status, changed]).toEqual(['canceled', true]);
    expect((await world.factsOf(id)).at(-1)).toMatchObject({ type: 'JobCanceled', at: NOW, by: 'caller' });
  });

  it('hides the content before it answers that the deletion is accepted', async () => {
    const { operations, id, told, factsOf, shared } = await withCrawl();
    told.length = 0;
    const written = await operations.remove(caller, 'crawl', id);
    expect(written).toMatchObject({ record: { row: { status: 'deleting' } }, changed: true });
    expect((await factsOf(id)).at(-1)).toMatchObject({ type: 'DataSourceDeletionRequested' });
    expect([told, written.position]).toEqual([[['withheld', 'acme', id]], await shared.store.head()]);
  });

  it('lets go of its secret, and answers the position of that', async () => {
    const { operations, id, secretId, usesOf, positionOfSecret } = await withRepo();
    expect(await usesOf(secretId)).toBe(1);
    const { position, record } = await operations.remove(caller, 'repo', id);
    expect(position).toBe(await positionOfSecret(secretId));
    expect(record.row.status).toBe('deleting');
    expect(await usesOf(secretId)).toBe(0);
    // Asked once more nothing is left to let go of, which is told at the position of the deletion.
    const again = await operations.remove(caller, 'repo', id);
    expect(again.changed).toBe(false);
  });

  it('answers the position of the deletion where its secret was let go of before', async () => {
    const { operations, id, secretId, shared } = await withRepo();
    await shared.process().uses.detach(caller.context, secretId, id);
    const { position } = await operations.remove(caller, 'repo', id);
    const stream = await shared.store.readStream(`dataSource-${id}`);
    expect([stream.at(-1)!.type, position]).toEqual(['DataSourceDeletionRequested', stream.at(-1)!.position]);
  });
});

describe('what a job could not read', () => {
  it('is told page by page, with up to a thousand items that robots may not read', async () => {
    const { errors, id } = await withCrawl();
    expect(await errors(caller, 'crawl', id, { limit: 5 })).toEqual({
      errors: {
        rows: [{ locator: 'a', code: 'http_500', message: `${id}, up to 5`, at: 1, attempt: 1 }],
        hasMore: false,
        total: 1,
      },
      blocked: [`blocked of ${id}`, 'up to 1000'],
    });
  });
});
