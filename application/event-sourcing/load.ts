import type { StreamOf } from '../../domain/shared/decider.ts';
import type { DomainEvent } from './domain-event.ts';
import { type EventCodec, readMetadata } from './event-codec.ts';
import { BEGINNING, type EventStore, type Position, type RecordedEvent } from '../ports/event-store.ts';
import { understood } from './history.ts';
import type { Fold, Kept } from './fold.ts';
import type { KeptStates } from './kept-states.ts';

/** A stream as it is now. */
export type Loaded<State> =
  | { readonly state: State; readonly revision: 'none'; readonly position: Position; readonly last: null }
  | {
      readonly state: State;
      readonly revision: bigint;
      readonly position: Position;
      /** The newest event, as it is stored. */
      readonly last: RecordedEvent;
      readonly tenant: string;
    };

export interface Load {
  /**
   * The state of a stream, of what is kept of it, or was just read, and what it has that is newer. Null for a stream of
   * another than `tenant`; undefined takes any.
   *
   * @throws DomainError unavailable when a newer version of the service has written to it
   * @throws EventStoreUnavailable
   */
  <Event extends DomainEvent, State, Category extends string>(
    fold: Fold<Event, State, Category>,
    stream: StreamOf<NoInfer<Category>>,
    tenant: string | undefined,
    before?: Loaded<State>,
  ): Promise<Loaded<State> | null>;
}

type StreamReader = Pick<EventStore, 'readStream'>;

export interface LoadDeps {
  readonly store: StreamReader;
  readonly codec: EventCodec;
  readonly kept: KeptStates;
}

const PAGE = 2_000;

export const createLoad = (deps: LoadDeps): Load => {
  const { store, kept } = deps;
  return async (fold, stream, tenant, before) => {
    const absent = { state: fold.initial, revision: 'none', position: BEGINNING, last: null } as const;
    let from = newer(kept.find(fold, stream), before);
    let page = await pageOf(store, stream, from?.revision, from === undefined ? kept.firstPage : PAGE);
    if (from === undefined && page.more) {
      from = await kept.recall(fold, stream);
      if (from !== undefined) page = await pageOf(store, stream, from.revision);
    }
    if (from !== undefined && page.events[0]?.id !== from.eventId) {
      // The log was lost, or restored to an earlier point: what was folded from it is void.
      await kept.forget(fold, stream);
      from = undefined;
      page = await pageOf(store, stream);
    }
    const [first] = page.events;
    if (first === undefined) return absent;
    const owner = from?.tenant ?? readMetadata(first.metadata).tenant;
    if (tenant !== undefined && owner !== tenant) return null;
    return foldOn(deps, fold, from, page, owner);
  };
};

const newer = <State>(
  kept: Kept<State> | undefined,
  before: Loaded<State> | undefined,
): Kept<State> | undefined => {
  if (before === undefined || before.last === null) return kept;
  const { state, revision, last, tenant } = before;
  return kept !== undefined && kept.revision >= revision
    ? kept
    : { state, revision, eventId: last.id, tenant };
};

interface StreamPage {
  readonly events: readonly RecordedEvent[];
  readonly more: boolean;
}
const pageOf = async (store: StreamReader, stream: string, from = 0n, limit = PAGE): Promise<StreamPage> => {
  const events = await store.readStream(stream, from, limit);
  return { events, more: events.length === limit };
};

/**
 * Folds a page that holds at least one event, and all that follows it, onto what is kept, and keeps that. Where there
 * is something kept, its event is the first of the page.
 */
const foldOn = async <Event extends DomainEvent, State>(
  { store, codec, kept }: LoadDeps,
  fold: Fold<Event, State>,
  from: Kept<State> | undefined,
  first: StreamPage,
  tenant: string,
): Promise<Loaded<State>> => {
  let page = first;
  let last = first.events.at(-1) as RecordedEvent;
  let state = foldedOn(
    codec,
    fold,
    from === undefined ? fold.initial : from.state,
    first.events.slice(from === undefined ? 0 : 1),
  );
  while (page.more) {
    page = await pageOf(store, last.stream, last.revision + 1n);
    state = foldedOn(codec, fold, state, page.events);
    last = page.events.at(-1) ?? last;
  }
  kept.keep(fold, last.stream, { state, revision: last.revision, eventId: last.id, tenant });
  return { state, revision: last.revision, position: last.position, last, tenant };
};

const foldedOn = <Event extends DomainEvent, State>(
  codec: EventCodec,
  { evolve }: Fold<Event, State>,
  from: State,
  events: readonly RecordedEvent[],
): State => events.reduce((state, recorded) => evolve(state, understood(codec, recorded) as Event), from);
