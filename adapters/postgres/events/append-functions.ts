import { GATE, NOW_MS } from './gate-functions.ts';

/** The gate, and the log time of this transaction. The check keeps "lock before transaction id" true. */
const ENTER = `
    IF pg_current_xact_id_if_assigned() IS NOT NULL THEN
      RAISE EXCEPTION 'an append must be the first write of its transaction';
    END IF;
    PERFORM pg_advisory_xact_lock_shared(${GATE});`;
const LOG_TIME = `pg_current_xact_id()::text::bigint + (SELECT ahead FROM es.clock)`;

/**
 * Answers one verdict. 'appended' and 'repeated': revision and place of the last event. 'conflict': the stream's
 * revision (-1 = no stream), and in `pos` how many of the events are already recorded where they were to go.
 */
export const APPEND = `
  CREATE FUNCTION es.append(
    in_stream text, in_expected bigint, in_ids uuid[], in_types text[], in_data jsonb[], in_metadata jsonb[],
    OUT verdict text, OUT revision bigint, OUT tx bigint, OUT pos bigint)
  LANGUAGE plpgsql AS $$
  DECLARE
    size constant bigint := cardinality(in_ids);
    head bigint;
  BEGIN ${ENTER}
    SELECT max(e.revision) INTO head FROM es.events e WHERE e.stream = in_stream;
    head := coalesce(head, -1);
    IF head = in_expected THEN
      verdict := 'appended';
      revision := head + size;
      tx := ${LOG_TIME};
      pos := size;
      INSERT INTO es.events (tx, pos, stream, revision, event_id, type, data, metadata, recorded_at)
      SELECT append.tx, v.nth, in_stream, head + v.nth, v.id, v.type, v.data, v.metadata, ${NOW_MS}
      FROM unnest(in_ids, in_types, in_data, in_metadata) WITH ORDINALITY AS v (id, type, data, metadata, nth);
      RETURN;
    END IF;
    SELECT count(*) INTO pos FROM es.events e
    WHERE e.stream = in_stream AND e.revision BETWEEN in_expected + 1 AND in_expected + size
      AND e.event_id = in_ids[e.revision - in_expected];
    IF pos < size THEN
      verdict := 'conflict';
      revision := head;
      RETURN;
    END IF;
    verdict := 'repeated';
    revision := in_expected + size;
    SELECT e.tx, e.pos INTO tx, pos FROM es.events e WHERE e.stream = in_stream AND e.revision = append.revision;
  END $$`;

/**
 * Many appends to different streams in one transaction. Per append: its number, and the place of its last event
 * when it was appended; appends that are not at their expected revision are left out of the answer and untouched.
 */
export const APPEND_GROUP = `
  CREATE FUNCTION es.append_group(
    in_streams text[], in_expected bigint[],
    in_owners integer[], in_revisions bigint[], in_ids uuid[], in_types text[], in_data jsonb[], in_metadata jsonb[])
  RETURNS TABLE (owner integer, tx bigint, pos bigint)
  LANGUAGE plpgsql AS $$
  DECLARE
    fits integer[];
    this_tx bigint;
  BEGIN ${ENTER}
    fits := ARRAY(
      SELECT s.nth FROM unnest(in_streams, in_expected) WITH ORDINALITY AS s (stream, expected, nth)
      WHERE coalesce((SELECT max(e.revision) FROM es.events e WHERE e.stream = s.stream), -1) = s.expected);
    IF cardinality(fits) = 0 THEN
      RETURN;
    END IF;
    this_tx := ${LOG_TIME};
    INSERT INTO es.events (tx, pos, stream, revision, event_id, type, data, metadata, recorded_at)
    SELECT this_tx, v.nth, in_streams[v.owner], v.revision, v.id, v.type, v.data, v.metadata, ${NOW_MS}
    FROM unnest(in_owners, in_revisions, in_ids, in_types, in_data, in_metadata) WITH ORDINALITY
      AS v (owner, revision, id, type, data, metadata, nth)
    WHERE v.owner = ANY (fits);
    RETURN QUERY
      SELECT v.owner, this_tx, max(v.nth) FROM unnest(in_owners) WITH ORDINALITY AS v (owner, nth)
      WHERE v.owner = ANY (fits) GROUP BY v.owner;
  END $$`;
