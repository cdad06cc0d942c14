import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appendGroup, appendOne } from '../../../../adapters/postgres/events/append.ts';
import { GATE } from '../../../../adapters/postgres/events/gate-functions.ts';
import { fromPosition } from '../../../../adapters/postgres/events/read-streams.ts';
import { checkAppend } from '../../../../application/ports/event-checks.ts';
import { BEGINNING } from '../../../../application/ports/event-store.ts';
import { eventsOf, followUntil } from '../../contracts/event-feed.ts';
import { newEvent, newStream } from '../../contracts/event-store.ts';
import { type OpenLog, appendWithin, openLog, untilBlocked } from './open-log.ts';

describe('the gate of the Postgres feed', () => {
  let log: OpenLog;
  beforeEach(async () => {
    log = await openLog();
  });
  afterEach(() => log?.close());

  const visible = async (): Promise<readonly string[]> =>
    (await log.feed.read(BEGINNING, {}, 100)).events.map((event) => event.type);

  it('never shows a later append before an earlier one that has not committed yet', async () => {
    const slow = await log.session();
    await log.store.append(newStream(), 'none', [newEvent('First')]);
    await slow.query('BEGIN');
    await appendWithin(slow, newStream(), -1, [newEvent('Slow')]);
    const later = await log.store.append(newStream(), 'none', [newEvent('Later')]);
    const page = await log.feed.read(BEGINNING, {}, 100);
    expect(page.events.map((event) => event.type)).toEqual(['First']);
    expect(page.position < later.position).toBe(true);
    await slow.query('COMMIT');
    expect(await visible()).toEqual(['First', 'Slow', 'Later']);
  });

  it('delivers a slow append to a follower that was already waiting, in its place', async () => {
    const slow = await log.session();
    let step = 0;
    const messages = await followUntil(log.feed, BEGINNING, {}, async (seen) => {
      if (seen.at(-1)?.kind !== 'caughtUp') return false;
      step += 1;
      if (step === 1) {
        await slow.query('BEGIN');
        await appendWithin(slow, newStream(), -1, [newEvent('Slow')]);
        await log.store.append(newStream(), 'none', [newEvent('Later')]);
        await slow.query('COMMIT');
      }
      return eventsOf(seen).length === 2;
    });
    expect(eventsOf(messages).map((event) => event.type)).toEqual(['Slow', 'Later']);
  });

  it('goes past an append that was rolled back', async () => {
    const slow = await log.session();
    await slow.query('BEGIN');
    await appendWithin(slow, newStream(), -1, [newEvent('Undone')]);
    await log.store.append(newStream(), 'none', [newEvent('Later')]);
    await slow.query('ROLLBACK');
    expect(await visible()).toEqual(['Later']);
  });

  it('is not held back by a transaction that writes something else', async () => {
    const other = await log.session();
    await other.query('CREATE TABLE something (n int)');
    await other.query('BEGIN');
    await other.query('INSERT INTO something VALUES (1)');
    await log.store.append(newStream(), 'none', [newEvent('A')]);
    expect(await visible()).toEqual(['A']);
    expect(await log.feed.oldestHiddenAgeMs()).toBe(0);
    await other.query('ROLLBACK');
  });

  it('is not held back by an append to the log of another database on the server', async () => {
    const neighbour = await openLog();
    try {
      const slow = await neighbour.session();
      await slow.query('BEGIN');
      await appendWithin(slow, newStream(), -1, [newEvent('Elsewhere')]);
      await log.store.append(newStream(), 'none', [newEvent('Here')]);
      expect(await visible()).toEqual(['Here']);
      await slow.query('ROLLBACK');
    } finally {
      await neighbour.close();
    }
  });

  it('tells for how long an event has been hidden', async () => {
    const slow = await log.session();
    expect(await log.feed.oldestHiddenAgeMs()).toBe(0);
    await slow.query('BEGIN');
    await appendWithin(slow, newStream(), -1, [newEvent('Slow')]);
    await log.store.append(newStream(), 'none', [newEvent('Later')]);
    await slow.query(`UPDATE es.events SET recorded_at = recorded_at - 60000 WHERE type = 'Slow'`);
    expect(await log.feed.oldestHiddenAgeMs()).toBeLessThan(60_000);
    await log.pool.query(`UPDATE es.events SET recorded_at = recorded_at - 60000 WHERE type = 'Later'`);
    expect(await log.feed.oldestHiddenAgeMs()).toBeGreaterThanOrEqual(60_000);
    await slow.query('COMMIT');
    expect(await log.feed.oldestHiddenAgeMs()).toBe(0);
  });

  it('refuses what would go around it', async () => {
    const session = await log.session();
    await session.query('BEGIN');
    await session.query('SELECT pg_current_xact_id()');
    await expect(appendWithin(session, newStream(), -1, [newEvent()])).rejects.toThrow('first write');
    await session.query('ROLLBACK');
    await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await expect(session.query('SELECT es.stable_head()')).rejects.toThrow('read committed');
    await session.query('ROLLBACK');
  });

  it.each([
    ['an append of one event', 1, 1],
    ['a small append', 8, 1],
    ['a large append', 20, 1],
    ['a group', 1, 3],
  ])('is entered by %s before it has its place in the log', async (_, events, appends) => {
    const [keeper, other] = [await log.session(), await log.session()];
    await log.store.append(newStream(), 'none', [newEvent('First')]);
    await keeper.query('BEGIN');
    await keeper.query(`SELECT pg_advisory_xact_lock(${GATE})`);
    const group = Array.from({ length: appends }, () => {
      const stream = newStream();
      const made = Array.from({ length: events }, () => newEvent());
      return { stream, after: -1n, events: checkAppend(stream, made) };
    });
    const one = async () => [await appendOne(log.pool, group[0]!)];
    const waiting = appends > 1 ? appendGroup(log.pool, group) : one();
    await untilBlocked(log.pool);
    const { rows } = await other.query<{ id: string }>('SELECT pg_current_xact_id() AS id');
    await keeper.query('COMMIT');
    for (const outcome of await waiting) {
      if (outcome.kind !== 'appended') throw new Error(outcome.kind);
      expect(BigInt(fromPosition(outcome.result.position)[0])).toBeGreaterThan(BigInt(rows[0]!.id));
    }
  });

  it('loses and repeats nothing while many writers of two processes append, some of them slowly', async () => {
    const processes = [log, log.another()];
    const slow = await log.session();
    const [writers, rounds] = [8, 12];
    const write = async (writer: number): Promise<void> => {
      const { store } = processes[writer % 2]!;
      const stream = newStream();
      for (let round = 0; round < rounds; round += 1) {
        const events = [newEvent('A', { writer, round }), newEvent('B', { writer, round })] as const;
        await store.append(stream, round === 0 ? 'none' : BigInt(2 * round - 1), events);
      }
    };
    const writeSlowly = async (): Promise<void> => {
      for (let round = 0; round < rounds; round += 1) {
        await slow.query('BEGIN');
        await appendWithin(slow, newStream(), -1, [newEvent('S', { writer: writers, round })]);
        await processes[0]!.store.append(newStream(), 'none', [newEvent('T')]);
        await slow.query('COMMIT');
      }
    };
    const total = writers * rounds * 2 + rounds * 2;
    const following = processes.map(({ feed }) =>
      followUntil(feed, BEGINNING, {}, (messages) => eventsOf(messages).length >= total, 10),
    );
    await Promise.all([...Array.from({ length: writers }, (_, writer) => write(writer)), writeSlowly()]);
    const stored = await log.pool.query<{ id: string }>(
      'SELECT event_id AS id FROM es.events ORDER BY tx, pos',
    );
    for (const messages of await Promise.all(following)) {
      expect(eventsOf(messages).map((event) => event.id)).toEqual(stored.rows.map((row) => row.id));
    }
  });

  it.each([1, 8, 9])('is held by an append of %i while it writes', async (size) => {
    const [faster, stream] = [await log.session(), newStream()];
    await log.store.append(newStream(), 'none', [newEvent('First')]);
    await faster.query('BEGIN');
    await appendWithin(faster, stream, -1, [newEvent('Faster')]);
    const made = checkAppend(
      stream,
      Array.from({ length: size }, () => newEvent()),
    );
    const waiting = appendOne(log.pool, { stream, after: -1n, events: made });
    await untilBlocked(log.pool);
    const { rows } = await log.pool.query<{ gates: number }>(`
      SELECT count(*) AS gates FROM pg_locks writer JOIN pg_locks gate USING (pid)
      WHERE writer.locktype = 'transactionid' AND NOT writer.granted
        AND gate.locktype = 'advisory' AND (gate.classid, gate.objid) = (${GATE})`);
    await faster.query('COMMIT');
    expect([rows[0]?.gates, (await waiting).kind]).toEqual([1, 'failed']);
  });

  it.each([1, 9])('is waited for by an append of %i while the clock of the log is moved', async (size) => {
    const keeper = await log.session();
    const first = await log.store.append(newStream(), 'none', [newEvent('Restored')]);
    await log.pool.query('UPDATE es.events SET tx = tx + 1000000');
    await keeper.query('BEGIN');
    await keeper.query('SELECT es.align_clock()');
    const events = Array.from({ length: size }, () => newEvent('New'));
    const stream = newStream();
    const waiting = appendOne(log.pool, { stream, after: -1n, events: checkAppend(stream, events) });
    await untilBlocked(log.pool);
    await keeper.query('COMMIT');
    const outcome = await waiting;
    if (outcome.kind !== 'appended') throw new Error(outcome.kind);
    const [restored, made] = [first, outcome.result].map(({ position }) => BigInt(fromPosition(position)[0]));
    expect(made).toBeGreaterThan(restored! + 1_000_000n);
    expect((await visible()).slice(0, 2)).toEqual(['Restored', 'New']);
  });

  it('goes on in order after the log was restored into a server whose transaction counter is lower', async () => {
    // Often enough for the statement to have a plan that stays.
    for (let i = 0; i < 10; i += 1) await log.store.append(newStream(), 'none', [newEvent('Restored')]);
    await log.pool.query('UPDATE es.events SET tx = tx + 1000000');
    await expect(log.feed.read(BEGINNING, {}, 10)).rejects.toThrow('restored');
    await log.another().store.append(newStream(), 'none', [newEvent('New')]);
    await log.store.append(newStream(), 'none', [newEvent('Newest')]);
    expect((await visible()).slice(9)).toEqual(['Restored', 'New', 'Newest']);
  });
});
