import { setTimeout as delay } from 'node:timers/promises';
import {
  BEGINNING,
  type FeedMessage,
  type Position,
  type RecordedEvent,
} from '../../application/ports/event-store.ts';

export interface LogEnd {
  readonly position: Position;
  /** More events were seen and will be visible soon: a reader at this position has not caught up. */
  readonly isPassed?: boolean;
}

/** Watches the end of a log for all followers of a process. */
export interface LogTail<End extends LogEnd = LogEnd> {
  /** Asks the store for the end, after this call. Concurrent calls share one request. */
  readonly refresh: () => Promise<End>;
  /** Resolves when the end is after `position`, or when `signal` aborts. Rejects if the store is unavailable. */
  readonly beyond: (position: Position, signal: AbortSignal) => Promise<End>;
}

/** A log to follow: its end, and how to read up to it. */
export interface Followed<End extends LogEnd> {
  readonly tail: LogTail<End>;
  /**
   * Reads the first matching events after `after`, in order, and the position up to which everything was
   * returned or does not match: at or after the last event. `woken`: the reader was at the end a moment ago,
   * so few events precede `end`.
   */
  readonly readPage: (
    after: Position,
    end: End,
    woken: boolean,
  ) => Promise<{ readonly events: readonly RecordedEvent[]; readonly position: Position }>;
  /** Whether to ask for the end again after a failed read: the end may hold for one node only. */
  readonly refreshesEndAfterFailure: boolean;
  /** Whether to retry after this error instead of throwing it. */
  readonly mayRetry: (error: unknown) => boolean;
  readonly pauses: Pauses;
}

export interface Pauses {
  /** Before the first retry; doubles with each further one. */
  readonly pauseMs: number;
  readonly maxPauseMs: number;
}

/** Exponential back-off with jitter. Ends early when `signal` aborts. */
export const pause = (pauses: Pauses, failures: number, signal?: AbortSignal): Promise<void> => {
  const ms = Math.min(pauses.pauseMs * 2 ** Math.min(failures - 1, 20), pauses.maxPauseMs);
  return delay(ms * (0.5 + Math.random() / 2), undefined, { ...(signal && { signal }) }).catch(() => {});
};

/** Implements `EventFeed.follow` from a position of this log. Ends normally when `signal` aborts. */
export const follow = async function* follow<End extends LogEnd>(
  followed: Followed<End>,
  after: Position,
  signal: AbortSignal,
): AsyncGenerator<FeedMessage, void, undefined> {
  const step = follower(followed, after, signal);
  for (let failures = 0; !signal.aborted;) {
    let messages: readonly FeedMessage[] = [];
    try {
      messages = await step();
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (!followed.mayRetry(error)) throw error;
      failures += 1;
      await pause(followed.pauses, failures, signal);
    }
    for (const message of messages) if (!signal.aborted) yield message;
  }
};

/** After this many passed ends in a row, a reader asks for the end, so that it learns that it caught up. */
const MAX_PASSED = 10;

/** The state of one reader. Each call makes one step and returns its messages; a failed call returns none. */
const follower = <End extends LogEnd>(
  { tail, readPage, refreshesEndAfterFailure }: Followed<End>,
  start: Position,
  signal: AbortSignal,
): (() => Promise<readonly FeedMessage[]>) => {
  let position = start;
  /** The end up to which this reader reads; null if it must be asked for. */
  let end: End | null = null;
  /** Pages read up to that end; whether reaching it was announced; whether the reader waited for it. */
  let [pages, caughtUp, woken] = [0, false, false];
  let passed = 0;

  const readNext = async (to: End): Promise<readonly FeedMessage[]> => {
    if (refreshesEndAfterFailure) end = null;
    const page = await readPage(position, to, woken);
    [end, woken] = [to, false];
    pages += 1;
    const [first, ...rest] = page.events;
    const delivered = page.events.at(-1)?.position ?? position;
    position = page.position;
    const messages: FeedMessage[] = first ? [{ kind: 'events', events: [first, ...rest], position }] : [];
    if (position > delivered) messages.push({ kind: 'checkpoint', position });
    return messages;
  };

  return async () => {
    if (end !== null && position < end.position) return readNext(end);
    const isPassed = end?.isPassed === true && (passed += 1) % MAX_PASSED !== 0;
    if (caughtUp || isPassed) {
      end = await tail.beyond(position, signal);
      [pages, caughtUp, woken] = [0, false, true];
      return [];
    }
    // Reading many pages took time: only a recently requested end counts as "everything that was visible".
    if (end === null || pages !== 1 || end.isPassed === true) {
      end = await tail.refresh();
      [pages, woken] = [0, false];
      if (position < end.position) return [];
    }
    caughtUp = true;
    passed = 0;
    return [{ kind: 'caughtUp', position }];
  };
};

