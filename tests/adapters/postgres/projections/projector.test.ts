import { once } from 'node:events';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import {
  AHEAD_OF_LOG,
  haltViewsAhead,
  viewHealth,
} from '../../../../adapters/postgres/projections/health.ts';
import type { Leadership } from '../../../../adapters/postgres/leadership.ts';
import type { Projection } from '../../../../adapters/postgres/projections/projection.ts';
import { passedStreams } from '../../../../adapters/postgres/projections/passed-streams.ts';
import { rebuild } from '../../../../adapters/postgres/projections/rebuild.ts';
import { liveVersion, moveCheckpoint } from '../../../../adapters/postgres/projections/versions.ts';
import {
  dataSourceProjection,
  ingestionSettingProjection,
} from '../../../../adapters/postgres/projections/views.ts';
import { createDataSourceView } from '../../../../adapters/postgres/views/data-source-view.ts';
import { dataSource } from '../../../../domain/data-source/index.ts';
import { createExecute } from '../../../../application/event-sourcing/execute.ts';
import { createAuditTrail } from '../../../../application/sources/data-sources/audit-trail.ts';
import { FileStoreUnavailable } from '../../../../application/ports/file-store.ts';
import { dataSourceStream } from '../../../../application/event-sourcing/streams.ts';
import type { CommandContext } from '../../../../application/ports/event-metadata.ts';
import { openWorld, silent, type World } from '../../../support/world.ts';
import { OUR_MARKS } from '../../../support/newer-version.ts';

const context: CommandContext = {
  tenant: 'acme',
  actor: { kind: 'api_key', id: 'k' },
  correlationId: 'c',
  causationId: 'c',
};

const worlds: World[] = [];
const open = async (...projections: readonly Projection[]): Promise<World> => {
  const world = await openWorld(projections);
  worlds.push(world);
  return world;
};
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

const register = async (world: World, tenant = 'acme') => {
  const id = world.ids.newId();
  const registration = {
    subject: { kind: 'crawl', startUrl: 'https://example.com/' },
    ingestionSettingId: world.ids.newId(),
    metadata: [],
    ready: true,
  } as const;
  const command = {
    type: 'enqueue',
    registration,
    jobId: world.ids.newId(),
    trigger: 'create',
    mode: 'full',
    at: 1,
  } as const;
  const done = await world.execute(dataSource, dataSourceStream(id), command, { ...context, tenant });
  return { id, position: done.position };
};

