import type { Migration } from '../migrations/runner.ts';
import { APPEND, APPEND_GROUP } from './append-functions.ts';
import { AHEAD, ALIGN, BOUND, HEAD, HIDDEN } from './gate-functions.ts';

/**
 * The event log and the functions that write it. Nothing else may insert into `es.events`.
 *
 * `tx` is the transaction id of the append (plus `es.ahead()`), `pos` the place within that transaction:
 * together they order the log. Transaction ids are given out in order but commit in any order, so readers stay
 * behind a bound (`es.stable_bound`) below which nothing can appear any more.
 */
export const eventStoreMigrations: readonly Migration[] = [
  {
    id: 'event-store-0001',
    up: async (execute) => {
      for (const statement of [
        SCHEMA,
        AHEAD,
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
 * `json`, not `jsonb`: events are read back whole, as the text that was written, and neither way costs a conversion.
 * Category and tenant stand apart for the feed's filters.
 */
const EVENTS = `
  CREATE TABLE es.events (
    tx bigint NOT NULL,
    pos bigint NOT NULL,
    stream text COLLATE "C" NOT NULL,
    category text COLLATE "C" NOT NULL,
    revision bigint NOT NULL,
    event_id uuid NOT NULL UNIQUE,
    type text COLLATE "C" NOT NULL,
    tenant text COLLATE "C",
    data json NOT NULL,
    metadata json NOT NULL,
    recorded_at bigint NOT NULL,
    PRIMARY KEY (stream, revision)
  )`;

const ORDER = 'CREATE UNIQUE INDEX events_order ON es.events (tx, pos)';
