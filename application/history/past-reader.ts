import { DomainError } from '../../domain/shared/domain-error.ts';
import { type DomainEvent, isUnknown, type ProjectedEvent } from '../event-sourcing/aggregates.ts';
import {
  carriesOurMarks,
  type EventCodec,
  project,
  STORED,
  tolerantCodec,
} from '../event-sourcing/event-codec.ts';
import {
  BEGINNING,
  type EventFeed,
  type EventStreams,
  ForeignEvent,
  type RecordedEvent,
} from '../ports/event-store.ts';
import type { RowFold } from '../read-models/row-folds.ts';
import { isBy, type Moment } from './moment.ts';

type Row = { readonly revision: bigint };
/** A decoded event with its stored form. */
export interface HistoricEvent extends ProjectedEvent {
  readonly recorded: RecordedEvent;
}
type Events = readonly HistoricEvent[];

/**
 * Reads streams, decoded, each once: whole, or only the events of one type. Empty if the tenant has no such stream.
 *
 * @throws EventStoreUnavailable; ForeignEvent, StreamCut, StreamDeleted if another program has changed the stream
 */
export type ReadStream = (stream: string, tenant: string, type?: DomainEvent['type']) => Promise<Events>;

export interface ReadStreamDeps {
  readonly store: Pick<EventStreams, 'readStream'>;
  readonly feed: Pick<EventFeed, 'read'>;
  readonly codec: EventCodec;
}

const PAGE = 2_000;

export const createReadStream = ({ store, feed, codec }: ReadStreamDeps): ReadStream => {
  const known = new Map<string, Promise<Events>>();
  const tolerant = tolerantCodec(codec);
  const decoded = (recorded: RecordedEvent): HistoricEvent => {
    if (!carriesOurMarks(recorded)) throw new ForeignEvent(recorded.stream, recorded.revision);
    return { ...project(tolerant, recorded), recorded };
  };
  const whole = async (stream: string): Promise<Events> => {
    const events: HistoricEvent[] = [];
    for (;;) {
      const page = await store.readStream(stream, BigInt(events.length), PAGE);
      events.push(...page.map(decoded));
      if (page.length < PAGE) return events;
    }
  };
  const ofType = async (stream: string, type: DomainEvent['type']): Promise<Events> =>
    (await feed.read(BEGINNING, { stream, types: [STORED[type].name] }, PAGE)).events.map(decoded);
  return async (stream, tenant, type) => {
    const key = `${stream} ${type}`;
    const reading = known.get(key) ?? (type === undefined ? whole(stream) : ofType(stream, type));
    known.set(key, reading);
    const events = await reading;
    return events[0]?.metadata.tenant === tenant ? events : [];
  };
};

/** Reads records as they were at one moment, and remembers what it read, for one request. */
export interface PastReader {
  readonly moment: Moment;
  /** The events of a stream that are about a record, also those after the moment; `type`: only those of one type. */
  readonly events: (
    stream: string,
    tenant: string,
    about: ((event: ProjectedEvent) => boolean) | { readonly type: DomainEvent['type'] },
  ) => Promise<Events>;
  /**
   * The row of a key at the moment, folded from its streams; null where a read showed none. Remembers whether the record
   * ended since.
   *
   * @throws DomainError unavailable if a newer version of the service wrote what only it can fold
   */
  readonly row: <R extends Row>(
    of: RowFold<R>,
    key: string,
    tenant: string,
    ...streams: readonly string[]
  ) => Promise<R | null>;
  /** States that a record ended at this time (Unix milliseconds), unless it is known to have ended earlier. */
  readonly noteEnd: (key: string, at: number) => void;
  /** When a record that was read ended after the moment, in Unix milliseconds; undefined: it did not. */
  readonly endedAt: (key: string) => number | undefined;
  /** All events that records were read from, in the order of the log. */
  readonly seen: () => Events;
}

export const createPastReader = (read: ReadStream, moment: Moment): PastReader => {
  const ends = new Map<string, number>();
  const seen: Events[] = [];
  const noteEnd = (key: string, at: number): void => void ends.set(key, Math.min(at, ends.get(key) ?? at));
  const events: PastReader['events'] = async (stream, tenant, about) => {
    const found =
      typeof about === 'function'
        ? (await read(stream, tenant)).filter(about)
        : await read(stream, tenant, about.type);
    seen.push(found);
    return found;
  };
  return {
    moment,
    events,
    row: async (of, key, tenant, ...streams) => {
      const isOfKey = (event: ProjectedEvent): boolean => isUnknown(event) || of.keyOf(event) === key;
      const histories = await Promise.all(streams.map((stream) => events(stream, tenant, isOfKey)));
      const history = histories.length === 1 ? histories[0]! : histories.flat().toSorted(byPosition);
      return rowAt(of, history, moment, (at) => noteEnd(key, at));
    },
    noteEnd,
    endedAt: (key) => ends.get(key),
    seen: () => [...new Map(seen.flat().map((event) => [event.id, event])).values()].toSorted(byPosition),
  };
};

export const byPosition = (a: ProjectedEvent, b: ProjectedEvent): number =>
  a.position < b.position ? -1 : a.position > b.position ? 1 : 0;

const rowAt = <R extends Row>(
  of: RowFold<R>,
  history: Events,
  moment: Moment,
  noteEnd: (at: number) => void,
): R | null => {
  let row: R | null = null;
  let then: R | null | undefined;
  for (const event of history) {
    if (then === undefined && !isBy(moment, event)) {
      then = shown(of, row);
      if (then === null) return null;
    }
    if (isUnknown(event) && of.acceptsUnknown !== true) {
      if (then !== undefined) return then;
      known(event);
    }
    row = of.fold(row, event);
    if (then !== undefined && shown(of, row) === null) {
      noteEnd(event.recordedAt);
      return then;
    }
  }
  return then ?? shown(of, row);
};

const shown = <R extends Row>({ isHidden }: RowFold<R>, row: R | null): R | null =>
  row !== null && isHidden?.(row) === true ? null : row;

/** @throws DomainError unavailable for an event that only a newer version of the service knows */
export const known = (event: HistoricEvent): HistoricEvent => {
  if (!isUnknown(event)) return event;
  throw new DomainError(
    'unavailable',
    'a newer version of the service wrote to this record: ask that version',
  );
};
