import { afterEach, describe, expect, it } from 'vitest';
import type { Sql } from '../../../../adapters/postgres/database-schema.ts';
import type { Projection } from '../../../../adapters/postgres/projections/projection.ts';
import { rebuildTogether } from '../../../../adapters/postgres/projections/rebuild.ts';
import { liveVersion } from '../../../../adapters/postgres/projections/versions.ts';
import type { EventStore, NewEvent, Position } from '../../../../application/ports/event-store.ts';
import { openViewsOfEventStoreDb } from '../../../support/views-of-eventstoredb.ts';
import { PROJECTIONS, VIEWS } from '../../../support/views.ts';
import { openWorld } from '../../../support/world.ts';
import { OUR_MARKS } from '../../../support/newer-version.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/**
 * Deletions of data sources, which three views want, of tags, and new names of settings, a hundred an append: more than is
 * kept of the log in memory.
 */
const APPENDS = 120;
const fill = async (store: EventStore): Promise<Position> => {
  const make = {
    dataSource: (): NewEvent => event('DataSourceDeletionRequested', { by: 'caller', at: 1 }),
    tag: (): NewEvent => event('TagDeleted', { tagId: crypto.randomUUID(), at: 1 }),
    ingestionSetting: (): NewEvent => event('IngestionSettingRenamed', { name: 'x', at: 1 }),
  };
  let last = '';
  for (let n = 0; n < APPENDS; n += 1) {
    const category = (Object.keys(make) as (keyof typeof make)[])[n % 3]!;
    const events = Array.from({ length: 100 }, make[category]) as [NewEvent, ...NewEvent[]];
    ({ position: last } = await store.append(`${category}-${crypto.randomUUID()}`, 'none', events));
  }
  return last;
};
const event = (type: string, data: NewEvent['data']): NewEvent => ({
  id: crypto.randomUUID(),
  type,
  data,
  metadata: OUR_MARKS,
});

/** Views that count what they are given, and write nothing. */
const counting = (given: Map<string, number>): readonly Projection[] =>
  PROJECTIONS.map((projection) => {
    const count = async (_trx: Sql, _schema: string, events: readonly unknown[]): Promise<void> => {
      given.set(projection.view, (given.get(projection.view) ?? 0) + events.length);
    };
    return 'apply' in projection ? { ...projection, apply: count } : { ...projection, applyStored: count };
  });

const EACH = (APPENDS * 100) / 3;
const OF_EACH = new Map([
  ['data_source', EACH],
  ['catalog', EACH],
  ['tag', 2 * EACH],
  ['ingestion_setting', EACH],
  ['lifetime', 2 * EACH],
  ['log_tree', APPENDS * 100],
]);

describe('the log', () => {
  it('is read once for all views that are made from nothing, and once more for a rebuild of all', async () => {
    const given = new Map<string, number>();
    const views = counting(given);
    const world = await openViewsOfEventStoreDb(views, false);
    closing.push(world.close);
    const last = await fill(world.store);
    const before = world.counts().eventsRead;
    world.run();
    expect(await world.gate.reached(VIEWS, last, 60_000)).toBe(true);
    const read = world.counts().eventsRead;
    expect(given).toEqual(OF_EACH);
    // Beside the events themselves: ends of the log, and the one that each page begins behind.
    expect(read - before).toBeLessThan(1.1 * APPENDS * 100);

    given.clear();
    const rebuilt = await rebuildTogether(world.deps, views, new AbortController().signal);
    expect(rebuilt.map(({ view, events }) => [view, events])).toEqual(
      views.map(({ view }) => [view, OF_EACH.get(view) ?? 0]),
    );
    expect(given).toEqual(OF_EACH);
    expect(world.counts().eventsRead - read).toBeLessThan(1.1 * APPENDS * 100);
  });
});

describe('a rebuild of all views', () => {
  it('leaves the one that cannot apply an event as it was, and switches the others over', async () => {
    const world = await openWorld(PROJECTIONS);
    closing.push(world.close);
    await fill(world.store);
    const broken = counting(new Map()).map((projection) =>
      projection.view === 'tag'
        ? { ...projection, apply: () => Promise.reject(new Error('no')) }
        : projection,
    );
    const rebuilt = await rebuildTogether(world.deps, broken, new AbortController().signal);
    expect(rebuilt.filter(({ error }) => error !== undefined)).toMatchObject([
      { view: 'tag', error: { message: 'no' } },
    ]);
    for (const { view } of PROJECTIONS) {
      expect((await liveVersion(world.db, view))?.version).toBe(view === 'tag' ? 1 : 2);
    }
  });
});
