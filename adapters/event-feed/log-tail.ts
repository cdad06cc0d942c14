import type { Position } from '../../application/ports/event-store.ts';
import { sharing } from './sharing.ts';

/** Where a log ends, and what else its store has to know of that place. */
export interface LogEnd {
  readonly position: Position;
}

/** The end of a log, watched once for all followers of a process. */
export interface LogTail<End extends LogEnd = LogEnd> {
  /** Asked of the store after this call. Concurrent calls share a question. */
  readonly refresh: () => Promise<End>;
  /** Resolves once it lies beyond `position`, or when `signal` aborts. Rejects when the store cannot be asked. */
  readonly beyond: (position: Position, signal: AbortSignal) => Promise<End>;
}

export interface WatchedTail<End extends LogEnd> extends LogTail<End> {
  /** The log may have grown: whoever waits looks at once, and so does who comes next. */
  readonly hint: () => void;
  /** Nobody waits any more: all are answered with what is known. */
  readonly close: () => void;
}

interface Waiter<End> {
  readonly position: Position;
  readonly resolve: (end: End) => void;
  readonly reject: (error: unknown) => void;
}

/** Hints may be lost, so whoever waits also looks every `pollMs`. */
export const watchTail = <End extends LogEnd>(deps: {
  /** Asks the store. From then on `known` answers the same. */
  readonly ask: () => Promise<End>;
  /** What was asked for last, at no cost. */
  readonly known: () => End;
  readonly pollMs: number;
}): WatchedTail<End> => {
  const { known, pollMs } = deps;
  const waiters = new Set<Waiter<End>>();
  /** Hints so far, and how many of them the last answer covers. */
  let hints = 0;
  let covered = 0;
  let poll: NodeJS.Timeout | null = null;

  const refresh = sharing(async () => {
    const asked = hints;
    const end = await deps.ask();
    covered = asked;
    return end;
  });

  const rest = (): void => {
    if (poll) clearTimeout(poll);
    poll = null;
  };
  const look = (): void => {
    if (waiters.size === 0) return;
    rest();
    refresh().then(settle, fail);
  };
  const settle = (found: End): void => {
    for (const waiter of waiters) if (waiter.position < found.position) waiter.resolve(found);
    if (waiters.size > 0) poll ??= setTimeout(look, pollMs);
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
      else poll ??= setTimeout(look, pollMs);
      try {
        return await promise;
      } finally {
        waiters.delete(waiter);
        signal.removeEventListener('abort', leave);
        if (waiters.size === 0) rest();
      }
    },
    hint: () => {
      hints += 1;
      look();
    },
    close: () => {
      rest();
      for (const waiter of waiters) waiter.resolve(known());
    },
  };
};
