import { describe, expect, it } from 'vitest';
import { derivedId, idempotencyStream } from '../../../../application/event-sourcing/streams.ts';
import { executorOf } from '../../../../application/sources/ingestion/create-data-source.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { NO_COUNTS } from '../../../../domain/data-source/index.ts';
import { sha256 } from '../../../../adapters/system/identity.ts';
import { begun, claimed, completed } from '../../../domain/data-source/job-steps.ts';
import { callerOf, NOW } from '../../../support/conversations.ts';
import { caller, CRAWL, FILES, openDataSources, PUSH, repoWith } from './data-sources-in-memory.ts';

const REFUSED = new DomainError('invalid_request', 'so the test wants it');

describe('creating a data source', () => {
  it('writes its setting, then itself with its first job, and answers the record', async () => {
    const world = openDataSources();
    const metadata = [{ key: 'team', val: 'search' }];
    const { record, position, changed } = await world.create(CRAWL, { name: 'Our docs', metadata });
    const { id, ingestionSettingId, jobId } = record.row;
    expect(await world.factsOfSetting(ingestionSettingId)).toEqual([
      expect.objectContaining({
        type: 'IngestionSettingCreated',
        data_source_id: id,
        name: 'Our docs',
        parameters: expect.objectContaining({ kind: 'crawl', start_url: CRAWL.startUrl }),
        schedule: null,
        at: NOW,
      }),
    ]);
    expect(await world.factsOf(id)).toEqual([
      {
        type: 'DataSourceRegistered',
        subject: { kind: 'crawl', start_url: CRAWL.startUrl },
        ingestion_setting_id: ingestionSettingId,
        metadata,
        job_id: jobId,
        at: NOW,
      },
      {
        type: 'JobQueued',
        job_id: jobId,
        attempt: 1,
        trigger: 'create',
        mode: 'full',
        generation: 1,
        at: NOW,
      },
    ]);
    expect(record).toMatchObject({ name: 'Our docs', parameters: CRAWL });
    expect(record.row).toMatchObject({ tenant: 'acme', status: 'queued', metadata, counts: NO_COUNTS });
    expect([changed, position]).toEqual([true, await world.shared.store.head()]);
  });

  it('keeps the schedule of its rule, from the time of the request on', async () => {
    const world = openDataSources();
    const { row } = (await world.create(CRAWL, { rrule: 'FREQ=DAILY' })).record;
    expect(await world.factsOfSetting(row.ingestionSettingId)).toMatchObject([
      { schedule: { rrule: 'FREQ=DAILY', start: NOW } },
    ]);
    world.schedule = () => Promise.reject(new DomainError('invalid_rrule', 'no such rule'));
    const before = await world.shared.store.head();
    await expect(world.create(CRAWL, { rrule: 'FREQ=NEVER' })).rejects.toMatchObject({
      code: 'invalid_rrule',
    });
    expect(await world.shared.store.head()).toBe(before);
  });

  it('hands the job to whoever has the key, where it is done outside', async () => {
    const world = openDataSources();
    const { row } = (await world.create(PUSH)).record;
    expect(await world.factsOf(row.id)).toMatchObject([
      { type: 'DataSourceRegistered' },
      { type: 'JobQueued' },
      { type: 'JobHandedOff', executor: 'api_key:key-1', external_id: '' },
    ]);
    expect(executorOf(callerOf('acme'))).toEqual({ executor: 'api_key:key-1', externalId: '' });
  });

  it('attaches the secret that it names, of a type that its provider knows', async () => {
    const world = openDataSources();
    const secretId = await world.secret();
    await world.create(repoWith(secretId));
    expect(await world.usesOf(secretId)).toBe(1);
    const nowhere = world.create(repoWith('01900000-0000-7000-8000-00000000ffff'));
    await expect(nowhere).rejects.toMatchObject({ code: 'secret_not_found' });
  });

  it('is refused without a secret where the provider shows nothing without one, and told how to keep one', async () => {
    const world = openDataSources();
    await expect(world.create(repoWith(null))).rejects.toMatchObject({
      code: 'invalid_request',
      message:
        'secret_id is required: the provider returns nothing without a secret. Create one with POST /secrets, of type token or basic, ' +
        'and send its id here',
    });
    const { needsSecret: _, ...optional } = world.connectors.repo!;
    Object.assign(world.connectors, { repo: optional });
    expect((await world.create(repoWith(null))).record.row.status).toBe('queued');
  });

  it('leaves nothing behind where the connector refuses the parameters, or there is no connector', async () => {
    const world = openDataSources();
    world.refusal = REFUSED;
    await expect(world.create(CRAWL)).rejects.toBe(REFUSED);
    await expect(world.create(CRAWL, { key: 'k' })).rejects.toBe(REFUSED);
    const types = (await world.shared.store.read('', {}, 9)).events.map(({ type }) => type);
    expect(types).toEqual(['IdempotencyKeyClaimed', 'IdempotencyKeyReleased']);
    await expect(world.create({ kind: 'wiki' } as never)).rejects.toMatchObject({
      code: 'not_configured',
      message: 'this service has no connector for wiki',
    });
    const broken = new Error('the pattern compiler broke');
    world.refusal = broken;
    const before = await world.shared.store.head();
    await expect(world.create(CRAWL, { key: 'other' })).rejects.toBe(broken);
    expect(await world.shared.store.head()).toBe(before);
  });

  it('is not for a key that is restricted to source groups', async () => {
    const world = openDataSources();
    await expect(world.create(CRAWL, { by: callerOf('acme', ['g']) })).rejects.toMatchObject({
      code: 'key_restricted',
      message: expect.stringMatching(/^creating a data source needs/) as string,
    });
    expect(await world.shared.store.head()).toBe('');
  });
});

