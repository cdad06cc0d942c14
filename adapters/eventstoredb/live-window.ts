import { matchesFilter } from '../../application/ports/event-checks.ts';
import type { Position, RecordedEvent } from '../../application/ports/event-store.ts';
import { openWindow } from '../event-feed/log-window.ts';
import type { Page, Wanted } from './pages.ts';
import { placeOf, toEvent } from './records.ts';
import type { Frame } from './wire/read-responses.ts';

/**
 * What a subscription has sent last, in the order of the log: everything behind where it began or what was dropped, up to
 * its last record, but for the server's own events.
 */
export interface LiveWindow {
  readonly upTo: () => Position;
  readonly add: (frames: readonly Frame[]) => void;
  /** What is wanted, where all of it is here; null: read it. */
  readonly page: (wanted: Wanted) => Page | null;
}

/** Events that are kept for followers, and bytes of them. Who is further behind than these reads for himself. */
const MOST = 1_000;
const MOST_BYTES = 8 * 1024 * 1024;

/** Of the subscription that `node` sends from behind `after`. */
export const openLiveWindow = (node: object, after: Position): LiveWindow => {
  const window = openWindow(after);
  let sizes: number[] = [];
  let bytes = 0;
  const makeRoom = (): void => {
    if (sizes.length <= MOST && bytes <= MOST_BYTES) return;
    // Down to half of it, so that it is not moved for every event.
    let count = 0;
    while (sizes.length - count > MOST / 2 || bytes > MOST_BYTES / 2) bytes -= sizes[count++]!;
    sizes = sizes.slice(count);
    window.drop(count);
  };
  return {
    upTo: window.upTo,
    add: (frames) => {
      const events: RecordedEvent[] = [];
      let position = window.upTo();
      for (const { record } of frames) {
        const place = record && placeOf(record);
        if (place === null || place <= position) continue;
        position = place;
        const event = toEvent(record!, place);
        if (event === null) continue;
        const size = record!.data.length + record!.metadata.length;
        sizes.push(size);
        bytes += size;
        events.push(event);
      }
      const [first, ...rest] = events;
      window.add(
        first ? { kind: 'events', events: [first, ...rest], position } : { kind: 'checkpoint', position },
      );
      makeRoom();
    },
    page: ({ after: from, end, filter, limit }) => {
      const isHere = end.node === node && window.start() <= from && end.position <= window.upTo();
      // Of a stream that was deleted for ever a follower hears by reading it.
      if (!isHere || filter.stream !== undefined) return null;
      return window.take(from, (event) => matchesFilter(filter, event), limit);
    },
  };
};
