import { loadDataSourceRecord } from '../../../../application/sources/ingestion/command-data-source.ts';
import { currentParameters } from '../../../../application/sources/ingestion/ingest.ts';
import type { SettingChange } from '../../../../application/sources/ingestion/setting-operations.ts';
import { type DataSourceKind } from '../../../../domain/data-source/index.ts';
import type { Parameters } from '../../../../domain/ingestion-setting/index.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { begun, claimed, completed, deleted, purged } from '../../../domain/data-source/job-steps.ts';
import { NOW, callerOf } from '../../../support/conversations.ts';
import { COUNTED_CONTENTS } from '../../../support/data-source-view.ts';
import { CRAWL, FILES, caller, openDataSources, repoWith } from './data-sources-in-memory.ts';
import { describe, expect, it } from 'vitest';

const DONE = [claimed, begun, completed];

const NOWHERE = '01900000-0000-7000-8000-00000000ffff';

/** With a crawl whose first job is done. */
const withCrawl = async () => {
  const world = openDataSources();
  const { id } = (await world.create(CRAWL)).record.row;
  await world.after(id, ...DONE);
  return { ...world, id };
};

const withRepository = async () => {
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
    expect(found).not.toHaveProperty('chunkMetadataCount');
    const page = await operations.list(caller, 'crawl', { limit: 9 });
    expect(page).toEqual({ rows: [found], hasMore: false, total: 1 });
    const filtered = await operations.list(caller, 'crawl', { limit: 9 }, { status: 'queued' });
    expect(filtered.rows).toEqual([]);
  });

  it('of files tells how many of its contents have declared metadata, which the catalog counts', async () => {
    const world = openDataSources();
    const { id } = (await world.create(FILES, { awaitsFiles: true })).record.row;
    expect(await world.operations.get(caller, 'local_file_group', id)).toMatchObject({
      chunkMetadataCount: COUNTED_CONTENTS,
    });
    const { rows } = await world.operations.list(caller, 'local_file_group', { limit: 9 });
    expect(rows).toMatchObject([{ chunkMetadataCount: COUNTED_CONTENTS }]);
    const { record } = await world.operations.remove(caller, 'local_file_group', id);
    expect(record).toMatchObject({ chunkMetadataCount: COUNTED_CONTENTS });
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
      loadDataSourceRecord({ execute, view }, by, kind, of);
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
    expect(await loadDataSourceRecord({ execute, view }, caller, 'crawl', id)).toMatchObject({
      record: { row: { id, tenant: 'acme', status: 'success' }, name: 'Docs', parameters: CRAWL },
      position,
      changed: false,
    });
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
    const { operations, id, after, factsOf } = await withRepository();
    await after(id, ...DONE);
    await operations.sync(caller, 'repo', id, 'incremental', ['a.md', 'b.md']);
    expect((await factsOf(id)).at(-1)).toMatchObject({
      type: 'JobQueued',
      mode: 'incremental',
      locators: [`${id} acme/docs a.md`, `${id} acme/docs b.md`],
    });
  });

  it('of named items is only for whoever sees the data source, of its kind, while it is there', async () => {
    const world = await withRepository();
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
  it('hides the content before it answers that the deletion is accepted', async () => {
    const { operations, id, told, factsOf, shared } = await withCrawl();
    told.length = 0;
    const written = await operations.remove(caller, 'crawl', id);
    expect(written).toMatchObject({ record: { row: { status: 'deleting' } }, changed: true });
    expect((await factsOf(id)).at(-1)).toMatchObject({ type: 'DataSourceDeletionRequested' });
    expect([told, written.position]).toEqual([[['withheld', 'acme', id]], await shared.store.head()]);
  });

  it('lets go of its secret, and answers the position of that', async () => {
    const { operations, id, secretId, usesOf, positionOfSecret } = await withRepository();
    expect(await usesOf(secretId)).toBe(1);
    const { position, record } = await operations.remove(caller, 'repo', id);
    expect(position).toBe(await positionOfSecret(secretId));
    expect(record.row.status).toBe('deleting');
    expect(await usesOf(secretId)).toBe(0);
    // Asked once more nothing is left to let go of, which is told at the position of the deletion.
    const again = await operations.remove(caller, 'repo', id);
    expect(again.changed).toBe(false);
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

const DAILY = 'FREQ=DAILY';

/** The setting of a new data source. */
const withSetting = async (parameters: Parameters = CRAWL, rrule?: string) => {
  const world = openDataSources();
  const { row } = (await world.create(parameters, rrule === undefined ? {} : { rrule })).record;
  const kind = parameters.kind as 'crawl';
  const id = row.ingestionSettingId;
  return {
    ...world,
    id,
    dataSourceId: row.id,
    change: (change: SettingChange, by = caller) => world.settings.change(by, kind, id, change),
    facts: async () => (await world.factsOfSetting(id)).map(({ type }) => type),
  };
};

describe('an ingestion setting', () => {
  it('is changed by what is given alone, and answered as it is then', async () => {
    const { change, facts, id, dataSourceId, shared } = await withSetting();
    const parameters = { maxDepth: 9, htmlOnly: true };
    const { record, position, changed } = await change({ name: 'Other', rrule: DAILY, parameters });
    expect(record).toEqual({
      id,
      tenant: 'acme',
      dataSourceId,
      name: 'Other',
      parameters: { ...CRAWL, ...parameters },
      schedule: { rrule: DAILY, start: NOW },
      revision: 3n,
    });
    expect([changed, position]).toEqual([true, await shared.store.head()]);
    expect(await facts()).toEqual([
      'IngestionSettingCreated',
      'IngestionSettingRenamed',
      'IngestionParametersChanged',
      'ScheduleSet',
    ]);
    expect(await change({})).toMatchObject({ changed: false, record });
    expect(await facts()).toHaveLength(4);
  });

  it('keeps its schedule where a rule is not given, and loses it where it is null', async () => {
    const { change, facts } = await withSetting(CRAWL, DAILY);
    expect((await change({ name: 'Other' })).record.schedule).toEqual({ rrule: DAILY, start: NOW });
    expect((await change({ rrule: null })).record.schedule).toBeNull();
    expect((await facts()).at(-1)).toBe('ScheduleRemoved');
  });

  it.each(['', ' \t'])('takes no empty rule for the end of the schedule: %j', async (rrule) => {
    const { change, facts } = await withSetting(CRAWL, DAILY);
    await expect(change({ rrule, name: 'Other' })).rejects.toMatchObject({
      code: 'invalid_rrule',
      message: 'the rule is empty: send null to remove the schedule',
    });
    expect(await facts()).toEqual(['IngestionSettingCreated']);
  });

  it('is judged by its connector as the change would leave it, and only where parameters change', async () => {
    const { change, facts, connectors } = await withSetting();
    const looked: unknown[] = [];
    Object.assign(connectors.crawl!, { check: (parameters: unknown) => void looked.push(parameters) });
    await change({ name: 'Other' });
    expect(looked).toEqual([]);
    await change({ parameters: { maxDepth: 9 } });
    expect(looked).toEqual([{ ...CRAWL, maxDepth: 9 }]);
    const refusal = new DomainError('pattern_invalid', 'it cannot be read');
    Object.assign(connectors.crawl!, {
      check: () => {
        throw refusal;
      },
    });
    const before = (await facts()).length;
    await expect(change({ name: 'Third', parameters: { maxDepth: 1 } })).rejects.toBe(refusal);
    expect(await facts()).toHaveLength(before);
  });

  it('is not there for whoever may not see its data source, nor under another kind, nor when that is gone', async () => {
    const { settings, id, dataSourceId, after, facts } = await withSetting();
    const refused = { code: 'not_found', message: 'there is no such ingestion setting' };
    const change = (by = caller, kind = 'crawl', of = id) =>
      settings.change(by, kind as 'crawl', of, { name: 'Other' });
    const get = (by = caller, kind = 'crawl', of = id) => settings.get(by, kind as 'crawl', of);
    for (const work of [change, get]) {
      const nobody = [callerOf('other'), callerOf('acme', [NOWHERE])];
      for (const by of nobody) await expect(work(by)).rejects.toMatchObject(refused);
      await expect(work(caller, 'repo')).rejects.toMatchObject(refused);
      await expect(work(caller, 'crawl', NOWHERE)).rejects.toMatchObject(refused);
    }
    const own = callerOf('acme', [dataSourceId]);
    expect([(await get(own)).id, (await change(own)).changed]).toEqual([id, true]);
    const before = await facts();
    await after(dataSourceId, deleted);
    // It may yet be taken up again, as long as it is there.
    expect((await change()).changed).toBe(false);
    await after(dataSourceId, purged);
    await expect(change()).rejects.toMatchObject(refused);
    expect(await facts()).toEqual(before);
  });

  it('tells the next times at which its schedule queues a job, and none without a schedule', async () => {
    const { settings, id, change, shared } = await withSetting(CRAWL, DAILY);
    shared.time.now += 5;
    expect(await settings.occurrences(caller, 'crawl', id, 2)).toEqual([2 * NOW + 5, 2 * NOW + 6]);
    await change({ rrule: null });
    expect(await settings.occurrences(caller, 'crawl', id, 2)).toEqual([]);
    await expect(settings.occurrences(callerOf('other'), 'crawl', id, 2)).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('a setting that names a secret', () => {
  const withRepo = async () => {
    const world = openDataSources();
    const [first, second] = [await world.secret(), await world.secret('basic')];
    const { row } = (await world.create(repoWith(first))).record;
    const name = (secretId: string | null, more: SettingChange = {}, by = caller) =>
      world.settings.change(by, 'repo', row.ingestionSettingId, { ...more, parameters: { secretId } });
    const uses = async () => [await world.usesOf(first), await world.usesOf(second)];
    return { ...world, world, first, second, row, name, uses };
  };

  it('lets go of the former one, and answers the position of that', async () => {
    const { name, second, first, uses, positionOfSecret } = await withRepo();
    const { position } = await name(second);
    expect(position).toBe(await positionOfSecret(first));
    expect(await uses()).toEqual([0, 1]);
    expect((await name(null)).position).toBe(await positionOfSecret(second));
    expect(await uses()).toEqual([0, 0]);
    // There is no former one to let go of.
    const { position: at } = await name(first);
    expect(at > (await positionOfSecret(first))).toBe(true);
  });

  it('attaches nothing where a change leaves the secret as it is, so that a restricted key may make it', async () => {
    const { name, first, row, settings, uses } = await withRepo();
    const own = callerOf('acme', [row.id]);
    expect((await name(first, { name: 'Other' }, own)).record.name).toBe('Other');
    const change = { parameters: { pathFilters: ['*.md'] } };
    expect((await settings.change(own, 'repo', row.ingestionSettingId, change)).changed).toBe(true);
    expect((await settings.change(own, 'repo', row.ingestionSettingId, { name: 'Third' })).changed).toBe(
      true,
    );
    expect(await uses()).toEqual([1, 0]);
  });

  it('takes another one from an unrestricted key alone', async () => {
    const { name, second, row, uses } = await withRepo();
    await expect(name(second, {}, callerOf('acme', [row.id]))).rejects.toMatchObject({
      code: 'key_restricted',
      message: expect.stringMatching(/^naming another secret needs/) as string,
    });
    // To name none is no use of another one.
    await name(null, {}, callerOf('acme', [row.id]));
    expect(await uses()).toEqual([0, 0]);
  });

  it('leaves the new one as it was where the change is refused, and attached where it may have been written', async () => {
    const { name, second, uses, world, connectors } = await withRepo();
    world.refusal = new DomainError('invalid_request', 'so the test wants it');
    await expect(name(second)).rejects.toBe(world.refusal);
    expect(await uses()).toEqual([1, 0]);
    world.refusal = new Error('the connection broke');
    await expect(name(second)).rejects.toBe(world.refusal);
    expect(await uses()).toEqual([1, 1]);
    const { secretTypes: _, ...untyped } = connectors.repo!;
    Object.assign(connectors, { repo: untyped });
    world.refusal = null;
    // No type fits a connector that names none.
    await name(null);
    await expect(name(second)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('the parameters that a job goes by', () => {
  it('are those in force, each with the time of its last change', async () => {
    const { change, id, execute, shared } = await withSetting();
    expect(await currentParameters({ execute }, 'acme', id)).toEqual({ parameters: CRAWL, changedAt: {} });
    shared.time.now = NOW + 1;
    await change({ parameters: { maxDepth: 9, htmlOnly: true } });
    shared.time.now = NOW + 2;
    await change({ parameters: { maxDepth: 8, htmlOnly: true }, name: 'Other' });
    expect(await currentParameters({ execute }, 'acme', id)).toEqual({
      parameters: { ...CRAWL, maxDepth: 8, htmlOnly: true },
      changedAt: { maxDepth: NOW + 2, htmlOnly: NOW + 1 },
    });
  });

  it('cannot be guessed where the setting is missing, or is of another tenant', async () => {
    const { id, execute } = await withSetting();
    const missing = (of: string) => `ingestion setting ${of} is missing`;
    await expect(currentParameters({ execute }, 'acme', NOWHERE)).rejects.toThrow(missing(NOWHERE));
    await expect(currentParameters({ execute }, 'other', id)).rejects.toThrow(missing(id));
  });
});
