import { readDateTime } from '../../domain/filter/value.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { EventFeed, Position, RecordedEvent } from '../ports/event-store.ts';

/**
 * A moment in the history of the log. A time compares with `recordedAt`, when the store accepted an event, which is what
 * audit trails show as its time; not with the time in the data of the event, which the writer chose.
 */
export type Moment =
  /** Unix milliseconds, inclusive. */
  | { readonly kind: 'time'; readonly at: number }
  /** Inclusive. */
  | { readonly kind: 'position'; readonly position: Position };

/** Whether the event had been recorded by then. */
export const isBy = (moment: Moment, event: Pick<RecordedEvent, 'position' | 'recordedAt'>): boolean =>
  moment.kind === 'time' ? event.recordedAt <= moment.at : event.position <= moment.position;

const UNIX_SECONDS = /^\d{1,11}$/;

/**
 * Parses an RFC 3339 date-time, Unix seconds, or a position of the log. A time in whole seconds means the end of that
 * second, because the times in responses are rounded down to it.
 *
 * @throws DomainError invalid_request for anything else, and for a moment in the future
 */
export const parseMoment = async (
  text: string,
  now: number,
  log: Pick<EventFeed, 'holds'>,
): Promise<Moment> => {
  const time = timeIn(text);
  if (time !== null) {
    if (time > now) throw inTheFuture();
    return { kind: 'time', at: time % 1000 === 0 ? time + 999 : time };
  }
  if (!(await holds(log, text))) throw inTheFuture();
  return { kind: 'position', position: text };
};

const timeIn = (text: string): number | null => {
  if (UNIX_SECONDS.test(text)) return Number(text) * 1000;
  return text.length > 10 ? readDateTime(text) : null;
};

const holds = async (log: Pick<EventFeed, 'holds'>, position: Position): Promise<boolean> => {
  try {
    return await log.holds(position);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid_cursor') throw error;
    throw new DomainError(
      'invalid_request',
      'as_of is an RFC 3339 date-time with an offset, Unix seconds, or a position of the log, such as the x-position of a write',
    );
  }
};

const inTheFuture = (): DomainError =>
  new DomainError('invalid_request', 'as_of lies in the future: there is nothing to show of it yet');
