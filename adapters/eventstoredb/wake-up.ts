import type { Position } from '../../application/ports/event-store.ts';
import { pause } from '../event-feed/follow.ts';
import type { Connection } from './connection.ts';
import type { Patience } from './patience.ts';
import { fromPosition } from './positions.ts';
import { placeOf, recordOf } from './records.ts';
import type { LogEnd } from './log-end.ts';
import { subscriptionRequest } from './requests.ts';

export interface Listener {
  /** Something may have been appended, by whomever. */
  readonly hint: () => void;
  /** The log goes there on this node. */
  readonly told: (upTo: LogEnd) => void;
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
  { hint, told, known }: Listener,
): { readonly close: () => Promise<void> } => {
  const stop = new AbortController();
  const { signal } = stop;

  const listen = async (onHeard: () => void): Promise<void> => {
    const request = subscriptionRequest(fromPosition(known()));
    // The first frame confirms that it has begun: what was appended just before is hinted at by that.
    let node: object | null = null;
    const onNode = (answering: object): void => void (node = answering);
    for await (const frames of connection.read(request, { signal, onNode })) {
      onHeard();
      const last = frames.map(recordOf).findLast((record) => record !== undefined);
      if (last === undefined) hint();
      else told({ position: placeOf(last), node });
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
