import { randomUUID } from 'node:crypto';
import {
  BEGINNING,
  type EventFilter,
  type JsonObject,
  type Position,
  type RecordedEvent,
} from '../../application/ports/event-store.ts';
import { FIRST_TENANT } from '../../composition/bootstrap.ts';
import { type EventLog, openEventLog } from '../../composition/event-log.ts';
import { inDatabase, type Place } from './database.ts';
import { OUR_MARKS } from './newer-version.ts';

/** Opens the events of a service, whichever store has them, as another program beside it would. */
const inEventLog = <T>(place: Place, use: (log: EventLog) => Promise<T>): Promise<T> =>
  inDatabase(place, async (database) => {
    const log = await openEventLog({ eventStoreUrl: place.backing.env['EVENTSTORE_URL'] }, database);
    try {
      return await use(log);
    } finally {
      await log.close();
    }
  });

/** All events that match, in the order of the log. */
export const eventsOf = (place: Place, filter: EventFilter): Promise<readonly RecordedEvent[]> =>
  inEventLog(place, async ({ feed }) => {
    const found: RecordedEvent[] = [];
    for (let after: Position = BEGINNING, goesOn = true; goesOn;) {
      const page = await feed.read(after, filter, 500);
      found.push(...page.events);
      [after, goesOn] = [page.position, page.more];
    }
    return found;
  });

/** Appends an event to the end of a stream, as a newer version or another program might; answers its position. */
export const appendEvent = (
  place: Place & { readonly tenant?: string },
  stream: string,
  type: string,
  dataAfter: JsonObject | ((past: readonly RecordedEvent[]) => JsonObject),
): Promise<Position> =>
  inEventLog(place, async ({ store }) => {
    const past = await store.readStream(stream);
    const metadata = { ...OUR_MARKS, tenant: place.tenant ?? FIRST_TENANT };
    const data = typeof dataAfter === 'function' ? dataAfter(past) : dataAfter;
    const event = { id: randomUUID(), type, data, metadata };
    return (await store.append(stream, past.at(-1)?.revision ?? 'none', [event])).position;
  });
