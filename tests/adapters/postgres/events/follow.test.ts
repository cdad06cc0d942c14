import { createHash } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresEventFeed } from '../../../../adapters/postgres/event-feed.ts';
import { BEGINNING } from '../../../../application/ports/event-store.ts';
import { freshDatabase } from '../../../support/postgres.ts';
import { eventsOf, followUntil } from '../../contracts/event-feed.ts';
import { newEvent, newStream } from '../../contracts/event-store.ts';
import { type OpenLog, openLog } from './open-log.ts';

describe('following Postgres', () => {
  let log: OpenLog;
  beforeAll(async () => {
    log = await openLog();
  });
  afterAll(() => log?.close());

  it('goes on after every connection was lost', async () => {
    const session = await log.session();
    let cut = false;
    const messages = await followUntil(log.feed, BEGINNING, {}, async (seen) => {
      if (!cut && seen.at(-1)?.kind === 'caughtUp') {
        cut = true;
        await session.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`);
        await log.another().store.append(newStream(), 'none', [newEvent('After')]);
      }
      return eventsOf(seen).length > 0;
    });
    expect(eventsOf(messages).map((event) => event.type)).toEqual(['After']);
  });

  it('goes on where it was after queries failed', async () => {
    const stream = newStream();
    let asked = 0;
    const query = async (config: pg.QueryConfig): Promise<unknown> => {
      asked += 1;
      if (asked % 2 === 1) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      return log.pool.query(config);
    };
    const feed = createPostgresEventFeed({ pool: { query } as unknown as pg.Pool, wakeUp: log.wakeUp });
    await log.store.append(stream, 'none', [newEvent('A'), newEvent('B'), newEvent('C')]);
    const messages = await followUntil(feed, BEGINNING, { stream }, (seen) => eventsOf(seen).length >= 3, 1);
    expect(eventsOf(messages).map((event) => event.type)).toEqual(['A', 'B', 'C']);
    expect(asked).toBeGreaterThan(6);
  });

  it('hears of appends of another process, and again after its connection was lost', async () => {
    const other = log.another();
    const heard = async (cause: () => void): Promise<string> => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const leave = other.wakeUp.subscribe(() => resolve('heard'));
      cause();
      return promise.finally(leave);
    };
    const cut = (): void => {
      void log.pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE 'LISTEN%'`);
    };
    // The first hint comes when the connection is up, and so does the third.
    expect(await heard(() => {})).toBe('heard');
    expect(await heard(log.wakeUp.appended)).toBe('heard');
    expect(await heard(cut)).toBe('heard');
    expect(await heard(log.wakeUp.appended)).toBe('heard');
  });

  it('throws what no retry can mend', async () => {
    const follow = (after: string, feed = log.feed) => followUntil(feed, after, {}, () => true);
    await expect(follow('7')).rejects.toThrow('not a position');
    const empty = await freshDatabase();
    const feed = createPostgresEventFeed({ pool: empty.pool, wakeUp: { subscribe: () => () => {} } });
    await expect(follow(BEGINNING, feed)).rejects.toThrow('schema "es" does not exist');
    await empty.close();
  });

  it('searches far behind with a filter in bounded parts, without loss', async () => {
    await log.pool
      .query(`INSERT INTO es.events (tx, pos, stream, category, revision, event_id, type, data, metadata, recorded_at)
      SELECT 1, n, 'filler-1', 'filler', n - 1, gen_random_uuid(), CASE WHEN n % 9000 = 0 THEN 'Rare' ELSE 'Filler' END,
        '{}', '{}', 0 FROM generate_series(1, 25000) AS n`);
    const filter = { types: ['Rare'] };
    const messages = await followUntil(
      log.feed,
      BEGINNING,
      filter,
      (seen) => seen.at(-1)?.kind === 'caughtUp',
    );
    expect(eventsOf(messages).map((event) => event.revision)).toEqual([8_999n, 17_999n]);
    expect(messages.filter((message) => message.kind === 'checkpoint').length).toBeGreaterThanOrEqual(2);
    const page = await log.feed.read(BEGINNING, filter, 2);
    expect(page.more).toBe(true);
    expect(page.events.map((event) => event.revision)).toEqual([8_999n]);
    const next = await log.feed.read(page.position, filter, 1);
    expect(next).toMatchObject({ events: [{ revision: 17_999n }], more: true });
    expect(next.position).toBe(next.events[0]!.position);
    const found: bigint[] = [];
    for (let [before, more, reads] = [BEGINNING, true, 0]; more; reads += 1) {
      expect(reads).toBeLessThan(4);
      const back = await log.feed.readBack(before, filter, 10);
      found.push(...back.events.map((event) => event.revision));
      [before, more] = [back.position, back.more];
    }
    expect(found).toEqual([17_999n, 8_999n]);
  });

  it('finds what an actor did, and a trace, by an index', async () => {
    await log.pool
      .query(`INSERT INTO es.events (tx, pos, stream, category, revision, event_id, type, data, metadata, recorded_at)
      SELECT 2, n, 'busy-1', 'busy', n - 1, gen_random_uuid(), 'A', '{}', json_build_object(
        'actor', json_build_object('id', CASE WHEN n = 17000 THEN 'seldom' ELSE 'worker' END),
        'traceparent', format('00-%s-00000000000000a1-01', md5(n::text))), 0 FROM generate_series(1, 25000) AS n
      ON CONFLICT DO NOTHING`);
    await log.pool.query('ANALYZE es.events');
    const fetched = async (): Promise<number> => {
      const { rows } = await log.pool.query<{ readonly n: string }>(
        "SELECT sum(idx_tup_fetch + seq_tup_read) AS n FROM pg_stat_user_tables WHERE relname = 'events'",
      );
      return Number(rows[0]!.n);
    };
    const trace = createHash('md5').update('17000').digest('hex');
    for (const filter of [{ actor: 'seldom' }, { traceId: trace }, { traceId: trace, types: ['A'] }]) {
      for (const read of ['read', 'readBack'] as const) {
        // Another connection may tell only now what it did before.
        const rows: number[] = [];
        while (rows.length < 5 && !(rows.at(-1)! < 1_000)) {
          await log.pool.query('SELECT pg_stat_reset()');
          const { events, more } = await log.feed[read](BEGINNING, filter, 10);
          expect([events.map(({ revision }) => revision), more]).toEqual([[16_999n], false]);
          await log.pool.query('SELECT pg_stat_force_next_flush()');
          rows.push(await fetched());
        }
        expect(rows.at(-1)).toBeLessThan(1_000);
      }
    }
  });
});
