/**
 * Key of the advisory lock that every append holds, shared, from before its transaction id until its commit.
 */
export const GATE = '77, 1';

/** The log time of this transaction, and of any transaction id. See `AHEAD`. */
const logTime = (xid: string): string => `(${xid}::text::bigint + es.ahead())`;
export const LOG_TIME = logTime('pg_current_xact_id()');

/** Greater than the log time of every committed transaction. */
const NEXT = logTime('pg_snapshot_xmax(pg_current_snapshot())');

/** The server's clock in Unix milliseconds. */
export const NOW_MS = `(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

/**
 * Returns the log time below which no event can appear any longer, for statements that start after this one
 * has returned.
 *
 * A transaction below the snapshot's upper end may still append if it is running and is not known to be
 * outside the gate. It is known to be outside if it holds the lock on its own transaction id, which Postgres
 * takes right after the id, but not the gate, which an append takes before the id. So a writer of other
 * tables never holds the feed back; an undecidable transaction (between id and lock, or prepared) does. Locks
 * are visible to every role, unlike pg_stat_activity. An append leaves the list of running transactions
 * before it releases its locks.
 */
export const BOUND = `
  CREATE FUNCTION es.stable_bound() RETURNS bigint
  LANGUAGE plpgsql AS $$
  DECLARE
    seen constant pg_snapshot := pg_current_snapshot();
    bound xid8 := pg_snapshot_xmax(seen);
  BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
      RAISE EXCEPTION 'the event feed reads in read committed transactions only: each statement needs a new snapshot';
    END IF;
    IF pg_snapshot_xmin(seen) < bound THEN
      WITH locks AS MATERIALIZED (
        SELECT virtualtransaction AS owner, transactionid AS xid,
          locktype = 'advisory' AND (classid, objid, objsubid) = (${GATE}, 2)
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AS gate
        FROM pg_locks
        WHERE granted AND (locktype = 'advisory' OR locktype = 'transactionid' AND mode = 'ExclusiveLock')
      ), outside AS (
        SELECT xid FROM locks
        WHERE xid IS NOT NULL AND owner NOT IN (SELECT owner FROM locks WHERE gate)
      )
      SELECT coalesce(min(running), bound) INTO bound
      FROM pg_snapshot_xip(seen) AS running
      WHERE running::xid NOT IN (SELECT xid FROM outside) AND pg_xact_status(running) = 'in progress';
    END IF;
    RETURN ${logTime('bound')};
  END $$`;

/**
 * Position of the last event of the stable part; null for an empty log. Each statement below has its own
 * snapshot.
 */
export const HEAD = `
  CREATE FUNCTION es.stable_head(OUT tx bigint, OUT pos bigint)
  LANGUAGE plpgsql AS $$
  DECLARE
    bound constant bigint := es.stable_bound();
  BEGIN
    SELECT e.tx, e.pos INTO tx, pos FROM es.events e ORDER BY e.tx DESC, e.pos DESC LIMIT 1;
    IF tx >= bound THEN
      IF tx >= ${NEXT} THEN
        RAISE EXCEPTION 'the event log is ahead of the transaction counter: it was restored, call es.align_clock()';
      END IF;
      SELECT e.tx, e.pos INTO tx, pos FROM es.events e
      WHERE e.tx < bound ORDER BY e.tx DESC, e.pos DESC LIMIT 1;
    END IF;
  END $$`;

/** Milliseconds for which the oldest committed event has been hidden by the bound; 0 if none is. */
export const HIDDEN = `
  CREATE FUNCTION es.oldest_hidden_ms() RETURNS bigint
  LANGUAGE plpgsql AS $$
  DECLARE
    bound constant bigint := es.stable_bound();
  BEGIN
    RETURN coalesce((SELECT greatest(0, ${NOW_MS} - min(e.recorded_at)) FROM es.events e WHERE e.tx >= bound), 0);
  END $$`;

/**
 * How far the log's clock is ahead of the server's transaction counter: 0, until `es.align_clock` changes it.
 * Unlike a table, a function with a constant costs nothing in a query.
 */
const aheadBy = (value: string): string => `
  CREATE OR REPLACE FUNCTION es.ahead() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT ${value}::bigint'`;
export const AHEAD = aheadBy('0');

/**
 * A restored dump contains its log times but not the transaction counter, so new events would sort before old
 * ones. This moves the log's clock ahead, once, while no append runs.
 */
export const ALIGN = `
  CREATE FUNCTION es.align_clock() RETURNS void
  LANGUAGE plpgsql AS $$
  DECLARE
    last bigint := coalesce((SELECT max(tx) FROM es.events), 0);
  BEGIN
    IF last < ${NEXT} THEN
      RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(${GATE});
    last := (SELECT max(tx) FROM es.events);
    IF last >= ${NEXT} THEN
      EXECUTE format($ahead$${aheadBy('%s')}$ahead$, last + 1 - ${NEXT} + es.ahead());
    END IF;
  END $$`;
