import { type EventCodec, project, tolerantCodec } from '../../../application/event-sourcing/event-codec.ts';
import { CollectorUnavailable } from '../../../application/audit/log-collector.ts';
import type { Position, RecordedEvent } from '../../../application/ports/event-store.ts';
import { FileStoreUnavailable } from '../../../application/ports/file-store.ts';
import { SearchEngineUnavailable } from '../../../application/ports/search-engine.ts';
import type { Logger } from '../../../application/ports/logger.ts';
import { isTransient } from '../connection.ts';
import type { Sql } from '../database-schema.ts';
import type { Transact } from '../transaction.ts';
import { logPassed, passOver } from './passed-streams.ts';
import type { Projection } from './projection.ts';
import { LostRace, moveCheckpoint, schemaOf, type Version } from './versions.ts';

/** An event that fails at every attempt to apply it. */
export class PoisonEvent extends Error {
  readonly position: Position;
  constructor(event: RecordedEvent, cause: unknown) {
    const where = `at revision ${event.revision} of ${event.stream}, position ${event.position}`;
    super(`${event.type} ${where}: ${(cause as Error).message}`, { cause });
    this.name = 'PoisonEvent';
    this.position = event.position;
  }
}

export interface ApplyDeps {
  readonly transact: Transact;
  readonly codec: EventCodec;
  readonly log: Pick<Logger, 'error'>;
}

/**
 * Writes rows and checkpoint in one transaction, but nothing of events that the view must pass over: see
 * `passOver`. Returns the new position `to`, which is at or after the last event.
 *
 * @throws LostRace, or any error of the projection; nothing is written then
 */
export const applyBatch = async (
  { transact, codec, log }: ApplyDeps,
  projection: Projection,
  version: Version,
  from: Position,
  events: readonly RecordedEvent[],
  to: Position = events.at(-1)?.position ?? from,
): Promise<Position> => {
  const reader = projection.acceptsUnknown === true ? tolerantCodec(codec) : codec;
  const schema = schemaOf(version.view, version.version);
  const apply = async (trx: Sql): Promise<Parameters<typeof logPassed>[2]> => {
    if ('applyStored' in projection) {
      await projection.applyStored(trx, schema, events);
      return [];
    }
    const { applied, passed } = await passOver(trx, projection, version, schema, events);
    if (applied.length > 0)
      await projection.apply(
        trx,
        schema,
        applied.map((event) => project(reader, event)),
      );
    return passed;
  };
  const newlyPassed = await transact(async (trx) => {
    // Both statements are sent together. A projector that lost the race may read from a dropped schema;
    // LostRace takes precedence over the error of that read.
    const moving = moveCheckpoint(trx, version, from, to);
    const applying = apply(trx);
    applying.catch(() => {});
    await moving;
    return applying;
  });
  logPassed(log, version.view, newlyPassed);
  return to;
};

/** The events that may change the view. An event of a type that this version does not know always may. */
export const relevantEvents = (
  codec: EventCodec,
  { isRelevant }: Projection,
  events: readonly RecordedEvent[],
): readonly RecordedEvent[] => {
  if (isRelevant === undefined) return events;
  return events.filter(({ type: storedName }) => {
    const type = codec.typeOf(storedName);
    return type === null || isRelevant(type);
  });
};

/**
 * Applies events one by one to find the one that fails; earlier events stay applied.
 *
 * @throws PoisonEvent
 */
export const applyOneByOne = async (
  deps: ApplyDeps,
  projection: Projection,
  version: Version,
  from: Position,
  events: readonly RecordedEvent[],
): Promise<Position> => {
  let at = from;
  for (const event of events) {
    try {
      at = await applyBatch(deps, projection, version, at, [event]);
    } catch (error) {
      if (isRetryable(error)) throw error;
      throw new PoisonEvent(event, error);
    }
  }
  return at;
};

/** The database, another store or a race is at fault, not the event. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof LostRace ||
  error instanceof FileStoreUnavailable ||
  error instanceof SearchEngineUnavailable ||
  error instanceof CollectorUnavailable ||
  isTransient(error);
