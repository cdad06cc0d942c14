import type { Migration } from '../migrations/runner.ts';
import { APPEND, APPEND_GROUP } from './append-functions.ts';
import { ALIGN, BOUND, HEAD, HIDDEN } from './gate-functions.ts';

/**
 * The event log and the functions that write it. Nothing else may insert into `es.events`.
 *
 * `tx` is the transaction id of the append (plus `es.clock.ahead`), `pos` the place within that transaction:
 * together they order the log. Transaction ids are given out in order but commit in any order, so readers stay
 * behind a bound (`es.stable_bound`) below which nothing can appear any more.
 */
export const eventStoreMigrations: readonly Migration[] = [
  {
    id: 'event-store-0001',
    up: async (execute) => {
      for (const statement of [
        SCHEMA,
        CLOCK,
        EVENTS,
        ORDER,
        APPEND,
        APPEND_GROUP,
        BOUND,
        HEAD,
        HIDDEN,
        ALIGN,
      ]) {
        await execute(statement);
      }
    },
  },
];

const SCHEMA = 'CREATE SCHEMA es';

/**
 * How far the log's clock runs ahead of the server's transaction counter: 0, until a log is restored by dump into a
 * server whose counter stands lower. See `es.align_clock`.
 */
const CLOCK = `
  CREATE TABLE es.clock AS SELECT 0::bigint AS ahead`;

const EVENTS = `
  CREATE TABLE es.events (
    tx bigint NOT NULL,
    pos bigint NOT NULL,
    stream text COLLATE "C" NOT NULL,
    revision bigint NOT NULL,
    event_id uuid NOT NULL UNIQUE,
    type text COLLATE "C" NOT NULL,
    data jsonb NOT NULL,
    metadata jsonb NOT NULL,
    recorded_at bigint NOT NULL,
    category text COLLATE "C" NOT NULL GENERATED ALWAYS AS (split_part(stream, '-', 1)) STORED,
    tenant text COLLATE "C" GENERATED ALWAYS AS (
      CASE WHEN jsonb_typeof(metadata -> 'tenant') = 'string' THEN metadata ->> 'tenant' END) STORED,
    PRIMARY KEY (stream, revision)
  )`;

const ORDER = 'CREATE UNIQUE INDEX events_order ON es.events (tx, pos)';
