import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProjections } from '../../../adapters/postgres/projections/all-projections.ts';
import { createCatalogProjection } from '../../../adapters/postgres/projections/catalog/catalog-projection.ts';
import { viewHealth } from '../../../adapters/postgres/projections/health.ts';
import { passedStreams } from '../../../adapters/postgres/projections/passed-streams.ts';
import { rebuildTogether } from '../../../adapters/postgres/projections/rebuild.ts';
import { createDataSourceView } from '../../../adapters/postgres/views/data-source-view.ts';
import { dataSourceStream, tagStream } from '../../../application/event-sourcing/streams.ts';
import type { JsonObject, NewEvent } from '../../../application/ports/event-store.ts';
import { VIEWS } from '../../../application/ports/read-gate.ts';
import { dataSource } from '../../../domain/data-source/index.ts';
import { tag } from '../../../domain/tag/decider.ts';
import { systemEvent } from '../../support/eventstoredb/log.ts';
import { OUR_MARKS } from '../../support/newer-version.ts';
import { openViewsOfEventStoreDb } from '../../support/views-of-eventstoredb.ts';
import { silent } from '../../support/world.ts';

const nothing = (): void => {};
const projections = createProjections(createCatalogProjection({ readChunkSet: async () => null }), {
  clearKeyCache: nothing,
  clearPolicyCache: nothing,
  wakeWorkers: nothing,
  wakeRunWorkers: nothing,
  wakeEmbedding: nothing,
  wakeMerging: nothing,
  wakeWebhooks: nothing,
  overlay: { prune: async () => {} },
  log: silent,
});
const context = {
  tenant: 'acme',
  actor: { kind: 'api_key', id: 'k' },
  correlationId: 'c',
  causationId: 'c',
} as const;

/** An event of ours as it is stored, with the data of its example. */
const stored = async (type: string): Promise<NewEvent> => {
  const file = new URL(`../../application/event-sourcing/stored-events/${type}.json`, import.meta.url);
  const [data] = JSON.parse(await readFile(file, 'utf8')) as readonly JsonObject[];
  return { id: randomUUID(), type, data: data!, metadata: OUR_MARKS };
};

/** The streams of every view that is read whole: how one begins, and an event that says nothing without that. */
const HISTORIES = [
  ['data_source', 'dataSource', 'DataSourceRegistered', 'JobSucceeded'],
  ['ingestion_setting', 'ingestionSetting', 'IngestionSettingCreated', 'IngestionSettingRenamed'],
  ['api_key', 'apiKey', 'ApiKeyIssued', 'ApiKeyRotated'],
  ['conversation', 'conversation', 'ConversationStarted', 'UserMessageAdded'],
  ['agent_thread', 'agentThread', 'AgentThreadStarted', 'RunAdmitted'],
  ['tag', 'tag', 'TagCreated', 'TagBound'],
  ['authz_policy', 'authzPolicy', 'AuthzPolicyCreated', 'AuthzPolicyChanged'],
  ['authz_subject', 'authzSubject', 'AuthzAttributesSet', 'AuthzAttributesSet'],
  ['redaction_policy', 'redactionPolicy', 'RedactionPolicyCreated', 'RedactionPolicyChanged'],
  ['secret', 'secret', 'SecretCreated', 'SecretAttached'],
  ['catalog', 'source', 'SourceIndexed', 'SourceMetadataReplaced'],
] as const;