export interface WatchedTail<End extends LogEnd> extends LogTail<End> {
  /** Reports that the log may have grown, at least to `upTo`. Waiting followers poll, unless `upTo` is known. */
  readonly hint: (upTo?: Position) => void;
  /** Reports that `known` has grown without a request; resolves the followers that wait before it. */
  readonly grown: () => void;
  /** Resolves all waiting followers with the known end. */
  readonly close: () => void;
}

/** After this many polls in a row that found nothing, the poll interval grows by `SLOW_DOWN`. */
const IDLE_POLLS = 10;
const SLOW_DOWN = 4;

/** Hints may be lost, so waiting followers also poll, less often after a long idle time. */
export const watchTail = <End extends LogEnd>({
  ask,
  known,
  pollMs,
}: {
  /** Asks the store; afterwards `known` returns the result. */
  readonly ask: () => Promise<End>;
  readonly known: () => End;
  readonly pollMs: number;
}): WatchedTail<End> => {
  const waiters = new Set<PromiseWithResolvers<End> & { readonly position: Position }>();
  /** Number of hints so far, and how many of them the last result covers. */
  let [hints, covered] = [0, 0];
  let idlePolls = 0;
  /** The furthest hint during a request, whose result may cover it. */
  let asking = false;
  let hinted: Position = BEGINNING;
  let timer: NodeJS.Timeout | null = null;

  const refresh = singleFlight(async () => {
    const hintsBefore = hints;
    asking = true;
    try {
      const end = await ask();
      covered = hintsBefore;
      resolveWaiters(end);
      return end;
    } finally {
      asking = false;
      const upTo = hinted;
      hinted = BEGINNING;
      if (upTo > known().position) hint();
    }
  });

  const stopTimer = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
  };
  const resolveWaiters = (found: End): void => {
    for (const waiter of waiters) {
      if (waiter.position >= found.position) continue;
      idlePolls = 0;
      waiter.resolve(found);
      waiters.delete(waiter);
    }
  };
  const poll = (): void => {
    if (waiters.size === 0) return;
    stopTimer();
    refresh().then(pollAgain, fail);
  };
  const pollAgain = (): void => {
    idlePolls += 1;
    if (waiters.size > 0) wait();
  };
  const fail = (error: unknown): void => waiters.forEach(({ reject }) => reject(error));
  const wait = (): void => {
    timer ??= setTimeout(poll, idlePolls < IDLE_POLLS ? pollMs : SLOW_DOWN * pollMs);
  };
  const hint = (upTo?: Position): void => {
    if (upTo !== undefined && asking) {
      if (upTo > hinted) hinted = upTo;
      return;
    }
    if (upTo !== undefined && upTo <= known().position) return;
    hints += 1;
    poll();
  };

  return {
    refresh,
    beyond: async (position, signal) => {
      if (signal.aborted || position < known().position) return known();
      const waiter = { ...Promise.withResolvers<End>(), position };
      const leave = (): void => waiter.resolve(known());
      signal.addEventListener('abort', leave);
      waiters.add(waiter);
      if (hints > covered) poll();
      else wait();
      try {
        return await waiter.promise;
      } finally {
        waiters.delete(waiter);
        signal.removeEventListener('abort', leave);
        if (waiters.size === 0) stopTimer();
      }
    },
    hint,
    grown: () => resolveWaiters(known()),
    close: () => {
      stopTimer();
      for (const waiter of waiters) waiter.resolve(known());
    },
  };
};

/**
 * Runs at most one request and queues one: a call gets the result of a request that began after the call. If the
 * running one fails, so do the calls behind it, instead of waiting for as long again.
 */
const singleFlight = <T>(ask: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const start = (): Promise<T> => (running = ask().finally(() => (running = null)));
  const startAfter = async (earlier: Promise<T>): Promise<T> => {
    await earlier.finally(() => (next = null));
    return start();
  };
  return () => next ?? (running ? (next = startAfter(running)) : start());
};
