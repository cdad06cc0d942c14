import { BEGINNING, type Position } from '../../application/ports/event-store.ts';
import { sharing } from './sharing.ts';

/** Where a log ends, and what else its store has to know of that place. */
export interface LogEnd {
  readonly position: Position;
  /** More was seen already, and is about to come: who stands here has not caught up. */
  readonly isPassed?: boolean;
}

/** The end of a log, watched once for all followers of a process. */
export interface LogTail<End extends LogEnd = LogEnd> {
  /** Asked of the store after this call. Concurrent calls share a question. */
  readonly refresh: () => Promise<End>;
  /** Resolves once it lies beyond `position`, or when `signal` aborts. Rejects when the store cannot be asked. */
  readonly beyond: (position: Position, signal: AbortSignal) => Promise<End>;
}

export interface WatchedTail<End extends LogEnd> extends LogTail<End> {
  /**
   * The log may have grown, as far as `upTo` where that is known: whoever waits looks at once, and so does who comes next.
   * Nobody does where it was already found to go that far.
   */
  readonly hint: (upTo?: Position) => void;
  /** `known` has grown without a question: whoever waits before it is answered. */
  readonly grown: () => void;
  /** Nobody waits any more: all are answered with what is known. */
  readonly close: () => void;
}

interface Waiter<End> {
  readonly position: Position;
  readonly resolve: (end: End) => void;
  readonly reject: (error: unknown) => void;
}

/** After so many looks in a row that found nothing, whoever waits looks less often, by this factor. */
const OFTEN = 10;
const SELDOM = 4;

/** Hints may be lost, so whoever waits also looks every `pollMs`, and less often once nothing has come for long. */
export const watchTail = <End extends LogEnd>(deps: {
  /** Asks the store. From then on `known` answers the same. */
  readonly ask: () => Promise<End>;
  /** What was asked for last, at no cost. */
  readonly known: () => End;
  readonly pollMs: number;
}): WatchedTail<End> => {
  const { known } = deps;
  const waiters = new Set<Waiter<End>>();
  /** Hints so far, and how many of them the last answer covers. */
  let hints = 0;
  let covered = 0;
  /** Looks since there was news for anybody. */
  let looks = 0;
  /** Hinted at while the store was being asked, whose answer may cover it. */
  let asking = false;
  let told: Position = BEGINNING;
  let poll: NodeJS.Timeout | null = null;

  const refresh = sharing(async () => {
    const asked = hints;
    asking = true;
    try {
      const end = await deps.ask();
      covered = asked;
      // Whoever asked: a hint at what is known by now wakes nobody.
      serve(end);
      return end;
    } finally {
      asking = false;
      const upTo = told;
      told = BEGINNING;
      if (upTo > known().position) hint();
    }
  });

  const rest = (): void => {
    if (poll) clearTimeout(poll);
    poll = null;
  };
  const serve = (found: End): void => {
    for (const waiter of waiters) {
      if (waiter.position >= found.position) continue;
      looks = 0;
      waiter.resolve(found);
      waiters.delete(waiter);
    }
  };
  const look = (): void => {
    if (waiters.size === 0) return;
    rest();
    refresh().then(lookAgain, fail);
  };
  const lookAgain = (): void => {
    looks += 1;
    if (waiters.size > 0) wait();
  };
  const wait = (): void => {
    poll ??= setTimeout(look, looks < OFTEN ? deps.pollMs : SELDOM * deps.pollMs);
  };
  const hint = (upTo?: Position): void => {
    if (upTo !== undefined && asking) {
      if (upTo > told) told = upTo;
      return;
    }
    if (upTo !== undefined && upTo <= known().position) return;
    hints += 1;
    look();
  };
  const fail = (error: unknown): void => {
    for (const waiter of waiters) waiter.reject(error);
  };

  return {
    refresh,
    beyond: async (position, signal) => {
      if (signal.aborted || position < known().position) return known();
      const { promise, resolve, reject } = Promise.withResolvers<End>();
      const waiter = { position, resolve, reject };
      const leave = (): void => resolve(known());
      signal.addEventListener('abort', leave);
      waiters.add(waiter);
      if (hints > covered) look();
      else wait();
      try {
        return await promise;
      } finally {
        waiters.delete(waiter);
        signal.removeEventListener('abort', leave);
        if (waiters.size === 0) rest();
      }
    },
    hint,
    grown: () => serve(known()),
    close: () => {
      rest();
      for (const waiter of waiters) waiter.resolve(known());
    },
  };
};
