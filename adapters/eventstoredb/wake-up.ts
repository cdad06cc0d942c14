import type { Position } from '../../application/ports/event-store.ts';
import { pause } from '../event-feed/follow.ts';
import type { Connection } from './connection.ts';
import type { Patience } from './patience.ts';
import { fromPosition } from './positions.ts';
import { placeOf, recordOf } from './records.ts';
import { subscriptionRequest } from './requests.ts';

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
 * A subscription ends with its connection: it is begun again behind what is known by then, after a pause with jitter.
 */
export const watchLog = (
  connection: Connection,
  patience: Patience,
  { hint, known }: Listener,
): { readonly close: () => Promise<void> } => {
  const stop = new AbortController();
  const { signal } = stop;

  const listen = async (onHeard: () => void): Promise<void> => {
    const request = subscriptionRequest(fromPosition(known()));
    // The first frame confirms that it has begun: what was appended just before is hinted at by that.
    for await (const frames of connection.read(request, { signal })) {
      onHeard();
      const last = frames.map(recordOf).findLast((record) => record !== undefined);
      hint(last && placeOf(last));
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
    close: async () => {
      stop.abort();
      await watching;
    },
  };
};