describe('views of a log in which somebody has cut streams, or written to them', () => {
  let open: Awaited<ReturnType<typeof openViewsOfEventStoreDb>>;
  let told: string[];
  beforeEach(async () => {
    told = [];
    open = await openViewsOfEventStoreDb(projections, false, {
      ...silent,
      error: (message, fields) => told.push(`${message}: ${fields?.['view']} ${fields?.['stream']}`),
    });
  });
  afterEach(() => open.close());

  const register = async () => {
    const id = randomUUID();
    const registration = {
      subject: { kind: 'crawl', startUrl: 'https://example.com/' },
      ingestionSettingId: randomUUID(),
      metadata: [],
      ready: true,
    } as const;
    const queued = { jobId: randomUUID(), trigger: 'create', mode: 'full', at: 1 } as const;
    const command = { type: 'enqueue', registration, ...queued } as const;
    const { position } = await open.execute(dataSource, dataSourceStream(id), command, context);
    return { id, position };
  };
  const statusOf = async (id: string) =>
    (await createDataSourceView(open.deps.db).get('acme', 'crawl', id))?.row.status;
  const passed = async (because: 'cut' | 'foreign') =>
    (await passedStreams(open.deps.db))
      .filter((one) => one.because === because)
      .map(({ view, stream }) => `${view} ${stream}`);
  /** Everything is in every view, nothing is halted, and a rebuild comes to the same. */
  const mustGoOn = async (): Promise<void> => {
    const { id, position } = await register();
    expect(await open.gate.reached(VIEWS, position, 15_000)).toBe(true);
    expect((await viewHealth(open.deps.db)).filter(({ haltedBecause }) => haltedBecause !== null)).toEqual(
      [],
    );
    const before = await passedStreams(open.deps.db);
    const rebuilt = await rebuildTogether(open.deps, projections, new AbortController().signal);
    expect(rebuilt.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(await passedStreams(open.deps.db)).toEqual(before);
    expect(await statusOf(id)).toBe('queued');
  };

  it('are made of all other streams where one was cut and scavenged, and name it', async () => {
    const whole = await register();
    const expected: string[] = [];
    for (const [view, category, first, later] of HISTORIES) {
      const stream = `${category}-${randomUUID()}`;
      await open.store.append(stream, 'none', [await stored(first), await stored(later)]);
      open.standIn.log.truncate(stream, 2n);
      expected.push(`${view} ${stream}`);
      if (view === 'agent_thread') expected.push(`agent_run ${stream}`);
    }
    open.standIn.log.scavenge();
    open.run();
    await mustGoOn();
    expect(await passed('cut')).toEqual(expected.toSorted());
    expect(await statusOf(whole.id)).toBe('queued');
    const lines = expected.map((named) => `a view passes over a stream: ${named}`);
    // Once for the version that was live, once for the one that was rebuilt.
    expect(told.toSorted()).toEqual([...lines, ...lines].toSorted());
  });

  it('hide what was deleted although nothing but its deletion is left', async () => {
    const stream = `source-${randomUUID()}`;
    const indexed = await stored('SourceIndexed');
    await open.store.append(stream, 'none', [indexed]);
    const of = dataSourceStream(indexed.data['data_source_id'] as string);
    await open.store.append(of, 'none', [
      await stored('DataSourceRegistered'),
      await stored('DataSourceDeleted'),
    ]);
    open.standIn.log.softDelete(of);
    open.standIn.log.scavenge();
    open.run();
    await mustGoOn();
    const rows = await open.deps.db.selectFrom('read.source').select('id').execute();
    expect(rows).toEqual([]);
    expect(await passed('cut')).toEqual([`data_source ${of}`]);
  });

  it('pass over what other programs write to streams that are named like ours, while it happens', async () => {
    open.run();
    await mustGoOn();
    const theirs = [
      ['conversation-1', 'MessageSent'],
      ['tag-42', 'TagCreated'],
      ['source-42', 'SourceIndexed'],
      [`dataSource-${randomUUID()}`, 'JobSucceeded'],
    ] as const;
    for (const [stream, type] of theirs) {
      open.standIn.log.append(stream, 'any', [
        { ...systemEvent(type), data: Buffer.from('{"n":1}'), metadata: Buffer.from('{"tenant":"acme"}') },
      ]);
    }
    await mustGoOn();
    open.standIn.log.append('conversation-2', 'any', [
      { ...systemEvent('MessageSent'), data: Buffer.from('{}') },
    ]);
    await mustGoOn();
    // The streams of others may be thousands: they are named by the first of their category.
    expect(await passed('foreign')).toEqual([
      'catalog source-*',
      'conversation conversation-*',
      'data_source dataSource-*',
      'lifetime conversation-*',
      'lifetime source-*',
      'lifetime tag-*',
      'tag tag-*',
    ]);
    const conversations = (await passedStreams(open.deps.db)).find(({ view }) => view === 'conversation');
    expect(conversations).toMatchObject({ example: 'conversation-1', events: 2 });
    const ready = (await viewHealth(open.deps.db)).find(({ view }) => view === 'conversation');
    expect(ready).toMatchObject({ passed: 1, passedNames: ['conversation-1'] });
    // Of both views, live and built anew twice.
    expect(told.filter((line) => line.includes('conversation-1')).length).toBe(6);
  });

  it('leave an aggregate with a named error where another program wrote to its stream', async () => {
    open.standIn.log.append(tagStream('acme'), 'any', [
      { ...systemEvent('TagCreated'), data: Buffer.from('{}') },
    ]);
    const command = { type: 'create', tagId: randomUUID(), name: 'n', description: '', at: 1 } as const;
    const refused = open.execute(tag, tagStream('acme'), command, context);
    await expect(refused).rejects.toMatchObject({ name: 'ForeignEvent', stream: 'tag-acme', revision: 0n });
  });
});
