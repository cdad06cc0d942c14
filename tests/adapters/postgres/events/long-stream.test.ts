import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresEventFeed } from '../../../../adapters/postgres/event-feed.ts';
import { createPostgresEventStore } from '../../../../adapters/postgres/event-store.ts';
import { eventStoreMigrations } from '../../../../adapters/postgres/events/migrations.ts';
import { createWakeUp } from '../../../../adapters/postgres/events/wake-up.ts';
import { BEGINNING, type EventFeed, type NewEvent } from '../../../../application/ports/event-store.ts';
import { type FreshDatabase, freshDatabase } from '../../../support/postgres.ts';
import { eventsOf, followUntil } from '../../contracts/event-feed.ts';
import { newEvent, newStream } from '../../contracts/event-store.ts';

const APPENDS = 4;
const LENGTH = 1_000 * APPENDS;
const PAGE = 100;

describe('a long stream in Postgres, through the feed', () => {
  const stream = newStream();
  /** As the audit trail asks. */
  const filter = { stream, tenant: 'x' };
  let database: FreshDatabase;
  let feed: EventFeed;
  let close: () => Promise<void>;
  beforeAll(async () => {
    // One connection, so that it knows of all that was fetched.
    database = await freshDatabase(eventStoreMigrations, { poolSize: 1 });
    const wakeUp = createWakeUp(database);
    feed = createPostgresEventFeed({ pool: database.pool, wakeUp });
    const store = createPostgresEventStore({ pool: database.pool, wakeUp });
    for (let part = 0; part < APPENDS; part += 1) {
      const events = Array.from({ length: 1_000 }, () => newEvent('A', {}, { tenant: 'x' })) as [NewEvent];
      await store.append(stream, part === 0 ? 'none' : BigInt(part * 1_000 - 1), events);
    }
    // Many short streams before it, as in any log: Postgres then guesses that this one is short too.
    await database.pool.query(`INSERT INTO es.events
      SELECT 1, i, 'other-' || i, 'other', 0, gen_random_uuid(), 'A', 'x', '{}', '{"tenant":"x"}', 0
      FROM generate_series(1, ${LENGTH}) i`);
    await database.pool.query('ANALYZE es.events');
    close = async () => {
      await wakeUp.close();
      await database.close();
    };
  });
  afterAll(() => close());

  /** Rows of the log that Postgres fetched for the work. */
  const fetchedFor = async (work: () => Promise<number>): Promise<number> => {
    const fetched = async (): Promise<number> => {
      await database.pool.query('SELECT pg_stat_force_next_flush()');
      const { rows } = await database.pool.query<{ readonly rows: string }>(
        "SELECT idx_tup_fetch + seq_tup_read AS rows FROM pg_stat_user_tables WHERE relname = 'events'",
      );
      return Number(rows[0]!.rows);
    };
    const before = await fetched();
    expect(await work()).toBe(LENGTH);
    return (await fetched()) - before;
  };

  it('is paged through in either direction at a cost for each page that does not grow', async () => {
    const ahead = await fetchedFor(async () => {
      let [count, after] = [0, BEGINNING];
      for (let more = true; more;) {
        const { events, position } = await feed.read(after, filter, PAGE);
        [count, after, more] = [count + events.length, position, events.length === PAGE];
      }
      return count;
    });
    const back = await fetchedFor(async () => {
      let [count, before] = [0, BEGINNING];
      for (let more = true; more;) {
        const { events } = await feed.readBack(before, filter, PAGE);
        [count, before, more] = [
          count + events.length,
          events.at(-1)?.position ?? '',
          events.length === PAGE,
        ];
      }
      return count;
    });
    for (const fetched of [ahead, back]) expect(fetched).toBeLessThan(3 * LENGTH);
  });

  it('is followed at that cost too', async () => {
    const fetched = await fetchedFor(async () => {
      const caughtUp = (messages: readonly { readonly kind: string }[]) =>
        messages.at(-1)?.kind === 'caughtUp';
      return eventsOf(await followUntil(feed, BEGINNING, filter, caughtUp, PAGE)).length;
    });
    expect(fetched).toBeLessThan(3 * LENGTH);
  });
});
