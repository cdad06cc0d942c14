import { setTimeout as delay } from 'node:timers/promises';
import type { FeedMessage, Position, RecordedEvent } from '../../application/ports/event-store.ts';
import type { LogEnd, LogTail } from './log-tail.ts';

/** What is followed: the end of a log, and how it is read up to there. */
export interface Followed<End extends LogEnd> {
  readonly tail: LogTail<End>;
  /**
   * The first matching events behind `after`, in order, and up to where everything was given or does not match: at or
   * behind the last event. `woken`: little lies before `end`, as the reader was at the end a moment ago.
   */
  readonly readPage: (
    after: Position,
    end: End,
    woken: boolean,
  ) => Promise<{ readonly events: readonly RecordedEvent[]; readonly position: Position }>;
  /** Whether an end must be asked for again once a reading up to it has failed: it is true of one node only. */
  readonly forgetsEnd: boolean;
  /** Whether to go on after this error, and not to throw it. */
  readonly mayMend: (error: unknown) => boolean;
  readonly pauses: Pauses;
}

export interface Pauses {
  /** Before a second try; doubled for each further one. */
  readonly pauseMs: number;
  readonly longestPauseMs: number;
}

/** Grows with the failures, with jitter, so that many do not return in step. Ends early when `signal` aborts. */
export const pause = (
  { pauseMs, longestPauseMs }: Pauses,
  failures: number,
  signal?: AbortSignal,
): Promise<void> =>
  delay(
    Math.min(pauseMs * 2 ** Math.min(failures - 1, 20), longestPauseMs) * (0.5 + Math.random() / 2),
    undefined,
    { ...(signal && { signal }) },
  ).catch(() => {});

/** `EventFeed.follow` from a position that was found to be one of this log. Ends normally when `signal` aborts. */
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
      if (!followed.mayMend(error)) throw error;
      failures += 1;
      await pause(followed.pauses, failures, signal);
    }
    for (const message of messages) if (!signal.aborted) yield message;
  }
};

/** After so many ends that were no ends any more a reader asks for one that is, so that it hears that it caught up. */
const OFTEN = 10;

/** One reader's state; each call makes one step and answers what it has to say, a failed call says nothing. */
const follower = <End extends LogEnd>(
  { tail, readPage, forgetsEnd }: Followed<End>,
  start: Position,
  signal: AbortSignal,
): (() => Promise<readonly FeedMessage[]>) => {
  let position = start;
  /** As far as is read before it is asked for again; null when it must be. */
  let end: End | null = null;
  /** Pages read since then; whether the last end was announced as reached, and whether this one was waited for. */
  let pages = 0;
  let caughtUp = false;
  let woken = false;
  /** Ends in a row that were reached and passed already. */
  let passed = 0;

  const readOn = async (to: End): Promise<readonly FeedMessage[]> => {
    if (forgetsEnd) end = null;
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
    if (end !== null && position < end.position) return readOn(end);
    const isPassed = end?.isPassed === true && (passed += 1) % OFTEN !== 0;
    if (caughtUp || isPassed) {
      end = await tail.beyond(position, signal);
      [pages, caughtUp, woken] = [0, false, true];
      return [];
    }
    // Reading many pages took its time: only an end asked for just now can be called "everything that was visible".
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
