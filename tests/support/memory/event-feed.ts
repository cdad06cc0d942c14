import { DomainError } from '../../../domain/shared/domain-error.ts';
import { matchesFilter } from '../../../application/ports/event-checks.ts';
import {
  BEGINNING,
  type EventFeed,
  type EventFilter,
  type FeedMessage,
  type Position,
  type RecordedEvent,
} from '../../../application/ports/event-store.ts';

/** The feed over a log that only grows; its owner calls `appended` after each growth. */
export const createMemoryEventFeed = (
  log: readonly RecordedEvent[],
): { readonly feed: EventFeed; readonly appended: () => void } => {
  const waiting = new Set<() => void>();

  const page = (after: Position, filter: EventFilter, limit: number) => {
    const events: RecordedEvent[] = [];
    mustBePosition(after);
    let position = after;
    for (let index = firstAfter(log, after); index < log.length && events.length < limit; index += 1) {
      const event = log[index]!;
      position = event.position;
      if (matchesFilter(filter, event)) events.push(event);
    }
    return { events, position };
  };

  const growth = (after: Position, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      if (signal.aborted || after < (log.at(-1)?.position ?? BEGINNING)) return resolve();
      waiting.add(wake);
      signal.addEventListener('abort', wake);
    });

  async function* follow(
    after: Position,
    filter: EventFilter,
    { signal, batchSize = 500 }: { readonly signal: AbortSignal; readonly batchSize?: number },
  ): AsyncGenerator<FeedMessage> {
    let position = after;
    while (!signal.aborted) {
      const next = page(position, filter, batchSize);
      const [first, ...rest] = next.events;
      const delivered = next.events.at(-1)?.position ?? position;
      position = next.position;
      if (first) yield { kind: 'events', events: [first, ...rest], position };
      if (!signal.aborted && position > delivered) yield { kind: 'checkpoint', position };
      if (signal.aborted || next.events.length === batchSize) continue;
      yield { kind: 'caughtUp', position };
      await growth(position, signal);
    }
  }

  const feed: EventFeed = {
    head: async () => log.at(-1)?.position ?? BEGINNING,
    read: async (after, filter, limit) => page(after, filter, limit),
    readBack: async (before, filter, limit) => {
      mustBePosition(before);
      const past = log.filter(({ position }) => before === BEGINNING || position < before);
      return past
        .filter((event) => matchesFilter(filter, event))
        .toReversed()
        .slice(0, limit);
    },
    holds: async (position) => {
      mustBePosition(position);
      return position <= (log.at(-1)?.position ?? BEGINNING);
    },
    follow,
  };
  return {
    feed,
    appended: () => {
      for (const wake of waiting) wake();
    },
  };
};

/** Binary search: positions grow along the log. */
const firstAfter = (log: readonly RecordedEvent[], after: Position): number => {
  let low = 0;
  let high = log.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (log[middle]!.position <= after) low = middle + 1;
    else high = middle;
  }
  return low;
};

const mustBePosition = (text: string): void => {
  if (text === BEGINNING || /^[0-9]{20}$/.test(text)) return;
  throw new DomainError(
    'invalid_cursor',
    `${JSON.stringify(text.slice(0, 100))} is not a position of this event log`,
  );
};
