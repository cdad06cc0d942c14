import { createRecentlyUsed } from '../../application/event-sourcing/recently-used.ts';

/**
 * How far this process has seen streams, by its appends and its reads. A leader that was deposed while it was frozen goes
 * on answering for a moment as if it led, and shows less than others have acknowledged; so does the log after a restore.
 */
export interface Seen {
  readonly note: (stream: string, revision: bigint) => void;
  /** -1: nothing, or so long ago that it was forgotten. */
  readonly of: (stream: string) => bigint;
  /** The log is another one than it was. */
  readonly forget: (stream: string) => void;
}

const MOST = { count: 10_000, weight: Infinity };

export const createSeen = (): Seen => {
  const last = createRecentlyUsed<{ readonly weight: 0; readonly revision: bigint }>(MOST);
  const of = (stream: string): bigint => last.get(stream)?.revision ?? -1n;
  return {
    note: (stream, revision) => {
      if (revision > of(stream)) last.put(stream, { weight: 0, revision });
    },
    of,
    forget: last.drop,
  };
};
