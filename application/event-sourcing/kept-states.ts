import type { ExpectedRevision } from '../ports/event-store.ts';
import type { Clock } from '../ports/identity.ts';
import type { Logger } from '../ports/logger.ts';
import type { SnapshotStore } from '../ports/snapshot-store.ts';
import { createBackground } from './background.ts';
import type { Fold, Kept } from './fold.ts';
import { createRecentlyUsed } from './recently-used.ts';
import { recalled, snapshotOf } from './snapshots.ts';

/** The folded states of a process: those in memory, and behind them the snapshots that outlive it. */
export interface KeptStates {
  /** Of a stream that is not kept this many events are read before anybody looks for a snapshot of it. */
  readonly firstPage: number;
  readonly find: <Event, State>(fold: Fold<Event, State>, stream: string) => Kept<State> | undefined;
  /** Keeps it, unless what is kept is as new; begins to write a snapshot when one is due. */
  readonly keep: <Event, State>(fold: Fold<Event, State>, stream: string, kept: Kept<State>) => void;
  /** Keeps what an append of this process, directly behind `after`, has led to. */
  readonly appended: <Event, State>(
    fold: Fold<Event, State>,
    stream: string,
    after: ExpectedRevision,
    kept: Kept<State>,
  ) => void;
  /**
   * What is kept, where this process alone has written to the stream of late: its last two appends follow each other, and
   * the second was a moment ago. Most likely that is the newest state, but only an append at its revision can tell.
   */
  readonly current: <Event, State>(fold: Fold<Event, State>, stream: string) => Kept<State> | undefined;
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
  /** Absent: no state counts as current. Only for the one process that writes: it would starve others, which read first. */
  readonly clock?: Clock;
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
/** How long nobody else is supposed to have written: what an operator does to the log by hand is met after that. */
const CURRENT_MS = 1_000;
/** Writing a snapshot costs what its state holds: that of a large one is due after a like number of events. */
const PART = 4;

interface Entry extends Kept<unknown> {
  readonly weight: number;
  /** Revision of the newest snapshot that is known of; -1: none. */
  readonly written: bigint;
  readonly own?: Own;
}
/** This process has made the last event. */
interface Own {
  readonly at: number;
  /** And the one before, in an append of its own. */
  readonly again: boolean;
}

export const createKeptStates = ({
  snapshots,
  log,
  clock,
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

  const keep = <Event, State>(
    fold: Fold<Event, State>,
    stream: string,
    kept: Kept<State>,
    own?: Own,
  ): void => {
    const key = keyOf(fold, stream);
    const before = entries.get(key);
    if (kept.revision + 1n < from || (before !== undefined && before.revision >= kept.revision)) return;
    const { shape } = fold;
    const weight = shape?.entries(kept.state) ?? 1;
    const entry = { ...kept, weight, written: before?.written ?? -1n, ...(own && { own }) };
    const due = snapshots !== undefined && shape !== undefined && isDue(entry);
    entries.put(key, due ? { ...entry, written: kept.revision } : entry);
    if (due) {
      const write = async (): Promise<void> => snapshots.write(snapshotOf(shape, stream, kept));
      inBackground(key, () => write().catch(tell('a snapshot was not written', stream)));
    }
  };

  return {
    firstPage,
    find: <Event, State>(fold: Fold<Event, State>, stream: string) =>
      entries.get(keyOf(fold, stream)) as Kept<State> | undefined,
    keep,
    appended: (fold, stream, after, kept) => {
      const before = entries.get(keyOf(fold, stream));
      const again = before?.own !== undefined && before.revision === after;
      keep(fold, stream, kept, clock && { at: clock.now(), again });
    },
    current: <Event, State>(fold: Fold<Event, State>, stream: string) => {
      const entry = entries.get(keyOf(fold, stream));
      if (clock === undefined || entry?.own === undefined) return undefined;
      const isFresh = clock.now() - entry.own.at <= CURRENT_MS;
      return entry.own.again && isFresh ? (entry as Kept<unknown> as Kept<State>) : undefined;
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
