import { logTreeProjection } from '../../adapters/postgres/log-tree/projection.ts';
import type { Projection } from '../../adapters/postgres/projections/projection.ts';
import { rebuildTogether } from '../../adapters/postgres/projections/rebuild.ts';
import { createVersion } from '../../adapters/postgres/projections/versions.ts';
import { createCheckpointMaker } from '../../application/audit/checkpoints.ts';
import { verifyLog } from '../../application/audit/verify-log.ts';
import { createEventCodec } from '../../application/event-sourcing/event-codec.ts';
import type { Bench, Result, Run } from '../bench.ts';
import { openEventLog } from '../events/event-log.ts';
import { exports } from './exports.ts';
import { generateLog, type GeneratedLog, LONG_STREAM } from './generated-log.ts';
import { looks } from './looks.ts';
import { compared, measured, type Measured, NEVER, readAll } from './rates.ts';
import { openViews, proving, viewsOf, type World } from './world.ts';

const SIZE = 100_000;
const AIMS = { views: 0.4, tree: 0.5, verified: 100_000 };

/**
 * What is done with a whole log: views and tree rebuilt, exports, verification, and single looks into the past of a
 * generated log. `BENCH_EVENTS` sets its size.
 */
export const replayBench: Bench = {
  name: 'replay',
  needs: [],
  measure: async function* measure(run) {
    const { quick, cleanup } = run;
    const size = quick ? 3_000 : Number(process.env['BENCH_EVENTS'] ?? SIZE);
    if (!Number.isSafeInteger(size) || size < 2 * LONG_STREAM)
      throw new Error(`BENCH_EVENTS takes a whole number from ${2 * LONG_STREAM} on`);
    // Filling is not measured, and need not wait for the disk.
    const log = await openEventLog(cleanup, ['synchronous_commit = off', 'max_wal_size = 4GB']);
    const world = await openViews(log, cleanup);
    const generated = await generateLog(log.store, size, progressOf(size));
    const known = { events: generated.events, tenants: generated.tenants.length };
    await world.views.pool.query('VACUUM ANALYZE es.events');
    for (const projection of viewsOf(generated)) await createVersion(world.views.db, projection, true);
    for (const measurement of [rebuilds, verification, exports, looks])
      for await (const told of measurement(run, world, generated)) yield { ...told, ...known };
  },
};

const progressOf = (size: number) => {
  let told = 0;
  return (events: number): void => {
    if (!process.stderr.isTTY || (events < size && events - told < 10_000)) return;
    told = events;
    process.stderr.write(`\rfilling: ${events} of ${size} events${events >= size ? '\n' : ''}`);
  };
};

async function* rebuilds(
  { profiling, quick }: Run,
  { feed, views: { db, transact, pool } }: World,
  generated: GeneratedLog,
): AsyncGenerator<Result> {
  const { events } = generated;
  const projections = viewsOf(generated);
  const deps = { db, transact, feed, codec: createEventCodec(), log: console };
  const rival = () => measured(events, () => readAll(feed));
  const rebuilt = (some: readonly Projection[]) => async (): Promise<Measured> =>
    measured(events, async () => {
      for (const { error } of await rebuildTogether(deps, some, NEVER)) if (error !== undefined) throw error;
      return events;
    });
  const sides = [
    { bench: 'replay, tree', of: [logTreeProjection], aim: AIMS.tree, rounds: 5 },
    { bench: 'replay, all views', of: projections, aim: AIMS.views, rounds: 1 },
    {
      bench: 'replay, views without texts and tree',
      of: projections.filter(({ view }) => view !== 'catalog' && view !== 'log_tree'),
      aim: AIMS.views,
      rounds: 3,
    },
  ];
  for (const { bench, of, aim, rounds } of sides) {
    const ours = rebuilt(of);
    await compared(1, ours, rival);
    await pool.query('ANALYZE');
    const found = await compared(quick ? 1 : rounds, () => profiling.profiled(ours), rival);
    yield {
      bench,
      ...found,
      measured: 'in process',
      unit: 'events/s',
      target: `>= ${aim}`,
      met: found.ratio >= aim,
      views: of.length,
      rival_is: 'reading the events through the feed, 2,000 at a time',
    };
  }
}

async function* verification(
  { profiling, quick }: Run,
  world: World,
  { events, tenants }: GeneratedLog,
): AsyncGenerator<Result> {
  const deps = { ...proving(world), feed: world.feed };
  const make = createCheckpointMaker(deps);
  for (const tenant of tenants) await make(tenant);
  const verify = async (): Promise<number> => {
    const found = await verifyLog(deps, { outside: new Map(), onProgress: () => {}, signal: NEVER });
    if (found.differences.length > 0) throw new Error(JSON.stringify(found.differences[0]));
    return found.events;
  };
  const rival = () => measured(events, () => readAll(world.feed));
  const ours = () => measured(events, verify);
  await compared(1, ours, rival);
  const found = await compared(quick ? 1 : 5, () => profiling.profiled(ours), rival);
  yield {
    bench: 'replay, audit verify',
    ...found,
    measured: 'in process',
    unit: 'events/s',
    target: `>= ${AIMS.verified} events/s`,
    met: found.ours >= AIMS.verified,
    rival_is: 'reading the events through the feed, 2,000 at a time',
  };
}
