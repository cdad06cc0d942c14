import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIdSource } from '../../../../adapters/system/identity.ts';
import type { Execute } from '../../../../application/event-sourcing/execute.ts';
import { claim } from '../../../../application/sources/ingestion/claim-job.ts';
import { loadDataSource } from '../../../../application/sources/ingestion/job.ts';
import type { Position } from '../../../../application/ports/event-store.ts';
import type { ReadGate } from '../../../../application/ports/read-gate.ts';
import { dataSourceStream, sourceStream, tagStream } from '../../../../application/event-sourcing/streams.ts';
import { dataSource } from '../../../../domain/data-source/index.ts';
import { source } from '../../../../domain/source/decider.ts';
import { tag } from '../../../../domain/tag/decider.ts';
import { retryingExecute } from '../../../support/retrying-execute.ts';
import { openViewsOfEventStoreDb } from '../../../support/views-of-eventstoredb.ts';
import { PROJECTIONS, VIEWS } from '../../../support/views.ts';
import { openWorld, silent } from '../../../support/world.ts';

interface Counted {
  readonly execute: Execute;
  readonly gate: ReadGate;
  /** What was asked of the stores so far. */
  readonly counts: () => { readonly [question: string]: number };
  readonly close: () => Promise<void>;
}

const ids = createIdSource();
const context = {
  tenant: 'acme',
  actor: { kind: 'api_key', id: 'k' },
  correlationId: 'c',
  causationId: 'c',
} as const;
const TIMES = 20;

const newTag = async ({ execute }: Counted): Promise<Position> => {
  const tagId = ids.newId();
  const command = { type: 'create', tagId, name: tagId, description: '', at: 1 } as const;
  return (await execute(tag, tagStream('acme'), command, context)).position;
};

const newPage = async ({ execute }: Counted): Promise<Position> => {
  const command = {
    type: 'record_indexed',
    dataSourceId: ids.newId(),
    sourceType: 'crawl',
    locator: 'https://example.com/',
    jobId: ids.newId(),
    generation: 1,
    url: 'https://example.com/',
    title: 'Example',
    fileType: 'html',
    mediaType: 'text/html',
    raw: { sha256: 'a'.repeat(64), bytes: 1 },
    chunkSet: { sha256: 'b'.repeat(64), bytes: 1, chunks: 1 },
    at: 1,
  } as const;
  return (await execute(source, sourceStream(ids.newId()), command, context, { probablyNew: true })).position;
};

const queue = async ({ execute }: Counted) => {
  const id = ids.newId();
  const command = {
    type: 'enqueue',
    registration: {
      subject: { kind: 'crawl', startUrl: 'https://example.com/' },
      ingestionSettingId: ids.newId(),
      metadata: [],
      ready: true,
    },
    jobId: ids.newId(),
    trigger: 'create',
    mode: 'full',
    at: 1,
  } as const;
  const { position } = await execute(dataSource, dataSourceStream(id), command, context);
  return { id, position };
};

const claimed = async ({ execute }: Counted, dataSourceId: string): Promise<Position> => {
  const retrying = retryingExecute(execute, execute);
  const deps = { execute: retrying, clock: { now: () => 1 }, owner: 'w', log: silent };
  const lease = { id: dataSourceId, tenant: 'acme' };
  const found = await loadDataSource(execute, dataSourceId);
  expect(await claim(deps, lease, found!, undefined)).not.toBeNull();
  return (await execute.load(dataSource, dataSourceStream(dataSourceId), undefined))!.position;
};

/** What each of many takes until every view holds it: questions of each kind, on average. */
const each = async (world: Counted, act: (n: number) => Promise<Position>) => {
  const seen = async (position: Position): Promise<void> =>
    expect(await world.gate.reached(VIEWS, position, 60_000)).toBe(true);
  // Until those that have just begun have asked what they ask then.
  for (let n = 0; n < 3; n += 1) await seen((await queue(world)).position);
  const before = world.counts();
  for (let n = 0; n < TIMES; n += 1) await seen(await act(n));
  const after = world.counts();
  return Object.fromEntries(Object.entries(after).map(([key, n]) => [key, (n - before[key]!) / TIMES]));
};

/** Jobs to be claimed. */
const queued = async (world: Counted): Promise<readonly string[]> => {
  const made: string[] = [];
  while (made.length < TIMES) made.push((await queue(world)).id);
  return made;
};

describe('with events in Postgres', () => {
  let world: Counted;
  beforeAll(async () => {
    const opened = await openWorld(PROJECTIONS);
    let transactions = 0;
    opened.pool.on('acquire', () => (transactions += 1));
    for (const projection of PROJECTIONS) opened.project(projection);
    world = { ...opened, counts: () => ({ transactions }) };
  });
  afterAll(() => world?.close());

  it('a new tag takes no more than eight transactions until every view holds it', async () => {
    expect((await each(world, () => newTag(world))).transactions).toBeLessThanOrEqual(8);
  });

  it('an indexed page takes no more than seven', async () => {
    expect((await each(world, () => newPage(world))).transactions).toBeLessThanOrEqual(7);
  });

  it('a claim of a job takes no more than nine, and a look at it one', async () => {
    const jobs = await queued(world);
    expect((await each(world, (n) => claimed(world, jobs[n]!))).transactions).toBeLessThanOrEqual(10);
  });
});

describe('with events in EventStoreDB', () => {
  let world: Counted & { readonly close: () => Promise<void> };
  beforeAll(async () => {
    world = await openViewsOfEventStoreDb(PROJECTIONS);
  });
  afterAll(() => world?.close());

  it('a new tag takes one append and no more than three reads until every view holds it', async () => {
    const { append, read } = await each(world, () => newTag(world));
    expect(append).toBe(1);
    expect(read).toBeLessThanOrEqual(3);
  });

  it('an indexed page takes one append and no more than two reads', async () => {
    const { append, read } = await each(world, () => newPage(world));
    expect(append).toBe(1);
    expect(read).toBeLessThanOrEqual(2);
  });

  it('a claim of a job takes one append and no more than four reads, and a look at it one', async () => {
    const jobs = await queued(world);
    const { append, read } = await each(world, (n) => claimed(world, jobs[n]!));
    expect(append).toBe(1);
    expect(read).toBeLessThanOrEqual(5);
  });

  it('eight writers on one stream append at most 1.2 times, and read at most ten events, for each write', async () => {
    const before = world.counts();
    const write = async (): Promise<void> => {
      for (let n = 0; n < TIMES; n += 1) await newTag(world);
    };
    await Promise.all(Array.from({ length: 8 }, write));
    const after = world.counts();
    const writes = 8 * TIMES;
    expect((after['append']! - before['append']!) / writes).toBeLessThanOrEqual(1.2);
    expect((after['eventsRead']! - before['eventsRead']!) / writes).toBeLessThanOrEqual(10);
  });
});
