import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  dataSourceProjection,
  ingestionSettingProjection,
} from '../../../../adapters/postgres/projections/views.ts';
import { createDataSourceView } from '../../../../adapters/postgres/views/data-source-view.ts';
import { createRowOverlay } from '../../../../adapters/postgres/read-your-writes/overlays.ts';
import { sha256 } from '../../../../adapters/system/identity.ts';
import { createCreateDataSource } from '../../../../application/sources/ingestion/create-data-source.ts';
import { createSecretAttachments } from '../../../../application/access/secrets/attachments.ts';
import type { Scheduling } from '../../../../application/sources/schedules/scheduling.ts';
import { callerOf } from '../../../support/conversations.ts';
import { crawlParameters } from '../../../support/crawl-parameters.ts';
import { uncheckedCrawls } from '../../../support/unchecked-crawls.ts';
import { openWorld, type World } from '../../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld([dataSourceProjection, ingestionSettingProjection]);
  world.project(dataSourceProjection);
});
afterAll(() => world.close());

const create = async (name: string) => {
  const deps = { execute: world.execute, ids: world.ids, hash: sha256, clock: { now: () => 1 } };
  const stores = { overlay: createRowOverlay(world.db), secretAttachments: createSecretAttachments(deps) };
  const more = { scheduling: {} as Scheduling, connectors: uncheckedCrawls, ...stores };
  const request = { name, metadata: [], parameters: crawlParameters() };
  return createCreateDataSource({ ...deps, ...more })(callerOf('acme'), request, undefined);
};

describe('the name of a data source', () => {
  it('is shown, and found, while the view of settings does not know it', async () => {
    const { record, position } = await create('Handbook');
    const last = await create('Wiki');
    await world.gate.reached(['data_source'], last.position, 10_000);
    const view = createDataSourceView(world.db);
    expect((await view.get('acme', 'crawl', record.row.id))?.name).toBe('Handbook');
    const listed = await view.list('acme', 'crawl', { limit: 10 }, null, { name: 'hANd' });
    expect(listed.rows.map(({ name }) => name)).toEqual(['Handbook']);

    world.project(ingestionSettingProjection);
    await world.gate.reached(['ingestion_setting'], position, 10_000);
    expect((await view.get('acme', 'crawl', record.row.id))?.name).toBe('Handbook');
  });

  it('is told by its view alone once that knows it', async () => {
    const { position } = await create('Third');
    await world.gate.reached(['ingestion_setting'], position, 10_000);
    await createRowOverlay(world.db).prune('ingestion_setting');
    const { rows } = await world.pool.query('select 1 from work.row_mark');
    expect(rows).toEqual([]);
  });
});
