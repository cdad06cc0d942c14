import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { createLeadership } from '../../../adapters/postgres/leadership.ts';
import type { LogFields } from '../../../application/ports/logger.ts';
import { prepareViews } from '../../../adapters/postgres/projections/rebuild.ts';
import { liveVersion } from '../../../adapters/postgres/projections/versions.ts';
import { dataSourceProjection } from '../../../adapters/postgres/projections/views.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { openWorld, silent } from '../../support/world.ts';
import { OUR_MARKS } from '../../support/newer-version.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

const signalled = () => {
  const controller = new AbortController();
  const { signal } = controller;
  return { end: () => controller.abort(), signal, ended: once(signal, 'abort') };
};

/** A task that leads until it is told to end, or loses the lead. */
const leading = () => {
  const begun = signalled();
  const over = signalled();
  const lost = signalled();
  return {
    begun: begun.ended,
    end: over.end,
    lost: lost.ended,
    task: async (held: AbortSignal) => {
      held.addEventListener('abort', lost.end);
      begun.end();
      await Promise.race([over.ended, lost.ended]);
      return 'led';
    },
  };
};

const database = async () => {
  const fresh = await freshDatabase();
  open.push(fresh.close);
  return fresh;
};

describe('leadership', () => {
  it('lets one process lead, and the next when that one ends', async () => {
    const { newClient } = await database();
    const never = new AbortController().signal;
    const [first, second] = [leading(), leading()];
    const one = createLeadership(newClient, silent).lead('view x', never, first.task);
    await first.begun;
    let led = false;
    const two = createLeadership(newClient, silent).lead('view x', never, (held) => {
      led = true;
      return second.task(held);
    });
    const other = leading();
    const elsewhere = createLeadership(newClient, silent).lead('view y', never, other.task);
    await other.begun;
    expect(led).toBe(false);
    first.end();
    expect(await one).toBe('led');
    await second.begun;
    second.end();
    other.end();
    expect(await Promise.all([two, elsewhere])).toEqual(['led', 'led']);
  });

  it('tells the leader when its connection breaks, and another takes over', async () => {
    const { newClient, pool } = await database();
    const never = new AbortController().signal;
    const [first, second] = [leading(), leading()];
    const one = createLeadership(newClient, silent).lead('view x', never, first.task);
    await first.begun;
    const two = createLeadership(newClient, silent).lead('view x', never, second.task);
    await pool.query(`SELECT pg_terminate_backend(pid) FROM pg_locks
      WHERE locktype = 'advisory' AND classid = 7701 AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
    await first.lost;
    await one;
    await second.begun;
    second.end();
    expect(await two).toBe('led');
  });

  it('is of one at a time in one process too, and free for others at once when it ends', async () => {
    const { newClient } = await database();
    const never = new AbortController().signal;
    const waited = signalled();
    const leadership = createLeadership(newClient, silent, async () => {
      waited.end();
      await nextTurn();
    });
    const [first, second, other] = [leading(), leading(), leading()];
    const beside = leadership.lead('view y', never, other.task);
    const one = leadership.lead('view x', never, first.task);
    await Promise.all([first.begun, other.begun]);
    let led = false;
    const two = leadership.lead('view x', never, async (held) => {
      led = true;
      return second.task(held);
    });
    await waited.ended;
    expect(led).toBe(false);
    first.end();
    expect(await one).toBe('led');
    await second.begun;
    second.end();
    await two;
    const elsewhere = createLeadership(newClient, silent, () => Promise.reject(new Error('it was not free')));
    expect(await elsewhere.lead('view x', never, async () => 'led there')).toBe('led there');
    other.end();
    await beside;
  });

  it('answers nothing to who is told to stop while waiting', async () => {
    const { newClient } = await database();
    const first = leading();
    const one = createLeadership(newClient, silent).lead('view x', new AbortController().signal, first.task);
    await first.begun;
    const stop = new AbortController();
    const two = createLeadership(newClient, silent).lead('view x', stop.signal, async () => 'led');
    stop.abort();
    expect(await two).toBeUndefined();
    first.end();
    await one;
  });
});

describe('leadership of a database that is away', () => {
  it('is asked for once per pause, says so once, and is had when the database is back', async () => {
    const { newClient } = await database();
    const away = () => new pg.Client({ host: '127.0.0.1', port: 1 });
    const told: unknown[] = [];
    const log = { ...silent, warn: (_: string, fields?: LogFields) => void told.push(fields) };
    const did: string[] = [];
    const connect = (): pg.Client => {
      did.push('asked');
      return did.length < 6 ? away() : newClient();
    };
    const leadership = createLeadership(connect, log, async () => void did.push('paused'));
    expect(await leadership.lead('view x', new AbortController().signal, async () => 'led')).toBe('led');
    expect(did).toEqual(['asked', 'paused', 'asked', 'paused', 'asked', 'paused', 'asked']);
    expect(told).toEqual([{ name: 'view x', error: expect.stringContaining('ECONNREFUSED') }]);
  });

  it('is given up when somebody says stop', async () => {
    const stop = new AbortController();
    const away = () => new pg.Client({ host: '127.0.0.1', port: 1 });
    const leadership = createLeadership(away, silent, async () => stop.abort());
    expect(await leadership.lead('view x', stop.signal, async () => 'led')).toBeUndefined();
  });
});

describe('programs of two versions', () => {
  it('rebuild an older view once, however many start, and leave a newer one alone', async () => {
    const older = dataSourceProjection;
    const newer = { ...older, shape: older.shape + 1 };
    const world = await openWorld([older]);
    open.push(world.close);
    const signal = AbortSignal.timeout(20_000);
    const rebuilt: string[] = [];
    const start = (projection: typeof older) =>
      prepareViews(world.deps, [projection], signal, (view) => rebuilt.push(view));
    await Promise.all([start(newer), start(newer), start(newer)]);
    expect(rebuilt).toEqual(['data_source']);
    await start(older);
    expect(rebuilt).toHaveLength(1);
    expect((await liveVersion(world.db, 'data_source'))?.shape).toBe(newer.shape);
  });

  it('keep the older one from moving a view of the newer, which a stand-by then moves', async () => {
    const wrote: string[] = [];
    const program = (name: string, shape: number): typeof dataSourceProjection => ({
      ...dataSourceProjection,
      shape,
      acceptsUnknown: true,
      apply: async () => void wrote.push(name),
    });
    const world = await openWorld([program('newer', 9)]);
    open.push(world.close);
    const standsBy = signalled();
    world.project(program('older', 8), { ...silent, info: standsBy.end });
    await standsBy.ended;
    const { position } = await world.store.append(`dataSource-${world.ids.newId()}`, 'none', [
      { id: world.ids.newId(), type: 'FactOfTomorrow', data: {}, metadata: OUR_MARKS },
    ]);
    expect(await world.gate.reached(['data_source'], position, 50)).toBe(false);
    world.project(program('newer', 9));
    expect(await world.gate.reached(['data_source'], position, 10_000)).toBe(true);
    expect(wrote).toEqual(['newer']);
  });
});
