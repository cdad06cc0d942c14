import { END, excludeSystemEvents } from '@eventstore/db-client';
import type { Position } from '../../application/ports/event-store.ts';
import { pause } from '../event-feed/follow.ts';
import type { Connection } from './connection.ts';
import type { Patience } from './patience.ts';
import { fromPosition, toPosition } from './positions.ts';

export interface Listener {
  /** Something may have been appended, by whomever, up to there where that is known. */
  readonly hint: (upTo?: Position) => void;
  /** Up to where nobody needs a hint any more. */
  readonly known: () => Position;
}

/**
 * Hints at what is appended: one subscription for the whole process. They may come too often, and they may be lost, so
 * whoever waits also looks now and then.
 *
 * A subscription of this client ends with its connection and does not return: it is begun again behind what is known
 * by then, after a pause with jitter.
 */
export const watchLog = (
  connection: Connection,
  patience: Patience,
  { hint, known }: Listener,
): { readonly close: () => Promise<void> } => {
  const stop = new AbortController();

  const listen = async (onHeard: () => void): Promise<void> => {
    const subscription = connection.client.subscribeToAll({
      ...connection.options,
      fromPosition: fromPosition(known()) ?? END,
      filter: excludeSystemEvents(),
    });
    const leave = async (): Promise<void> => {
      // Only this ends the call on the server; to destroy the stream alone would leave it open.
      await subscription.unsubscribe().catch(() => {});
      subscription.destroy();
    };
    const onStop = (): void => void leave();
    // Raised after the loop has left, an error without a listener would end the process.
    subscription.on('error', () => {});
    subscription.on('confirmation', () => {
      onHeard();
      hint();
    });
    stop.signal.addEventListener('abort', onStop);
    try {
      for await (const { event } of subscription) hint(event && toPosition(event.position));
    } finally {
      stop.signal.removeEventListener('abort', onStop);
      await leave();
    }
  };

  const watch = async (): Promise<void> => {
    for (let failures = 0; !stop.signal.aborted;) {
      await listen(() => (failures = 0)).catch(() => {});
      failures += 1;
      if (!stop.signal.aborted) await pause(patience, failures, stop.signal);
    }
  };

  const watching = watch();
  return {
    close: async () => {
      stop.abort();
      await watching;
    },
  };
};
