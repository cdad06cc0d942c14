import type { StreamOf } from '../../domain/shared/decider.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import {
  BEGINNING,
  type EventStreams,
  ForeignEvent,
  type Position,
  type RecordedEvent,
} from '../ports/event-store.ts';
import type { DomainEvent } from './aggregates.ts';
import { carriesOurMarks, decodeKnown, type EventCodec, readMetadata } from './event-codec.ts';
import type { CachedState, Fold, StateCache } from './state-cache.ts';

/** The current state of a stream. */
export type Loaded<State> =
  | { readonly state: State; readonly revision: 'none'; readonly position: Position; readonly last: null }
  | {
      readonly state: State;
      readonly revision: bigint;
      readonly position: Position;
      /** The newest stored event. */
      readonly last: RecordedEvent;
      readonly tenant: string;
    };

/** A stream that does not exist. */
export const absent = <State>({ initial }: { readonly initial: State }): Loaded<State> => ({
  state: initial,
  revision: 'none',
  position: BEGINNING,
  last: null,
});

export interface Load {
  /**
   * The state of a stream: folds newer events onto the cached state or `before`. Null if the stream belongs to another
   * tenant than `tenant`; undefined accepts any tenant.
   *
   * @throws DomainError unavailable if a newer version of the service has written to the stream
   * @throws EventStoreUnavailable; ForeignEvent, StreamCut, StreamDeleted if another program has changed the stream
   */
  <Event extends DomainEvent, State, Category extends string>(
    fold: Fold<Event, State, Category>,
    stream: StreamOf<NoInfer<Category>>,
    tenant: string | undefined,
    before?: Loaded<State>,
  ): Promise<Loaded<State> | null>;
}

export interface LoadDeps {
  readonly store: Pick<EventStreams, 'readStream'>;
  readonly codec: EventCodec;
  readonly cache: StateCache;
}

const PAGE = 2_000;

export const createLoad =
  ({ store, codec, cache }: LoadDeps): Load =>
  async (fold, stream, tenant, before) => {
    // Reading the event of the cached state again proves that the stream is still the one that was folded.
    let from = newer(cache.find(fold, stream), before);
    let page = await store.readStream(stream, from?.revision ?? 0n, PAGE);
    if (from !== undefined && page[0]?.id !== from.eventId) {
      // The log was lost, or restored to an earlier point: the cached state is invalid.
      cache.drop(fold, stream);
      from = undefined;
      page = await store.readStream(stream, 0n, PAGE);
    }
    const [first] = page;
    if (first === undefined) return absent(fold);
    const owner = from?.tenant ?? ownerOf(first);
    if (tenant !== undefined && owner !== tenant) return null;

    let state = from === undefined ? fold.initial : from.state;
    let last = first;
    for (let events = from === undefined ? page : page.slice(1); ;) {
      for (const recorded of events) state = fold.evolve(state, decodeOrRefuse(codec, recorded) as never);
      last = events.at(-1) ?? last;
      if (page.length < PAGE) break;
      events = page = await store.readStream(stream, last.revision + 1n, PAGE);
    }
    cache.keep(fold, stream, { state, revision: last.revision, eventId: last.id, tenant: owner });
    return { state, revision: last.revision, position: last.position, last, tenant: owner };
  };

const newer = <State>(
  cached: CachedState<State> | undefined,
  before: Loaded<State> | undefined,
): CachedState<State> | undefined => {
  if (before === undefined || before.last === null) return cached;
  const { state, revision, last, tenant } = before;
  return cached !== undefined && cached.revision >= revision
    ? cached
    : { state, revision, eventId: last.id, tenant };
};

/** An event with its stored form. */
export interface PastEvent<Event> {
  readonly event: Event;
  readonly recorded: RecordedEvent;
}

/** At most `limit` revisions, starting at `from`. */
export interface Range {
  readonly from: bigint;
  readonly limit: number;
}

export interface ReadHistory {
  /**
   * The events of a stream, or of a range, in order of revision; empty if the tenant has no such stream. If the state
   * is enough, `Load` is cheaper.
   *
   * @throws DomainError unavailable if a newer version of the service has written one of them
   * @throws EventStoreUnavailable
   */
  <Event extends DomainEvent, State, Category extends string>(
    of: Fold<Event, State, Category>,
    stream: StreamOf<NoInfer<Category>>,
    tenant: string,
    range?: Range,
  ): Promise<readonly PastEvent<Event>[]>;
}

export const createHistory =
  ({ store, codec }: Pick<LoadDeps, 'store' | 'codec'>): ReadHistory =>
  async <Event extends DomainEvent, State>(
    _: Fold<Event, State>,
    stream: string,
    tenant: string,
    range?: Range,
  ) => {
    const recorded = await store.readStream(stream, range?.from, range?.limit);
    const [first] = recorded;
    if (first === undefined || ownerOf(first) !== tenant) return [];
    return recorded.map((one) => ({ event: decodeOrRefuse(codec, one) as Event, recorded: one }));
  };

/** The tenant of a stream by its first event. @throws ForeignEvent if another program wrote it */
const ownerOf = (first: RecordedEvent): string => {
  mustBeOurs(first);
  return readMetadata(first.metadata).tenant;
};

const mustBeOurs = (recorded: RecordedEvent): void => {
  if (!carriesOurMarks(recorded)) throw new ForeignEvent(recorded.stream, recorded.revision);
};

/**
 * Decodes an event. Refuses an event of a newer version, because it may forbid a decision that this version would make.
 * @throws DomainError unavailable; ForeignEvent if another program wrote it
 */
export const decodeOrRefuse = (codec: EventCodec, recorded: RecordedEvent): DomainEvent => {
  mustBeOurs(recorded);
  const event = decodeKnown(codec, recorded);
  if (event !== null) return event;
  const message = `a newer version of the service (${recorded.type}) wrote to this resource: send the request to that version`;
  throw new DomainError('unavailable', message);
};
