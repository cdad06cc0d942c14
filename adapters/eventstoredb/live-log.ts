import { BEGINNING, type Position } from '../../application/ports/event-store.ts';
import { pause } from '../event-feed/follow.ts';
import { type Arrivals, createArrivals } from './arrivals.ts';
import type { Connection } from './connection.ts';
import type { LogEnd } from './log-end.ts';
import { type LiveWindow, openLiveWindow } from './live-window.ts';
import type { Page, Wanted } from './pages.ts';
import type { Patience } from './patience.ts';
import { fromPosition } from './positions.ts';
import { placeOf } from './records.ts';
import { subscriptionRequest } from './requests.ts';

export interface Listener {
  /** Something may have been appended, by whomever. */
  readonly hint: () => void;
  /** The log goes there on this node. */
  readonly told: (upTo: LogEnd) => void;
  /** Up to where nobody needs to hear of it any more. */
  readonly known: () => Position;
}

/** What is appended, by whomever, as the server sends it. */
export interface LiveLog {
  /** What a follower wants, where it has come of late; null: it must be read. */
  readonly page: (wanted: Wanted) => Page | null;
  /** Whether to leave it to the subscription to tell the listener of this; it is told in a moment even if nothing comes. */
  readonly brings: (upTo: LogEnd) => boolean;
  readonly close: () => Promise<void>;
}

/** A subscription that has begun. */
interface Live {
  readonly node: object;
  readonly window: LiveWindow;
  readonly arrivals: Arrivals;
}

/**
 * One subscription for the whole process, from where the log is known to end. It ends with its connection, and is begun
 * again behind what is known by then, after a pause with jitter. What it sends may come late or never, so whoever waits
 * also looks now and then.
 */
export const watchLog = (
  connection: Connection,
  patience: Patience,
  { hint, told, known }: Listener,
): LiveLog => {
  const stop = new AbortController();
  const { signal } = stop;
  let live: Live | null = null;

  const begin = (node: object, after: Position): Live => {
    const window = openLiveWindow(node, after);
    const late = (position: Position): void => told({ position, node });
    return { node, window, arrivals: createArrivals(patience.arrivalMs, window.upTo, late) };
  };
  const listen = async (onHeard: () => void): Promise<void> => {
    const after = known();
    const request = subscriptionRequest(fromPosition(after));
    let node: object = {};
    const onNode = (answering: object): void => void (node = answering);
    try {
      // The first frame confirms that it has begun: what was appended just before is hinted at by that.
      for await (const frames of connection.read(request, { signal, onNode })) {
        onHeard();
        const last = frames.findLast(({ record }) => record !== null)?.record ?? null;
        const position = last && placeOf(last);
        // From the end on, wherever that is: what lies before the first records is not known.
        const start = after === BEGINNING ? position : after;
        if (start !== null) live ??= begin(node, start);
        live?.window.add(frames);
        if (position === null) hint();
        else told({ position, node });
      }
    } finally {
      const wasLive = live !== null;
      live?.arrivals.close();
      live = null;
      // What was expected of it may lie there.
      if (wasLive && !signal.aborted) hint();
    }
  };

  const watch = async (): Promise<void> => {
    for (let failures = 0; !signal.aborted;) {
      await listen(() => (failures = 0)).catch(() => {});
      failures += 1;
      if (!signal.aborted) await pause(patience, failures, signal);
    }
  };

  const watching = watch();
  return {
    page: (wanted) => live?.window.page(wanted) ?? null,
    brings: ({ position, node }) => {
      if (live?.node !== node) return false;
      live.arrivals.expect(position);
      return true;
    },
    close: async () => {
      stop.abort();
      await watching;
    },
  };
};
