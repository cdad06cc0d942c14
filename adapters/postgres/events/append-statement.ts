import { categoryOf, type CheckedEvent } from '../../../application/ports/event-checks.ts';
import { GATE, LOG_TIME, NOW_MS } from './gate-functions.ts';

/** Appends of more events go through `es.append`. */
export const MAX_EVENTS = 8;

/** $1 to $3, then these of each event. */
const SHARED = 3;
const OF_EVENT = ['uuid', 'text', 'text', 'json', 'json'];

const valuesOf = (nth: number): string =>
  `(${[`${nth}::bigint`, ...OF_EVENT.map((type, column) => `$${SHARED + (nth - 1) * OF_EVENT.length + column + 1}::${type}`)].join(', ')})`;

/**
 * The good case of `es.append` as one plain statement for a number of events that is known: without arrays and a
 * function it costs less. Answers a row with the log time for each event, or none at all when the stream is not at the
 * expected revision or the gate is shut: then `es.append` is to be asked.
 *
 * What does not depend on the rows is worked out once, first the condition: so the gate is entered before the log
 * time gives this transaction its id. It does not wait there, since its plan holds the offset of the log's clock,
 * which may change meanwhile.
 */
const statementFor = (size: number): string => `
  INSERT INTO es.events (tx, pos, stream, category, revision, event_id, type, tenant, data, metadata, recorded_at)
  SELECT (SELECT ${LOG_TIME}), v.nth, $1, $2, $3::bigint + v.nth, v.id, v.type, v.tenant, v.data, v.metadata,
    (SELECT ${NOW_MS})
  FROM (VALUES ${Array.from({ length: size }, (_, index) => valuesOf(index + 1)).join(', ')})
    AS v (nth, id, type, tenant, data, metadata)
  WHERE (SELECT pg_try_advisory_xact_lock_shared(${GATE}))
    AND coalesce((SELECT e.revision FROM es.events e WHERE e.stream = $1 ORDER BY e.revision DESC LIMIT 1), -1) = $3
  RETURNING tx`;

const STATEMENTS = Array.from({ length: MAX_EVENTS }, (_, index) => ({
  name: `es-append-${index + 1}`,
  text: statementFor(index + 1),
}));

/** For 1 to MAX_EVENTS events; `after` is the expected revision with -1 for a stream that does not exist yet. */
export const appendStatement = (stream: string, after: bigint, events: readonly CheckedEvent[]) => ({
  ...STATEMENTS[events.length - 1]!,
  values: [
    stream,
    categoryOf(stream),
    after,
    ...events.flatMap(({ id, type, tenant, data, metadata }) => [id, type, tenant, data, metadata]),
  ],
});
