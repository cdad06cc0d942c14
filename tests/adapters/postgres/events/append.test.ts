import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../../../../adapters/postgres/connection.ts';
import { createPostgresEventStore } from '../../../../adapters/postgres/event-store.ts';
import { appendGroup } from '../../../../adapters/postgres/events/append.ts';
import { checkAppend } from '../../../../application/ports/event-checks.ts';
import {
  ConcurrencyConflict,
  EventStoreUnavailable,
  InvalidEvent,
  type NewEvent,
  OutcomeUnknown,
} from '../../../../application/ports/event-store.ts';
import { newEvent, newStream } from '../../contracts/event-store.ts';
import { type OpenLog, appendWithin, openLog, untilBlocked } from './open-log.ts';

describe('appends to Postgres', () => {
  let log: OpenLog;
  beforeAll(async () => {
    log = await openLog();
  });
  afterAll(() => log?.close());

  const append = (stream: string, after: bigint, events: readonly NewEvent[]) => ({
    stream,
    after,
    events: checkAppend(stream, events),
  });
  const terminate = (client: { query: (sql: string) => Promise<unknown> }, condition: string) =>
    client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${condition}`);

  it('gives every append of a group its own verdict', async () => {
    const [known, conflicting, repeated] = [newStream(), newStream(), newStream()];
    const first = newEvent('First');
    await log.store.append(known, 'none', [newEvent()]);
    await log.store.append(conflicting, 'none', [newEvent()]);
    const earlier = await log.store.append(repeated, 'none', [first]);
    const group = [
      append(known, 0n, [newEvent('A'), newEvent('B')]),
      append(conflicting, -1n, [newEvent('Lost')]),
      append(newStream(), -1n, [newEvent('C')]),
      append(repeated, -1n, [first]),
    ];
    const outcomes = await appendGroup(log.pool, group);
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['appended', 'failed', 'appended', 'repeated']);
    expect(outcomes[1]).toMatchObject({ error: { name: 'ConcurrencyConflict', actual: 0n } });
    expect(outcomes[3]).toEqual({ kind: 'repeated', result: earlier });
    const recorded = await log.store.readStream(known);
    expect(recorded.map((event) => event.type)).toEqual(['ThingHappened', 'A', 'B']);
    expect(outcomes[0]).toMatchObject({ result: { revision: 2n, position: recorded[2]?.position } });
    expect(await log.store.readStream(conflicting)).toHaveLength(1);
  });

  it('leaves no gap when an append of a group is ahead of its stream', async () => {
    const [behind, fine] = [newStream(), newStream()];
    await log.store.append(behind, 'none', [newEvent()]);
    const group = [append(behind, 3n, [newEvent('Gap')]), append(fine, -1n, [newEvent()])];
    const outcomes = await appendGroup(log.pool, group);
    expect(outcomes).toMatchObject([
      { error: { name: 'ConcurrencyConflict', actual: 0n } },
      { kind: 'appended' },
    ]);
    expect(await log.store.readStream(behind)).toHaveLength(1);
  });

  it('takes a group apart when one of its appends loses a race', async () => {
    const session = await log.session();
    const raced = newStream();
    await session.query('BEGIN');
    await appendWithin(session, raced, -1, [newEvent('Faster')]);
    const others = [newStream(), newStream()];
    const group = [others[0]!, raced, others[1]!].map((stream) => append(stream, -1n, [newEvent()]));
    const outcomes = appendGroup(log.pool, group);
    await untilBlocked(log.pool);
    await session.query('COMMIT');
    expect((await outcomes).map((outcome) => outcome.kind)).toEqual(['appended', 'failed', 'appended']);
    for (const stream of others) expect(await log.store.readStream(stream)).toHaveLength(1);
    expect((await log.store.readStream(raced)).map((event) => event.type)).toEqual(['Faster']);
  });

  it('tells a conflict from a repetition after it lost a race', async () => {
    const session = await log.session();
    const [stream, event] = [newStream(), newEvent('Raced')];
    await session.query('BEGIN');
    await appendWithin(session, stream, -1, [event]);
    const same = log.store.append(stream, 'none', [event]);
    const other = log.another().store.append(stream, 'none', [newEvent()]);
    const refused = other.catch((error: unknown) => error);
    await untilBlocked(log.pool, 2);
    await session.query('COMMIT');
    expect((await same).revision).toBe(0n);
    expect(await refused).toBeInstanceOf(ConcurrencyConflict);
    expect(await log.store.readStream(stream)).toHaveLength(1);
  });

  it('refuses an event id that another stream holds, alone and in a group', async () => {
    const [event, fine] = [newEvent(), newStream()];
    await log.store.append(newStream(), 'none', [event]);
    await expect(log.store.append(newStream(), 'none', [event])).rejects.toBeInstanceOf(InvalidEvent);
    const group = [append(newStream(), -1n, [event]), append(fine, -1n, [newEvent()])];
    const outcomes = await appendGroup(log.pool, group);
    expect(outcomes).toMatchObject([{ error: { name: 'InvalidEvent' } }, { kind: 'appended' }]);
  });

  it('names the outcome unknown when the connection is lost on the way, and a retry settles it', async () => {
    const session = await log.session();
    const [stream, events] = [newStream(), [newEvent('A'), newEvent('B')] as const];
    await session.query('BEGIN');
    await appendWithin(session, stream, -1, [newEvent('Undone')]);
    const lost = log.store.append(stream, 'none', events).catch((error: unknown) => error);
    await untilBlocked(log.pool);
    await terminate(log.pool, `wait_event_type = 'Lock'`);
    expect(await lost).toBeInstanceOf(OutcomeUnknown);
    await session.query('ROLLBACK');
    expect((await log.store.append(stream, 'none', events)).revision).toBe(1n);
    expect((await log.store.append(stream, 'none', events)).revision).toBe(1n);
  });

  it('names every outcome of a group unknown when the connection is lost on the way', async () => {
    const session = await log.session();
    const streams = [newStream(), newStream()];
    await session.query('BEGIN');
    await appendWithin(session, streams[0]!, -1, [newEvent()]);
    const lost = appendGroup(
      log.pool,
      streams.map((stream) => append(stream, -1n, [newEvent()])),
    );
    await untilBlocked(log.pool);
    await terminate(log.pool, `wait_event_type = 'Lock'`);
    expect(await lost).toMatchObject([
      { error: { name: 'OutcomeUnknown' } },
      { error: { name: 'OutcomeUnknown' } },
    ]);
    await session.query('ROLLBACK');
    for (const stream of streams) expect(await log.store.readStream(stream)).toEqual([]);
  });

  const elsewhere = async (address: Parameters<typeof createDatabase>[0]): Promise<unknown> => {
    const { pool, close } = createDatabase(address);
    const store = createPostgresEventStore({ pool, wakeUp: { appended: () => {} } });
    const error: unknown = await store
      .append(newStream(), 'none', [newEvent()])
      .catch((failure: unknown) => failure);
    await close();
    return error;
  };

  it('is unavailable when no server answers', async () => {
    const address = { host: '127.0.0.1', port: 1, user: 'u', password: 'p', database: 'd' };
    expect(await elsewhere(address)).toBeInstanceOf(EventStoreUnavailable);
  });

  it('is unavailable while the database is read-only', async () => {
    const readOnly = await openLog();
    await readOnly.pool.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`,
    );
    expect(await elsewhere(readOnly.address)).toBeInstanceOf(EventStoreUnavailable);
    await readOnly.close();
  });
});
