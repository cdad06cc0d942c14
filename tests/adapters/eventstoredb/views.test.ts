import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareFeed } from '../../../adapters/event-feed/shared-feed.ts';
import { createCheckpointMoves } from '../../../adapters/postgres/projections/checkpoint-moves.ts';
import { createLeadership } from '../../../adapters/postgres/leadership.ts';
import { projectionMigrations } from '../../../adapters/postgres/projections/versions.ts';
import { workMigrations } from '../../../adapters/postgres/work/migrations.ts';
import { runProjector } from '../../../adapters/postgres/projections/projector.ts';
import { createReadGate } from '../../../adapters/postgres/projections/read-gate.ts';
import { prepareViews, rebuild } from '../../../adapters/postgres/projections/rebuild.ts';
import {
  dataSourceProjection,
  ingestionSettingProjection,
} from '../../../adapters/postgres/projections/views.ts';
import { createDataSourceView } from '../../../adapters/postgres/views/data-source-view.ts';
import { createIdSource } from '../../../adapters/system/identity.ts';
import { sleep } from '../../../adapters/system/timing.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../../application/event-sourcing/execute.ts';
import { dataSourceStream } from '../../../application/event-sourcing/streams.ts';
import { dataSource } from '../../../domain/data-source/index.ts';
import { type FreshDatabase, freshDatabase } from '../../support/postgres.ts';
import { silent } from '../../support/world.ts';
import { type OpenStandIn, openStandIn } from './open-store.ts';

const PROJECTIONS = [dataSourceProjection, ingestionSettingProjection];
const context = {
  tenant: 'acme',
  actor: { kind: 'api_key', id: 'k' },
  correlationId: 'c',
  causationId: 'c',
} as const;

describe('views in Postgres of events in EventStoreDB', () => {
  let events: OpenStandIn;
  let database: FreshDatabase;
  const stop = new AbortController();
  const running: Promise<void>[] = [];
  beforeAll(async () => {
    events = await openStandIn({}, { callMs: 15_000 });
    database = await freshDatabase([...projectionMigrations, ...workMigrations]);
  });
  afterAll(async () => {
    stop.abort();
    await Promise.all(running);
    await database.close();
    await events.close();
  });

  it('are fed, are waited for by position, and are rebuilt beside the live ones', async () => {
    const db = database.db;
    const [codec, ids] = [createEventCodec(), createIdSource()];
    const { store } = events;
    const [feed, moves] = [shareFeed(events.feed), createCheckpointMoves(db)];
    const leadership = createLeadership(database.newClient, silent);
    const deps = { db, transact: database.transact, feed, moves, codec, log: silent, sleep, leadership };
    await prepareViews(deps, PROJECTIONS, stop.signal, () => {});
    for (const projection of PROJECTIONS) running.push(runProjector(deps, projection, stop.signal));

    const execute = createExecute({ store, codec, ids });
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

    // The second view has no event of its own: its checkpoint moves on over those of the first.
    const gate = createReadGate(db);
    expect(await gate.reached(['data_source', 'ingestion_setting'], position, 15_000)).toBe(true);
    const view = createDataSourceView(db);
    expect((await view.get('acme', 'crawl', id))?.row.status).toBe('queued');
    expect(await rebuild(deps, dataSourceProjection, stop.signal)).toBe(2);
    expect((await view.get('acme', 'crawl', id))?.row.status).toBe('queued');
  });
});
