import type { FeedMessage, Position } from '../../application/ports/event-store.ts';
import { type LogWindow, openWindow } from './log-window.ts';

/** Where a reader stands: up to here it has been given everything. */
export interface Reader {
  position: Position;
}

/** A part of the log in memory, the newest that was read, for all readers who stand in it. */
export interface Stretch extends Pick<LogWindow, 'upTo' | 'knows' | 'take'> {
  /** Whether everything from there up to `upTo` is in memory. Of a place that this log has given. */
  readonly spans: (position: Position) => boolean;
  /** Whether nothing lay behind `upTo` when the store was asked last. */
  readonly isCaughtUp: () => boolean;
  /**
   * Resolves when there is more, or something new; shared by all who wait. False: it has ended. Rejects as the reading does, and
   * then spans and knows no place any more.
   */
  readonly readOn: () => Promise<boolean>;
  readonly enter: (reader: Reader) => void;
  /** Who was the last to leave closes it: true. */
  readonly leave: (reader: Reader) => boolean;
  /** A reader has taken something. */
  readonly moved: () => void;
}

export interface StretchOptions {
  /** Events that are kept in memory, beside those of the page that comes. */
  readonly most?: number;
  /** How many readers may be expected to begin at the same place within a moment; default 1. */
  readonly readers?: number;
  /** How long those who are ahead wait for one that does not move, before it is left behind. */
  readonly patienceMs?: number;
}

const MOST = 4_000;
const PATIENCE_MS = 10_000;
/** How long a stretch is kept whole at its beginning, for those who are expected to begin there too. */
const COMPANY_MS = 1_000;

/**
 * Reads on from `after`, when a reader asks for it, and keeps what was read last.
 *
 * Until it has caught up for the first time, readers who are ahead wait for the slowest, so that the past is read once
 * for all of them. From then on nobody waits: what is too old is dropped, and who still needs it reads for himself.
 */
export const openStretch = (
  follow: (after: Position, signal: AbortSignal) => AsyncIterable<FeedMessage>,
  after: Position,
  { most = MOST, patienceMs = PATIENCE_MS, readers: expected = 1 }: StretchOptions = {},
): Stretch => {
  const stop = new AbortController();
  const messages = follow(after, stop.signal)[Symbol.asyncIterator]();
  const readers = new Set<Reader>();
  const window = openWindow(after);
  const { upTo, take } = window;
  let [isLive, caughtUp, isOver] = [false, false, false];
  let reading: Promise<boolean> | null = null;
  let onMove = (): void => {};

  /** True: somebody came, moved or left. */
  const change = (ms: number): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms, false);
      onMove = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  /** How many of the events nobody needs who still stands in this stretch. */
  const unneeded = (): number => {
    const places = [...readers].map(({ position }) => position);
    const here = places.filter((position) => position >= window.start());
    return Math.min(window.length(), ...here.map(window.countTo));
  };
  /** Until the first events can be dropped without loss to anybody, or somebody keeps all others waiting for too long. */
  const othersFollow = async (spare: number): Promise<void> => {
    const mayCome = (): boolean => window.start() === after && readers.size < expected;
    while (mayCome() && (await change(Math.min(COMPANY_MS, patienceMs))));
    while (unneeded() < spare && (await change(patienceMs)));
  };
  const makeRoom = async (): Promise<void> => {
    const spare = window.length() - most;
    if (spare <= 0) return;
    if (!isLive) await othersFollow(spare);
    window.drop(spare);
  };
  const read = async (): Promise<boolean> => {
    await makeRoom();
    const { value: message, done } = await messages.next().catch((error: unknown) => {
      isOver = true;
      throw error;
    });
    isOver = done === true;
    if (done === true) return false;
    window.add(message);
    caughtUp = message.kind === 'caughtUp';
    isLive ||= caughtUp;
    return true;
  };
  const close = (): void => {
    stop.abort();
    onMove();
    // It waits for the store, or for us: what it ends with is nobody's concern any more.
    messages.return?.().catch(() => {});
  };

  return {
    upTo,
    take,
    spans: (position) => !isOver && window.start() <= position && position <= upTo(),
    knows: (position) => !isOver && window.knows(position),
    isCaughtUp: () => caughtUp,
    readOn: () => {
      if (reading !== null) return reading;
      reading = read().finally(() => (reading = null));
      reading.catch(() => {});
      return reading;
    },
    enter: (reader) => {
      readers.add(reader);
      onMove();
    },
    leave: (reader) => {
      readers.delete(reader);
      onMove();
      if (readers.size > 0) return false;
      close();
      return true;
    },
    moved: () => onMove(),
  };
};
