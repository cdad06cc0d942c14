import { decodeKnown, type EventCodec, project } from '../../../application/event-sourcing/event-codec.ts';
import type { Position, RecordedEvent } from '../../../application/ports/event-store.ts';
import { FileStoreUnavailable } from '../../../application/ports/file-store.ts';
import { isTransient } from '../connection.ts';
import type { Transact } from '../transaction.ts';
import type { Projection } from './projection.ts';
import { LostRace, moveCheckpoint, schemaOf, type Version } from './versions.ts';

/** An event that cannot be applied however often it is tried. */
export class PoisonEvent extends Error {
  readonly position: Position;
  constructor(event: RecordedEvent, cause: unknown) {
    const where = `at revision ${event.revision} of ${event.stream}, position ${event.position}`;
    super(`${event.type} ${where}: ${(cause as Error).message}`, { cause });
    this.name = 'PoisonEvent';
    this.position = event.position;
  }
}

/**
 * Rows and checkpoint in one transaction. Returns the position reached: `to`, which lies at or behind the last event.
 *
 * @throws LostRace, or whatever the projection throws; then nothing is kept
 */
export const applyBatch = async (
  transact: Transact,
  codec: EventCodec,
  projection: Projection,
  version: Version,
  from: Position,
  events: readonly RecordedEvent[],
  to: Position = events.at(-1)?.position ?? from,
): Promise<Position> => {
  const reader = projection.takesUnknown === true ? tolerant(codec) : codec;
  const projected = events.map((event) => project(reader, event));
  await transact(async (trx) => {
    // Asked for together. Who has lost the race reads in vain, from a schema that may be gone: then the race is told, and
    // not what became of it.
    const moving = moveCheckpoint(trx, version, from, to);
    const applying = projection.apply(trx, schemaOf(version.view, version.version), projected);
    applying.catch(() => {});
    await moving;
    await applying;
  });
  return to;
};

/** Those that may change the view. Of types that this version does not know all do. */
export const concerning = (
  codec: EventCodec,
  { concerns }: Projection,
  events: readonly RecordedEvent[],
): readonly RecordedEvent[] => {
  if (concerns === undefined) return events;
  return events.filter(({ type: storedName }) => {
    const type = codec.typeOf(storedName);
    return type === null || concerns(type);
  });
};

/** Reads what it does not know as UnknownEvent, which only a projection that takes them is given. */
const tolerant = (codec: EventCodec): EventCodec => ({
  ...codec,
  decode: (recorded) => decodeKnown(codec, recorded) ?? ({ type: 'UnknownEvent' } as never),
});

/** One event after the other, to find the one that fails; what comes before it is kept. @throws PoisonEvent */
export const applyOneByOne = async (
  transact: Transact,
  codec: EventCodec,
  projection: Projection,
  version: Version,
  from: Position,
  events: readonly RecordedEvent[],
): Promise<Position> => {
  let at = from;
  for (const event of events) {
    try {
      at = await applyBatch(transact, codec, projection, version, at, [event]);
    } catch (error) {
      if (mayBeRetried(error)) throw error;
      throw new PoisonEvent(event, error);
    }
  }
  return at;
};

/** The database, the files or the race, not the event. */
export const mayBeRetried = (error: unknown): boolean =>
  error instanceof LostRace || error instanceof FileStoreUnavailable || isTransient(error);