describe('a creation that is repeated with its key', () => {
  it('writes nothing more, and answers as the first did, whatever has become of the data source', async () => {
    const world = openDataSources();
    const first = await world.create(CRAWL, { key: 'k' });
    await world.after(first.record.row.id, claimed, begun, completed);
    world.shared.time.now += 1_000;
    const again = await world.create(CRAWL, { key: 'k' });
    expect(again.record).toEqual(first.record);
    expect([again.changed, again.replayed]).toEqual([false, true]);
    expect(await world.factsOf(first.record.row.id)).toHaveLength(5);
    const claim = derivedId(sha256, 'idempotency', 'acme', 'createCrawl', 'k');
    expect(await world.shared.store.readStream(idempotencyStream(claim))).not.toEqual([]);
  });

  it('is of a kind, under a name of several words too, and of one body', async () => {
    const world = openDataSources();
    const { record } = await world.create(FILES, { key: 'k' });
    const claim = derivedId(sha256, 'idempotency', 'acme', 'createLocalFileGroup', 'k');
    expect(await world.shared.store.readStream(idempotencyStream(claim))).not.toEqual([]);
    const others = [
      world.create({ ...FILES, chunkMetadataKeys: [{ key: 'a', type: 'string' }] as never }, { key: 'k' }),
      world.create(FILES, { key: 'k', name: 'Another' }),
    ];
    for (const other of others) await expect(other).rejects.toMatchObject({ code: 'idempotency_conflict' });
    expect((await world.create(CRAWL, { key: 'k' })).record.row.id).not.toBe(record.row.id);
  });

  it('answers what was created although what is taken has become less since, but creates nothing then', async () => {
    const world = openDataSources();
    const first = await world.create(CRAWL, { key: 'k' });
    world.refusal = REFUSED;
    expect((await world.create(CRAWL, { key: 'k' })).record).toEqual(first.record);
    await expect(world.create(CRAWL, { key: 'another' })).rejects.toBe(REFUSED);
  });

  it('is refused as the first was where that one had claimed its ids and registered nothing', async () => {
    const world = openDataSources();
    // It dies when the setting is written, which a refusal would take back.
    const { overlay } = world;
    overlay.put = () => Promise.reject(new Error('the process dies'));
    await expect(world.create(CRAWL, { key: 'k' })).rejects.toThrow('the process dies');
    world.refusal = REFUSED;
    await expect(world.create(CRAWL, { key: 'k' })).rejects.toBe(REFUSED);
    expect((await world.view.list('acme', 'crawl', { limit: 9 }, null)).rows).toEqual([]);
  });

  it('completes what a crash has left half-done, under the same ids', async () => {
    const world = openDataSources();
    const put = world.overlay.put;
    world.overlay.put = () => Promise.reject(new Error('the process dies'));
    await expect(world.create(CRAWL, { key: 'k' })).rejects.toThrow('the process dies');
    world.overlay.put = put;
    const { record } = await world.create(CRAWL, { key: 'k' });
    const created = (await world.shared.store.read('', {}, 99)).events.map(({ type }) => type);
    expect(created.filter((type) => type === 'IngestionSettingCreated')).toHaveLength(1);
    const [setting] = await world.factsOfSetting(record.row.ingestionSettingId);
    expect(setting).toMatchObject({ data_source_id: record.row.id });
    expect(record.row.status).toBe('queued');
    expect(caller.tenant).toBe(record.row.tenant);
  });
});