describe('a projection', () => {
  it('tells its followers that it has moved, before any reader hears of it', async () => {
    const world = await open(dataSourceProjection);
    const readersKnew = Promise.withResolvers<boolean>();
    const { progress } = world.deps;
    const onMoved = (): void => readersKnew.resolve(progress.reached(['data_source'], position));
    const { position } = await register(world);
    world.project({ ...dataSourceProjection, onMoved });
    expect(await world.gate.reached(['data_source'], position, 10_000)).toBe(true);
    // The gate may have read of it in the database meanwhile.
    expect(await readersKnew.promise).toBe(false);
  });

  it('halts when it is ahead of the log, and stays so while the log grows past it', async () => {
    const world = await open(dataSourceProjection, ingestionSettingProjection);
    const before = await register(world);
    const version = await liveVersion(world.db, 'data_source');
    const ahead = before.position.replace(/^0/, '1');
    await moveCheckpoint(world.db, version!, '', ahead);
    expect(await haltViewsAhead(world.db, world.feed)).toEqual(['data_source']);
    expect(await viewHealth(world.db)).toMatchObject([
      { view: 'data_source', haltedBecause: AHEAD_OF_LOG },
      { view: 'ingestion_setting', haltedBecause: null },
    ]);
    expect(await world.gate.reached(['data_source'], before.position, 0)).toBe(false);

    // A log that has grown past the checkpoint since: by then nothing but the record tells.
    const grown = { head: async () => `${ahead}9` };
    expect(await haltViewsAhead(world.db, grown)).toEqual(['data_source']);
    expect(await haltViewsAhead(world.db, grown, 'ingestion_setting')).toEqual([]);
  });

  it('is rebuilt although nothing can read as far as a view that is ahead of the log', async () => {
    const world = await open(dataSourceProjection, ingestionSettingProjection);
    const { id, position } = await register(world);
    await moveCheckpoint(
      world.db,
      (await liveVersion(world.db, 'data_source'))!,
      '',
      position.replace(/^0/, '1'),
    );
    world.project(dataSourceProjection);
    expect(await rebuild(world.deps, dataSourceProjection, new AbortController().signal)).toBe(2);
    const next = await register(world);
    expect(await world.gate.reached(['data_source'], next.position, 10_000)).toBe(true);
    const view = createDataSourceView(world.db);
    for (const one of [id, next.id])
      expect((await view.get('acme', 'crawl', one))?.row.status).toBe('queued');
  });

  it('moves its checkpoint past events that are not its own', async () => {
    const world = await open(dataSourceProjection, ingestionSettingProjection);
    world.project(ingestionSettingProjection);
    const { position } = await register(world);
    expect(await world.gate.reached(['ingestion_setting'], position, 10_000)).toBe(true);
  });

  it('writes nothing when it hears of no later place, and never moves back', async () => {
    const world = await open(ingestionSettingProjection);
    const { position } = await register(world);
    const later = `${position}9`;
    const heard = Promise.withResolvers<void>();
    const follow: World['feed']['follow'] = async function* (after, _filter, { signal }) {
      expect(after).toBe('');
      for (const place of [position, position, '', later]) yield { kind: 'caughtUp', position: place };
      heard.resolve();
      await once(signal, 'abort');
    };
    const moved: string[][] = [];
    const moves = { move: async (...[, from, to]: [unknown, string, string]) => void moved.push([from, to]) };
    const feed = { ...world.feed, follow, head: async () => later };
    world.project(ingestionSettingProjection, silent, { feed, moves });
    await heard.promise;
    expect(moved).toEqual([
      ['', position],
      [position, later],
    ]);
  });

  it('pages through any list in one order, with the total kept beside it', async () => {
    const world = await open(dataSourceProjection, ingestionSettingProjection);
    world.project(dataSourceProjection);
    const made = [];
    for (let i = 0; i < 7; i++) made.push(await register(world));
    await world.gate.reached(['data_source'], made.at(-1)?.position ?? '', 10_000);
    const view = createDataSourceView(world.db);
    const expected = made.map(({ id }) => id).toReversed();
    for (const limit of [1, 2, 3, 7, 100]) {
      const seen: string[] = [];
      for (let after: string | undefined; ;) {
        const page = await view.list('acme', 'crawl', { limit, ...(after !== undefined && { after }) }, null);
        expect(page.total).toBe(7);
        seen.push(...page.rows.map(({ row }) => row.id));
        if (!page.hasMore) break;
        after = seen.at(-1);
      }
      expect(seen).toEqual(expected);
    }
    const past = await view.list('acme', 'crawl', { limit: 2, after: expected.at(-1)! }, null);
    expect(past).toEqual({ rows: [], hasMore: false, total: 7 });
    const none = await view.list('acme', 'crawl', { limit: 2 }, []);
    expect(none).toEqual({ rows: [], hasMore: false, total: 0 });
  });

  it('runs twice at once without projecting anything twice, should two believe to lead', async () => {
    const counting: Projection = {
      ...dataSourceProjection,
      apply: async (trx, schema, events) => {
        await dataSourceProjection.apply(trx, schema, events);
        const ids = events.map(({ id }) => id);
        await sql`insert into applied select unnest(${ids}::text[])`.execute(trx);
      },
    };
    const world = await open(dataSourceProjection, ingestionSettingProjection);
    await sql`create table applied (id text)`.execute(world.db);
    const leadership = {
      lead: async (_: string, signal: AbortSignal, task: (held: AbortSignal) => unknown) => task(signal),
    } as Leadership;
    world.project(counting, silent, { leadership });
    world.project(counting, silent, { leadership });
    const made = [];
    for (let i = 0; i < 20; i++) made.push(await register(world));
    await world.gate.reached(['data_source'], made.at(-1)?.position ?? '', 10_000);
    const view = createDataSourceView(world.db);
    expect((await view.list('acme', 'crawl', { limit: 100 }, null)).total).toBe(20);
    const { rows } = await sql<{ all: number; once: number }>`
      select count(*) as all, count(distinct id) as once from applied`.execute(world.db);
    expect(rows).toEqual([{ all: 40, once: 40 }]);
  });

  it('halts at an event that it cannot apply, says so, and goes on when a rebuild replaces it', async () => {
    let poison = '';
    const fussy: Projection = {
      ...dataSourceProjection,
      apply: async (trx, schema, events) => {
        if (events.some(({ streamId }) => streamId === poison)) throw new Error('cannot digest this');
        await dataSourceProjection.apply(trx, schema, events);
      },
    };
    const world = await open(fussy);
    const first = await register(world);
    const second = await register(world);
    poison = second.id;
    const halted = new Promise<void>((resolve) => {
      world.project(fussy, { info: () => {}, warn: () => {}, error: () => resolve() });
    });
    await halted;
    const [health] = await viewHealth(world.db);
    expect(health?.haltedBecause).toContain('cannot digest this');
    expect(health?.haltedBecause).toContain(second.id);
    expect(health!.position >= first.position && health!.position < second.position).toBe(true);
    poison = '';
    expect(await rebuild(world.deps, fussy, AbortSignal.timeout(10_000))).toBe(4);
    const third = await register(world);
    expect(await world.gate.reached(['data_source'], third.position, 10_000)).toBe(true);
    expect((await viewHealth(world.db))[0]?.haltedBecause).toBeNull();
  });

  it('waits for files that are away, and does not halt for that', async () => {
    let tries = 0;
    const reading: Projection = {
      ...dataSourceProjection,
      apply: async (trx, schema, events) => {
        tries += 1;
        if (tries < 5) throw new FileStoreUnavailable('stopped', 'the bucket does not answer');
        await dataSourceProjection.apply(trx, schema, events);
      },
    };
    const world = await open(reading);
    const { position } = await register(world);
    const errors: string[] = [];
    world.project(reading, { info: () => {}, warn: () => {}, error: (message) => errors.push(message) });
    expect(await world.gate.reached(['data_source'], position, 10_000)).toBe(true);
    expect([tries, errors]).toEqual([5, []]);
  });

  it('is rebuilt beside the live version, which answers meanwhile, and equals it', async () => {
    const world = await open(dataSourceProjection, ingestionSettingProjection);
    world.project(dataSourceProjection);
    const made = [await register(world), await register(world, 'other')];
    await world.gate.reached(['data_source'], made.at(-1)?.position ?? '', 10_000);
    const table = async () => (await sql`select * from read.data_source order by id`.execute(world.db)).rows;
    const before = await table();
    let readable = false;
    const watched: Projection = {
      ...dataSourceProjection,
      apply: async (trx, schema, events) => {
        readable = (await table()).length === 2;
        await dataSourceProjection.apply(trx, schema, events);
      },
    };
    await rebuild(world.deps, watched, AbortSignal.timeout(10_000));
    expect(readable).toBe(true);
    expect(await table()).toEqual(before);
    expect((await liveVersion(world.db, 'data_source'))?.version).toBe(2);
    const left = await sql`select nspname from pg_namespace where nspname like 'data_source_v%'`.execute(
      world.db,
    );
    expect(left.rows).toEqual([{ nspname: 'data_source_v2' }]);
    const later = await register(world);
    expect(await world.gate.reached(['data_source'], later.position, 10_000)).toBe(true);
  });
});

