import { sourceStream } from '../../../../application/event-sourcing/streams.ts';
import { WorkLost } from '../../../../application/jobs/work-handler.ts';
import type { ExtractedDocument } from '../../../../application/ports/document-reader.ts';
import { ReadModelsBehind } from '../../../../application/ports/read-gate.ts';
import { CredentialsUnavailable, CredentialsRefused } from '../../../../application/ports/secrets.ts';
import {
  type ConnectorOutcome,
  type Ingestion,
} from '../../../../application/sources/ingestion/connector.ts';
import type { DocumentFact } from '../../../../application/sources/ingestion/document-fact.ts';
import { type IngestDeps, createIngest } from '../../../../application/sources/ingestion/ingest.ts';
import type { Job } from '../../../../application/sources/ingestion/job.ts';
import { createListedConnector } from '../../../../application/sources/ingestion/listed/listed-connector.ts';
import type { ListedSource } from '../../../../application/sources/ingestion/listed/listed-source.ts';
import { NO_COUNTS } from '../../../../domain/data-source/index.ts';
import type { LocalFileGroupParameters } from '../../../../domain/ingestion-setting/index.ts';
import { NOW } from '../../../support/conversations.ts';
import { CRAWL, caller, openDataSources } from './data-sources-in-memory.ts';
import { DATA_SOURCE, EMAIL, documentOf, openDocumentsInMemory } from './documents-in-memory.ts';
import { describe, expect, it } from 'vitest';

const signal = new AbortController().signal;

const COUNTS = { ...NO_COUNTS, seen: 1, indexed: 1 };

const DONE: ConnectorOutcome = { kind: 'completed', counts: COUNTS, complete: true };

const END_OF_POLICIES = 'redaction_policy';

/** A crawl whose job is begun. `told` has what was waited for, and what was done, in order. */
const setUp = async () => {
  const { create, execute, settings, connectors, shared } = openDataSources();
  const { row } = (await create(CRAWL)).record;
  const told: unknown[] = [];
  const world = {
    outcome: DONE as ConnectorOutcome,
    behind: [] as readonly string[],
    given: null as Ingestion | null,
  };
  Object.assign(connectors.crawl!, {
    contentParameters: ['htmlOnly', 'maxDepth'],
    retainedFiles: async () => new Set<string>(),
    run: async (given: Ingestion) => {
      world.given = given;
      told.push('run');
      return world.outcome;
    },
  });
  const deps = {
    connectors: { crawl: connectors.crawl! },
    execute,
    gate: {
      reached: async (...asked: readonly unknown[]) => {
        told.push(asked);
        return !world.behind.includes((asked[0] as readonly string[])[0]!);
      },
    },
    redaction: { clearCache: () => void told.push('forget'), at: null as never },
    unswept: { mark: async (...of: readonly unknown[]) => void told.push(['mark', ...of]) },
  } as unknown as IngestDeps;
  const job = {
    dataSourceId: row.id,
    tenant: 'acme',
    subject: row.subject,
    ingestionSettingId: row.ingestionSettingId,
    assertLeaseHeld: () => {},
    yieldSlot: async () => {},
  } as unknown as Job;
  return {
    world,
    deps,
    job,
    told,
    settings,
    shared,
    row,
    run: (of: Job = job) => createIngest(deps)(of, signal),
    head: await shared.store.head(),
  };
};

describe('a job of any kind', () => {
  it('waits for policies of before, has its files swept afterwards, does the work, and waits until it can be found', async () => {
    const { run, told, head, row } = await setUp();
    expect(await run()).toEqual({ kind: 'completed', counts: COUNTS });
    expect(told).toEqual([
      [[END_OF_POLICIES], head, 30_000, signal],
      'forget',
      ['mark', 'acme', row.id, 0],
      'run',
      [['catalog'], '', 30_000, signal],
    ]);
  });

  it('goes by the parameters in force, and by when one that items are judged by was changed last', async () => {
    const { run, world, settings, shared, row, job } = await setUp();
    await run();
    expect(world.given).toMatchObject({ job, parameters: CRAWL, rulesChangedAt: 0 });
    const { ingestionSettingId: id } = row;
    const change = (parameters: object) => settings.change(caller, 'crawl', id, { parameters });
    shared.time.now += 1;
    await change({ maxDepth: 9 });
    const judged = shared.time.now;
    shared.time.now += 1;
    await change({ maxNumFiles: 9 });
    await run();
    expect(world.given).toMatchObject({
      parameters: { maxDepth: 9, maxNumFiles: 9 },
      rulesChangedAt: judged,
    });
  });

  it('reads nothing where the policies of before cannot be seen', async () => {
    const { run, world, told } = await setUp();
    world.behind = [END_OF_POLICIES];
    await expect(run()).rejects.toThrow(ReadModelsBehind);
    await expect(run()).rejects.toThrow(
      'the redaction policies cannot be read: their read model does not catch up',
    );
    expect(told).not.toContain('run');
    expect(told).not.toContain('forget');
  });

  it('of a tenant that has no such data source waits for nothing, and does nothing', async () => {
    const { run, told, job } = await setUp();
    await expect(run({ ...job, tenant: 'other' })).rejects.toThrow('is missing');
    expect(told).toEqual(['forget']);
  });

  it('fails for good where this service has no connector for it', async () => {
    const { run, told, job } = await setUp();
    expect(await run({ ...job, subject: { kind: 'wiki', pageId: '' } })).toEqual({
      kind: 'failed',
      code: 'not_configured',
      error: { title: 'Not supported here', message: 'this service has no connector for wiki' },
    });
    expect(told).toEqual([]);
  });
});

