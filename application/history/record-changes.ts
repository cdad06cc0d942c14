import { DomainError } from '../../domain/shared/domain-error.ts';
import { type JsonChange, jsonChanges } from '../../domain/shared/json-changes.ts';
import type { ProjectedEvent } from '../event-sourcing/aggregates.ts';
import type { Position } from '../ports/event-store.ts';
import type { Page } from '../ports/page.ts';
import type { Past } from '../access/past.ts';
import { byPosition, createPastReader, createReadStream, type PastReader } from './past-reader.ts';
import { type HistoryDeps, pastOf } from './open-past.ts';

/** An event of a record, and what it changed of it. */
export interface RecordChange {
  readonly event: ProjectedEvent;
  readonly changes: readonly JsonChange[];
}

/** A page of changes after the event at `after`. */
export interface ChangesRequest {
  readonly limit: number;
  readonly after?: Position;
}

/**
 * What each event of a record changed, in the order of the log, without events that changed nothing. `show` answers the
 * record as JSON, with the rights that the caller has today, or throws DomainError `not_found`. The first event that
 * showed it changed it from nothing, the last one, if it ended, to nothing. A page looks at up to 500 events, and may have
 * fewer changes than its limit; `next` then names where to go on.
 *
 * @throws DomainError not_found if `show` shows nothing at any event
 */
export type ReadChanges = (
  show: (past: Past) => Promise<unknown>,
  page: ChangesRequest,
) => Promise<Page<RecordChange>>;

const MAX_EVENTS = 500;
/** Sorts after every position. */
const LAST: Position = '~';

export const createReadChanges =
  (deps: HistoryDeps): ReadChanges =>
  async (show, { limit, after = '' }) => {
    const read = createReadStream(deps);
    const at = (position: Position) => createPastReader(read, { kind: 'position', position });
    const shownBy = async (reader: PastReader): Promise<unknown> => {
      try {
        return await show(pastOf(deps, reader, false));
      } catch (error) {
        if (error instanceof DomainError && error.code === 'not_found') return undefined;
        throw error;
      }
    };
    const events = await eventsOf(at, shownBy);
    const from = events.findIndex(({ position }) => position > after);
    const rest = from === -1 ? [] : events.slice(from, from + MAX_EVENTS);
    let before = from > 0 ? await shownBy(at(events[from - 1]!.position)) : undefined;
    const rows: RecordChange[] = [];
    let next = after;
    for (const event of rest) {
      const then = await shownBy(at(event.position));
      const changes = jsonChanges(before, then);
      if (changes.length > 0 && rows.length === limit)
        return { rows, hasMore: true, total: events.length, next };
      if (changes.length > 0) rows.push({ event, changes });
      [before, next] = [then, event.position];
    }
    const hasMore = from !== -1 && from + rest.length < events.length;
    return { rows, hasMore, total: events.length, next };
  };

/** Every event that the record was ever folded from. A record that ended tells only as it was before what else it spans. */
const eventsOf = async (
  at: (position: Position) => PastReader,
  shownBy: (reader: PastReader) => Promise<unknown>,
): Promise<readonly ProjectedEvent[]> => {
  const end = at(LAST);
  const isShown = (await shownBy(end)) !== undefined;
  if (isShown) return end.seen();
  for (const { position } of end.seen().toReversed()) {
    const reader = at(position);
    if ((await shownBy(reader)) === undefined) continue;
    const found = new Map([...end.seen(), ...reader.seen()].map((event) => [event.id, event]));
    return [...found.values()].toSorted(byPosition);
  }
  throw new DomainError('not_found', 'there is no such record');
};