describe('a stream that loses events which a view has not read yet', () => {
  it('stays in the view as it was, and the view goes on', async () => {
    const world = await open(dataSourceProjection, ingestionSettingProjection);
    const { id } = await register(world);
    await rebuild(world.deps, dataSourceProjection, AbortSignal.timeout(10_000));
    await world.execute(dataSource, dataSourceStream(id), { type: 'claim', workerId: 'w', at: 2 }, context);
    await world.execute(dataSource, dataSourceStream(id), { type: 'cancel', at: 3 }, context);
    await world.pool.query('DELETE FROM es.events WHERE stream = $1 AND revision = 2', [
      dataSourceStream(id),
    ]);
    const { position } = await register(world);
    const lines: unknown[] = [];
    world.project(dataSourceProjection, { ...silent, error: (...line) => lines.push(line) });
    expect(await world.gate.reached(['data_source'], position, 10_000)).toBe(true);
    expect((await createDataSourceView(world.db).get('acme', 'crawl', id))?.row.status).toBe('queued');
    const stream = dataSourceStream(id);
    expect(await passedStreams(world.db)).toEqual([
      { view: 'data_source', stream, example: stream, because: 'cut', events: 1 },
    ]);
    expect(lines).toEqual([
      ['a view passes over a stream', expect.objectContaining({ view: 'data_source', stream })],
    ]);
    const cached = createExecute(world);
    await expect(cached(dataSource, stream, { type: 'cancel', at: 4 }, context)).rejects.toMatchObject({
      name: 'StreamCut',
      stream,
    });
  });
});

describe('an event of a newer version', () => {
  const append = async (world: World, stream: string, type: string) => {
    const recorded = await world.store.readStream(stream);
    const event = { id: crypto.randomUUID(), type, data: { at: 2 }, metadata: OUR_MARKS };
    return world.store.append(stream, recorded.at(-1)?.revision ?? 'none', [event]);
  };

  it('makes the status of a data source unknown, and is told in its trail as it was stored', async () => {
    const world = await open(dataSourceProjection, ingestionSettingProjection);
    world.project(dataSourceProjection);
    const { id } = await register(world);
    const { position } = await append(world, dataSourceStream(id), 'JobPaused');
    await world.gate.reached(['data_source'], position, 10_000);
    const view = createDataSourceView(world.db);
    expect((await view.get('acme', 'crawl', id))?.row.status).toBe('unknown');
    const trail = createAuditTrail(world);
    const caller = { id: 'k', tenant: 'acme', grant: { scopes: [], sourceGroupIds: null }, context };
    const { rows } = await trail.page(caller, 'crawl', id, { limit: 10 });
    expect(rows.at(-1)).toMatchObject({
      type: 'JobPaused',
      fromStatus: 'queued',
      toStatus: 'unknown',
      data: { at: 2 },
    });
    const refused = world.execute(dataSource, dataSourceStream(id), { type: 'cancel', at: 3 }, context);
    await expect(refused).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('halts a view that cannot say what it means', async () => {
    const world = await open(ingestionSettingProjection);
    const halted = new Promise<void>((resolve) => {
      world.project(ingestionSettingProjection, { info: () => {}, warn: () => {}, error: () => resolve() });
    });
    await append(world, `ingestionSetting-${world.ids.newId()}`, 'SettingShared');
    await halted;
    expect((await viewHealth(world.db))[0]?.haltedBecause).toContain('SettingShared');
  });
});