/** Of a job that nothing is known of before. */
const itemStore = { listing: async () => ({ cursor: null, complete: false }) };

const outcomeOf = (why: Error): Promise<unknown> => {
  const opened: unknown[] = [];
  const source = {
    open: async (...args: readonly unknown[]) => {
      opened.push(args[2]);
      throw why;
    },
  } as unknown as ListedSource<LocalFileGroupParameters>;
  const connector = createListedConnector({ itemStore } as never, source);
  const ingestion = {
    job: { tenant: 'acme', dataSourceId: 'd', state: { generation: 1 } },
    parameters: {},
  } as never;
  return connector.run(ingestion, new AbortController().signal).then((outcome) => ({ outcome, opened }));
};

it('a job whose credentials are refused has failed for good, and one whose token cannot be had is tried again', async () => {
  expect(await outcomeOf(new CredentialsRefused('the secret "x" has expired'))).toEqual({
    outcome: {
      kind: 'failed',
      code: 'credentials_rejected',
      error: { title: 'Credentials rejected', message: 'the secret "x" has expired' },
    },
    opened: [
      { tenant: 'acme', dataSourceId: 'd', syncToken: null, readAll: false, known: expect.any(Function) },
    ],
  });
  expect(await outcomeOf(new CredentialsUnavailable('it answers 503'))).toMatchObject({
    outcome: { kind: 'transient', error: { message: 'it answers 503' } },
  });
});

const RAW = { sha256: 'a'.repeat(64), bytes: 3 };

const CHUNKS = { sha256: 'b'.repeat(64), bytes: 9 };

const fact = (more: object = {}) => ({ locator: 'a', firstSeen: true, at: NOW, ...more });

const indexed = (more: Partial<ExtractedDocument> = {}, mediaType = 'text/plain'): DocumentFact => ({
  ...fact(),
  kind: 'indexed',
  url: 'https://a.example/',
  mediaType,
  read: { raw: RAW, chunkSet: CHUNKS, outcome: documentOf('one', more) },
});

const skipped = (locator = 'a'): DocumentFact => ({
  ...fact({ locator }),
  kind: 'skipped',
  reason: 'too_large',
});

describe('the documents of a job', () => {
  it('are recorded one fact each, in the order given, and only what is new becomes an event', async () => {
    const world = openDocumentsInMemory();
    const { documents, stored } = world;
    expect(documents.written()).toBe('');
    const [one, two] = [documents.idOf('a'), documents.idOf('b')];
    expect(await documents.record([skipped('a'), skipped('b')])).toEqual([
      { sourceId: one, same: false },
      { sourceId: two, same: false },
    ]);
    expect(await stored(sourceStream(one))).toEqual([
      {
        type: 'SourceSkipped',
        data_source_id: DATA_SOURCE,
        source_type: 'crawl',
        locator: 'a',
        job_id: 'job-1',
        generation: 2,
        reason: 'too_large',
        at: NOW,
      },
    ]);
    const head = await world.store.head();
    expect(documents.written()).toBe(head);
    await documents.record([skipped('a')]);
    expect([await world.store.head(), documents.written()]).toEqual([head, head]);
  });

  it.each([1, 2])('are neither recorded nor removed once the job is lost, at look %i', async (lostAt) => {
    for (const work of ['record', 'remove'] as const) {
      const world = openDocumentsInMemory();
      const { documents, store } = world;
      await documents.record([indexed()]);
      const head = await store.head();
      world.generation = 3;
      let looks = 0;
      world.assertLeaseHeld = () => {
        if ((looks += 1) === lostAt) throw new WorkLost('frozen');
      };
      const doing =
        work === 'record' ? documents.record([skipped()]) : documents.remove([documents.idOf('a')], 'gone');
      await expect(doing).rejects.toThrow(WorkLost);
      expect(await store.head()).toBe(head);
    }
  });

  it('have titles without what policies hide, for which nobody is asked where there is none', async () => {
    const { documents, told } = openDocumentsInMemory([EMAIL]);
    expect(await documents.hidden([])).toEqual([]);
    expect(told).toEqual([]);
    expect(await documents.hidden(['of a@b.example', 'plain'])).toEqual(['of [email]', 'plain']);
    expect(told).toEqual([['policies', 'acme', 'ingestion']]);
  });
});
