import { type ExpectedRevision, InvalidEvent, MAX_REVISION } from './event-store.ts';

/**
 * The revision behind which events are appended, -1 for `none`: the same for all adapters, before anything is sent.
 *
 * @throws InvalidEvent for a revision that no stream can be at, or behind which so many events have no place
 */
export const revisionBefore = (stream: string, expected: ExpectedRevision, events: number): bigint => {
  const before = expected === 'none' ? -1n : expected;
  if (before >= -1n && before + BigInt(events) <= MAX_REVISION) return before;
  throw new InvalidEvent(`revision ${expected} cannot be expected of ${stream}`);
};

/** Where a read of a stream begins; null: nothing can ever lie there. */
export const revisionFrom = (from: bigint): bigint | null => {
  if (from > MAX_REVISION) return null;
  return from < 0n ? 0n : from;
};
