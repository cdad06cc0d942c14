import { createDatabase } from '../../adapters/postgres/connection.ts';
import type { Projection } from '../../adapters/postgres/projections/projection.ts';
import { rebuild, rebuildTogether } from '../../adapters/postgres/projections/rebuild.ts';
import { createVersion } from '../../adapters/postgres/projections/versions.ts';
import { createEventCodec } from '../../application/event-sourcing/event-codec.ts';
import type { EventFeed } from '../../application/ports/event-store.ts';
import { PROJECTIONS } from '../../tests/support/views.ts';
import type { Bench, Result } from '../bench.ts';
import { openEventLog } from '../events/event-log.ts';
import { median, sideBySide } from '../measuring/side-by-side.ts';
import { processorTime } from '../measuring/processor-time.ts';
import { fillMixed } from './mixed-log.ts';

const TARGET = 2.5;
const EVENTS = 200_000;
/** A page of the log, and a batch of events, where each view reads for itself: as it was before they read together. */
const ALONE = 500;

/** All views from nothing by one reading of the log, beside one reading for each: one after another, and all at once. */
export const viewsBench: Bench = {
  name: 'views',
  needs: [],
  measure: async function* measure({ quick, profiling, cleanup }) {
    const log = await openEventLog(cleanup);
    const database = createDatabase({
      ...log.address,
      poolSize: 16,
      synchronousCommit: false,
    });
    cleanup.defer(database.close);
    const events = await fillMixed(log.store, quick ? 2_000 : EVENTS);
    await database.pool.query('VACUUM ANALYZE');
    for (const view of PROJECTIONS) await createVersion(database.db, view, true);
    const { db, transact } = database;
    const deps = { db, transact, feed: log.feed, codec: createEventCodec(), log: console };
    const { signal } = new AbortController();
    const together = async (): Promise<void> => {
      for (const { error } of await rebuildTogether(deps, PROJECTIONS, signal))
        if (error !== undefined) throw error;
    };
    const alone = { ...deps, feed: inPagesOf(ALONE, log.feed) };
    const byItself = (view: Projection) =>
      rebuild(alone, { ...view, batchSize: ALONE, isRelevant: () => true }, signal);
    const inTurn = async (): Promise<void> => {
      for (const view of PROJECTIONS) await byItself(view);
    };
    const atOnce = async (): Promise<void> => {
      await Promise.all(PROJECTIONS.map(byItself));
    };
    const used = await processorTime(database.pool);
    const rate = async (run: () => Promise<void>, seconds: (number | null)[]): Promise<number> => {
      const [begun, before] = [performance.now(), used()];
      await run();
      const [over, after] = [performance.now(), used()];
      seconds.push(before === null || after === null ? null : after - before);
      return (events * 1000) / (over - begun);
    };
    const rivals = {
      'one reading for each, one after another': inTurn,
      'one reading for each, at the same time': atOnce,
    };
    for (const [rivalIs, run] of Object.entries(rivals)) {
      const seconds: Record<'ours' | 'rival', (number | null)[]> = { ours: [], rival: [] };
      const measured = await sideBySide(
        quick ? 1 : 3,
        () => profiling.profiled(() => rate(together, seconds.ours)),
        () => rate(run, seconds.rival),
      );
      const told: Result = {
        bench: 'views',
        ...measured,
        measured: 'in process',
        unit: 'events/s into all views',
        target: `>= ${TARGET}`,
        met: measured.ratio >= TARGET,
        events,
        views: PROJECTIONS.length,
        processorSeconds: { ours: middle(seconds.ours), rival: middle(seconds.rival) },
        rivalIs,
      };
      yield told;
    }
  },
};

const inPagesOf = (batchSize: number, feed: EventFeed): EventFeed => ({
  ...feed,
  follow: (after, filter, options) => feed.follow(after, filter, { ...options, batchSize }),
});

/** Of the process and its server; null where nobody tells. */
const middle = (seconds: readonly (number | null)[]): number | null =>
  seconds.includes(null) ? null : Math.round(median(seconds as readonly number[]) * 10) / 10;
