import type { Decider } from '../../domain/shared/decider.ts';
import type { JsonValue } from '../ports/event-store.ts';
import type { Logger } from '../ports/logger.ts';
import type { Snapshot, SnapshotStore } from '../ports/snapshot-store.ts';
import { createRecentlyUsed } from './recently-used.ts';

/** How a stream is folded. Two folds are the same where `evolve` is. */
export type Fold<Event, State, Category extends string = string> = Pick<
  Decider<never, Event, State, Category>,
  'category' | 'initial' | 'evolve' | 'shape'
>;

/** A state, and the event up to which it was folded: it is worth something as long as that event is in the stream. */
export interface Kept<State> {
  readonly state: State;
  readonly revision: bigint;
  readonly eventId: string;
  /** To whom the stream belongs. */
  readonly tenant: string;
}

/** The folded states of a process: those in memory, and behind them the snapshots that outlive it. */
export interface KeptStates {
  /** Of a stream that is not kept this many events are read before anybody looks for a snapshot of it. */
  readonly firstPage: number;
  readonly find: <Event, State>(fold: Fold<Event, State>, stream: string) => Kept<State> | undefined;
  /** Keeps it, unless what is kept is as new; begins to write a snapshot when one is due. */
  readonly keep: <Event, State>(fold: Fold<Event, State>, stream: string, kept: Kept<State>) => void;
  /** What its snapshot says, which is then kept; undefined where there is none that can be read. Never throws. */
  readonly recall: <Event, State>(
    fold: Fold<Event, State>,
    stream: string,
  ) => Promise<Kept<State> | undefined>;
  /** Drops state and snapshot: they are of another log than the stream is in now. */
  readonly forget: <Event, State>(fold: Fold<Event, State>, stream: string) => Promise<void>;
  /** Resolves when no snapshot is being written. */
  readonly settled: () => Promise<void>;
}

export interface KeptStatesOptions {
  /** Absent: nothing outlives the process. */
  readonly snapshots?: SnapshotStore;
  readonly log?: Logger;
  /** What is kept in memory at most: states, and entries in all of them together. */
  readonly most?: { readonly count: number; readonly weight: number };
  /** Streams of fewer events are not kept: they are read from their beginning as fast as from their end. */
  readonly from?: number;
  /** Events from one snapshot of a small state to the next. */
  readonly every?: number;
  readonly firstPage?: number;
}

const MOST = { count: 10_000, weight: 200_000 };
const FROM = 32;
const EVERY = 200;
const FIRST_PAGE = 64;
/** Writing a snapshot costs what its state holds: that of a large one is due after a like number of events. */
const PART = 4;

interface Entry extends Kept<unknown> {
  readonly weight: number;
  /** Revision of the newest snapshot that is known of; -1: none. */
  readonly written: bigint;
}

export const createKeptStates = ({
  snapshots,
  log,
  most = MOST,
  from = FROM,
  every = EVERY,
  firstPage = FIRST_PAGE,
}: KeptStatesOptions = {}): KeptStates => {
  const entries = createRecentlyUsed<Entry>(most);
  const keyOf = createKeys();
  const inBackground = createBackground();
  const isDue = ({ revision, written, weight }: Entry): boolean =>
    Number(revision - written) >= Math.max(every, weight / PART);
  const tell = (what: string, stream: string) => (error: unknown) => {
    log?.warn(what, { stream, error: (error as Error).message });
    return undefined;
  };

  return {
    firstPage,
    find: <Event, State>(fold: Fold<Event, State>, stream: string) =>
      entries.get(keyOf(fold, stream)) as Kept<State> | undefined,
    keep: (fold, stream, kept) => {
      const key = keyOf(fold, stream);
      const before = entries.get(key);
      if (kept.revision + 1n < from || (before !== undefined && before.revision >= kept.revision)) return;
      const { shape } = fold;
      const weight = shape?.entries(kept.state) ?? 1;
      const entry = { ...kept, weight, written: before?.written ?? -1n };
      const due = snapshots !== undefined && shape !== undefined && isDue(entry);
      entries.put(key, due ? { ...entry, written: kept.revision } : entry);
      if (due) {
        const write = async (): Promise<void> => snapshots.write(snapshotOf(shape, stream, kept));
        inBackground(key, () => write().catch(tell('a snapshot was not written', stream)));
      }
    },
    recall: async <Event, State>(fold: Fold<Event, State>, stream: string) => {
      const { shape } = fold;
      if (snapshots === undefined || shape === undefined) return undefined;
      const kept = await recalled(snapshots, shape, stream).catch(tell('a snapshot was not read', stream));
      if (kept === undefined) return undefined;
      const entry = { ...kept, weight: shape.entries(kept.state), written: kept.revision };
      entries.put(keyOf(fold, stream), entry);
      return kept;
    },
    forget: async ({ evolve, shape }, stream) => {
      entries.drop(keyOf({ evolve }, stream));
      if (shape === undefined) return;
      await snapshots?.forget(stream, shape.name).catch(tell('a snapshot was not forgotten', stream));
    },
    settled: inBackground.settled,
  };
};

type Shape<State> = NonNullable<Fold<never, State>['shape']>;

const snapshotOf = <State>(
  { name, version, toJson }: Shape<State>,
  stream: string,
  { state, ...kept }: Kept<State>,
): Snapshot => ({ ...kept, stream, shape: name, version, state: toJson(state) as JsonValue });

const recalled = async <State>(
  snapshots: SnapshotStore,
  { name, version, fromJson }: Shape<State>,
  stream: string,
): Promise<Kept<State> | undefined> => {
  const found = await snapshots.read(stream, name, version);
  if (found === null) return undefined;
  const { revision, eventId, tenant } = found;
  return { state: fromJson(found.state), revision, eventId, tenant };
};

/** One key per fold and stream. */
const createKeys = () => {
  const numbers = new WeakMap<object, number>();
  let last = 0;
  return ({ evolve }: { readonly evolve: object }, stream: string): string => {
    const number = numbers.get(evolve) ?? (last += 1);
    numbers.set(evolve, number);
    return `${number} ${stream}`;
  };
};

/** Runs what must not be waited for, one at a time per key; what comes while one runs is left out. */
const createBackground = () => {
  const running = new Map<string, Promise<void>>();
  const begin = (key: string, run: () => Promise<void>): void => {
    if (running.has(key)) return;
    running.set(
      key,
      run().finally(() => running.delete(key)),
    );
  };
  const settled = async (): Promise<void> => {
    await Promise.all(running.values());
  };
  return Object.assign(begin, { settled });
};
