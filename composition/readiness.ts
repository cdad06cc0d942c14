import { setTimeout as wait } from 'node:timers/promises';
import type { OpenSearch } from '../adapters/opensearch/connection.ts';
import { type ViewHealth, viewHealth } from '../adapters/postgres/projections/health.ts';
import { type FileAreas, FileStoreUnavailable } from '../application/ports/file-store.ts';
import type { Logger } from '../application/ports/logger.ts';
import { EventLogChanged } from '../application/event-sourcing/store-health/compare-log.ts';
import { EventStoreUnavailable } from '../application/ports/event-store.ts';
import { isTableGone } from '../adapters/postgres/work/database-identity.ts';
import { DatabaseLost } from '../application/ports/read-gate.ts';
import type { StoreWatches } from './event-log.ts';
import type { PostgresDatabase } from '../adapters/postgres/connection.ts';

/** Parts, each with a short reason. The response is public, so details are only in the log. */
export type Reasons = Readonly<Record<string, string>>;

export interface Readiness {
  /** What is not ready. */
  readonly reasons: Reasons;
  /** What is ready, but needs an operator. */
  readonly details: Reasons;
}

/** What a start still waits for, each with a short reason; public. */
export interface StartState {
  readonly pending: () => Readonly<Record<string, string>>;
  readonly set: (pending: Readonly<Record<string, string>>) => void;
}

export const createStartState = (): StartState => {
  let now: Readonly<Record<string, string>> = { server: 'starting' };
  return {
    pending: () => now,
    set: (pending) => {
      now = pending;
    },
  };
};

const PROBE_TIMEOUT_MS = 2_000;

export interface ReadinessDeps {
  readonly db: PostgresDatabase['db'];
  readonly files: FileAreas;
  readonly watches: Pick<StoreWatches, 'database' | 'events'>;
  readonly start: StartState;
  readonly log: Logger;
  /** The search engine outside of the database; undefined for none. */
  readonly cluster: OpenSearch | undefined;
  /** Whether the events are in another store than the database. */
  readonly eventsApart: boolean;
}

/** Checks everything that the service needs, concurrently. */
export const createReadiness =
  ({ db, files, watches, start, log, cluster, eventsApart }: ReadinessDeps): (() => Promise<Readiness>) =>
  async () => {
    const [views, ...others] = await Promise.all([
      viewsNotReady(db, watches.database),
      filesNotReady(files, log),
      eventsNotReady(watches.events, eventsApart),
      searchNotReady(cluster, log),
    ]);
    const told: Reasons = Object.assign({}, views.reasons, ...others);
    // The reason why the view of keys is halted says more than that it is behind.
    const reasons = 'projection api_key' in told ? told : { ...start.pending(), ...told };
    return { reasons, details: views.details };
  };

const haltOf = ({ haltedBecause }: ViewHealth): string | null => haltedBecause && `halted: ${haltedBecause}`;

/** Whether any request needs the view. */
const isServed = ({ view }: ViewHealth): boolean => view !== 'log_collector';

/** The watches log outages, so that a probe per second does not fill the log; this check can also end an outage. */
const viewsNotReady = async (
  db: PostgresDatabase['db'],
  { check }: StoreWatches['database'],
): Promise<Readiness> => {
  try {
    const [views, away] = await Promise.all([viewHealth(db), check()]);
    if (away !== null) throw away;
    const told = (reasonOf: (view: ViewHealth) => string | null): Reasons =>
      Object.fromEntries(
        views.flatMap((view) => {
          const reason = reasonOf(view);
          return reason === null ? [] : [[`projection ${view.view}`, reason]];
        }),
      );
    return {
      reasons: told((view) => (isServed(view) ? haltOf(view) : null)),
      details: {
        ...told(({ passed, passedNames }) =>
          passed === 0 ? null : `passes over ${passed}: ${passedNames.join(', ')}; see npm run views`,
        ),
        ...told((view) => (isServed(view) ? null : haltOf(view))),
      },
    };
  } catch (error) {
    const isLost = error instanceof DatabaseLost || isTableGone(error);
    return { reasons: { database: isLost ? 'its tables are gone' : 'it does not answer' }, details: {} };
  }
};

const filesNotReady = async (files: FileAreas, log: Logger): Promise<Reasons> => {
  try {
    await files.check(AbortSignal.timeout(PROBE_TIMEOUT_MS));
    return {};
  } catch (error) {
    log.warn('files cannot be kept', { error: (error as Error).message });
    const reason = error instanceof FileStoreUnavailable ? error.reason : 'failed';
    return { files: `down: ${reason === 'stopped' ? 'no answer in time' : reason}` };
  }
};

const eventsNotReady = async ({ check }: StoreWatches['events'], apart: boolean): Promise<Reasons> => {
  const reason = await check();
  if (reason instanceof EventLogChanged) return { 'event log': 'it is not the log that was known' };
  if (reason === null || !apart) return {};
  const isRefused = reason instanceof EventStoreUnavailable && reason.reason === 'refused';
  return { 'event store': isRefused ? 'it refuses the user' : 'it does not answer as it should' };
};

const searchNotReady = async (cluster: OpenSearch | undefined, log: Logger): Promise<Reasons> => {
  try {
    await Promise.race([cluster?.ask({ method: 'GET', path: '/' }), late()]);
    return {};
  } catch (error) {
    log.warn('the search engine cannot be asked', { error: (error as Error).message });
    return { 'search engine': 'it does not answer' };
  }
};

const late = async (): Promise<never> => {
  await wait(PROBE_TIMEOUT_MS, undefined, { ref: false });
  throw new Error(`no answer within ${PROBE_TIMEOUT_MS} ms`);
};
