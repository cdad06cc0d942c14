import type { Migration } from '../migrate.ts';
import { AHEAD, ALIGN, BOUND, GATE, HEAD, HIDDEN, LOG_TIME, NOW_MS } from './gate-functions.ts';

/**
 * The event log and the functions that write it. Nothing else may insert into `es.events`.
 *
 * `tx` is the transaction id of the append (plus `es.ahead()`), `pos` the position within that transaction;
 * together they order the log. Transaction ids are assigned in order but commit in any order, so readers stay
 * below a bound (`es.stable_bound`) under which no event can appear any longer.
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
  {
    id: 'event-store-0002',
    up: async (execute) => {
      // Hashes are a third of the size, and an append writes them at less cost.
      await execute(
        `CREATE INDEX events_actor ON es.events (hashtext(metadata -> 'actor' ->> 'id'), tx, pos)`,
      );
      await execute(
        `CREATE INDEX events_trace ON es.events (hashtext(substr(metadata ->> 'traceparent', 4, 32)), tx, pos)`,
      );
    },
  },
];

const SCHEMA = 'CREATE SCHEMA es';

/**
 * `json`, not `jsonb`: events are read back whole, as the text that was written, and need no conversion.
 * Category and tenant are separate columns for the feed's filters.
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

/**
 * Enters the gate before this transaction gets its id, which the first condition checks. In an IF both cost
 * next to nothing; as a separate statement the lock would be a considerable part of an append.
 */
const ENTER = `
    IF pg_current_xact_id_if_assigned() IS NOT NULL OR pg_advisory_xact_lock_shared(${GATE}) IS NULL THEN
      RAISE EXCEPTION 'an append must be the first write of its transaction';
    END IF;`;

/**
 * Columns per event are arrays; JSON documents are texts with one document per line, which is cheaper than
 * quoting.
 */
const ROWS = `
      INSERT INTO es.events (tx, pos, stream, category, revision, event_id, type, tenant, data, metadata, recorded_at)`;
const DOCUMENTS = `string_to_array(in_data, E'\\n'), string_to_array(in_metadata, E'\\n')`;

/**
 * Returns one verdict. 'appended' and 'repeated': revision and position of the last event. 'conflict': the
 * stream's revision (-1 means no stream), and in `pos` the number of these events that are already recorded
 * at their revisions.
 */
const APPEND = `
  CREATE FUNCTION es.append(
    in_stream text, in_expected bigint, in_ids uuid[], in_types text[], in_tenants text[],
    in_data text, in_metadata text,
    OUT verdict text, OUT revision bigint, OUT tx bigint, OUT pos bigint)
  LANGUAGE plpgsql AS $$
  DECLARE
    size constant bigint := cardinality(in_ids);
    of_category constant text := split_part(in_stream, '-', 1);
    now_ms bigint;
  BEGIN ${ENTER}
    LOOP
      now_ms := ${NOW_MS};${ROWS}
      SELECT ${LOG_TIME}, v.nth, in_stream, of_category, in_expected + v.nth, v.id, v.type,
        v.tenant, v.data::json, v.metadata::json, now_ms
      FROM unnest(in_ids, in_types, in_tenants, ${DOCUMENTS}) WITH ORDINALITY
        AS v (id, type, tenant, data, metadata, nth)
      WHERE (in_expected = -1
          OR EXISTS (SELECT FROM es.events e WHERE e.stream = in_stream AND e.revision = in_expected))
        AND NOT EXISTS (SELECT FROM es.events e WHERE e.stream = in_stream AND e.revision = in_expected + 1);
      IF FOUND THEN
        verdict := 'appended';
        revision := in_expected + size;
        tx := ${LOG_TIME};
        pos := size;
        RETURN;
      END IF;
      SELECT coalesce(max(e.revision), -1) INTO revision FROM es.events e WHERE e.stream = in_stream;
      -- Equal only if the expected event was committed between the two statements.
      EXIT WHEN revision <> in_expected;
    END LOOP;
    SELECT count(*) INTO pos FROM es.events e
    WHERE e.stream = in_stream AND e.revision BETWEEN in_expected + 1 AND in_expected + size
      AND e.event_id = in_ids[e.revision - in_expected];
    verdict := 'conflict';
    IF pos = size THEN
      SELECT 'repeated', e.revision, e.tx, e.pos INTO verdict, revision, tx, pos FROM es.events e
      WHERE e.stream = in_stream AND e.revision = in_expected + size;
    END IF;
  END $$`;

/**
 * Appends to different streams in one transaction. `in_owners` contains for each event the number of its
 * append (1 is the first). Returns, per append that was made, its number and the position of its last event.
 * Appends that are not at their expected revision are left out and unchanged. A generic plan is forced
 * because Postgres would plan small groups each time: their known size looks cheaper than the guessed one.
 */
const APPEND_GROUP = `
  CREATE FUNCTION es.append_group(
    in_streams text[], in_expected bigint[],
    in_owners integer[], in_event_streams text[], in_revisions bigint[], in_ids uuid[], in_types text[],
    in_tenants text[], in_data text, in_metadata text)
  RETURNS TABLE (owner integer, tx bigint, pos bigint)
  LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
  DECLARE
    fits constant boolean[] := ARRAY(
      SELECT coalesce((SELECT max(e.revision) FROM es.events e WHERE e.stream = s.stream), -1) = s.expected
      FROM unnest(in_streams, in_expected) WITH ORDINALITY AS s (stream, expected, nth) ORDER BY s.nth);
  BEGIN ${ENTER} ${ROWS}
      SELECT ${LOG_TIME}, v.nth, v.stream, split_part(v.stream, '-', 1), v.revision, v.id, v.type,
        v.tenant, v.data::json, v.metadata::json, ${NOW_MS}
      FROM unnest(in_owners, in_event_streams, in_revisions, in_ids, in_types, in_tenants, ${DOCUMENTS})
        WITH ORDINALITY AS v (owner, stream, revision, id, type, tenant, data, metadata, nth)
      WHERE fits[v.owner];
    IF FOUND THEN
      RETURN QUERY
        SELECT v.owner, ${LOG_TIME}, max(v.nth) FROM unnest(in_owners) WITH ORDINALITY AS v (owner, nth)
        WHERE fits[v.owner] GROUP BY v.owner;
    END IF;
  END $$`;
