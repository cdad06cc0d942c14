import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPostgresEventFeed } from '../../../adapters/postgres/event-feed.ts';
import { createKeptCheckpoints } from '../../../adapters/postgres/log-tree/checkpoints.ts';
import { createLogTree } from '../../../adapters/postgres/log-tree/log-tree.ts';
import { logTreeProjection } from '../../../adapters/postgres/log-tree/projection.ts';
import { rebuild } from '../../../adapters/postgres/projections/rebuild.ts';
import { ed25519Signer, sha256Bytes, verifyEd25519 } from '../../../adapters/system/proof.ts';
import { createCheckpointMaker } from '../../../application/audit/checkpoints.ts';
import { verifyLog, type VerifyRequest } from '../../../application/audit/verify-log.ts';
import type { EventFeed, NewEvent, RecordedEvent } from '../../../application/ports/event-store.ts';
import { eventOf } from '../../support/log-proof.ts';
import { openWorld, type World } from '../../support/world.ts';

const NEVER = new AbortController().signal;

let world: World;
beforeEach(async () => {
  world = await openWorld([logTreeProjection]);
});
afterEach(() => world.close());

const open = () => {
  const [tree, kept] = [createLogTree(world.db), createKeptCheckpoints(world.db)];
  const makeBy = (seed: number) =>
    createCheckpointMaker({
      tree,
      kept,
      sha256: sha256Bytes,
      signer: async () => ed25519Signer(Buffer.alloc(32, seed)),
      originOf: async (tenant) => `log.example/${tenant}`,
      clock: { now: () => 1_000 + seed },
    });
  const make = makeBy(7);
  // That of the world keeps what it has read.
  const feed = createPostgresEventFeed({ pool: world.pool, wakeUp: { subscribe: () => () => {} } });
  const check = (request: Partial<VerifyRequest> = {}) =>
    verifyLog(
      { feed, tree, kept, sha256: sha256Bytes, verify: verifyEd25519 },
      { outside: new Map(), onProgress: () => {}, signal: NEVER, ...request },
    );
  const append = async (tenant: string, events: number): Promise<void> => {
    for (let n = 0; n < events; n += 10) {
      const given = Array.from({ length: Math.min(10, events - n) }, (_, at) =>
        eventOf(tenant, { n: n + at }),
      );
      const { position } = await world.store.append(
        `source-${crypto.randomUUID()}`,
        'none',
        given as [NewEvent, ...NewEvent[]],
      );
      last = position;
    }
    expect(await world.gate.reached(['log_tree'], last, 20_000)).toBe(true);
  };
  let last = '';
  return {
    feed,
    tree,
    kept,
    make,
    makeBy,
    check,
    append,
    eventAt: async (index: number) => (await world.feed.read('', { tenant: 'acme' }, 10_000)).events[index]!,
  };
};
const remake = (feed: EventFeed) => rebuild({ ...world.deps, feed }, logTreeProjection, NEVER);

/** A log of two tenants, with three checkpoints of one: of 100, 400 and 700 events. */
const signed = async () => {
  const log = open();
  world.project(logTreeProjection);
  await log.append('acme', 100);
  const first = await log.make('acme');
  await log.append('other', 40);
  await log.append('acme', 300);
  await log.make('acme');
  await log.append('acme', 300);
  const newest = await log.make('acme');
  expect([first.size, newest.size]).toEqual([100, 700]);
  return { ...log, first, newest };
};

describe('a log that nobody has touched', () => {
  it('agrees with its tree and every checkpoint, from the beginning or from one of them', async () => {
    const { feed, check, first } = await signed();
    expect(await check()).toEqual({ tenants: 2, events: 740, checkpoints: 3, differences: [] });
    const since = await check({ tenant: 'acme', since: first });
    expect(since).toEqual({ tenants: 1, events: 600, checkpoints: 2, differences: [] });
    await remake(feed);
    expect((await check({ tenant: 'acme' })).differences).toEqual([]);
  });

  it('has one checkpoint of each size, and goes on from the last', async () => {
    const { make, kept, append } = await signed();
    await Promise.all([make('acme'), make('acme'), make('acme')]);
    await append('acme', 1);
    const sizes = async () => (await kept.list('acme', 0, 10)).map(({ size }) => size);
    expect(await sizes()).toEqual([100, 400, 700]);
    await Promise.all([make('acme'), make('acme')]);
    expect(await sizes()).toEqual([100, 400, 700, 701]);
    expect(await kept.keys()).toHaveLength(1);
  });
});

it('a key in the place of another signs from then on, and both verify what they signed', async () => {
  const { append, check, kept, makeBy } = await signed();
  await append('acme', 1);
  const next = await makeBy(8)('acme');
  expect([next.size, (await kept.keys()).map(({ since }) => since)]).toEqual([701, [1_008, 1_007]]);
  expect(await check({ tenant: 'acme' })).toMatchObject({ checkpoints: 4, differences: [] });
});

describe('of a log that somebody has changed, verification names', () => {
  const change = (statement: string) => sql.raw(statement).execute(world.db);

  it('an edited event, though the tree is kept, and once it is made anew the span of it', async () => {
    const { feed, check, eventAt, make, append } = await signed();
    const { id, stream, revision, position } = await eventAt(150);
    await change(`update es.events set data = '{"n":151}' where event_id = '${id}'`);
    const [difference] = (await check()).differences;
    expect(difference).toMatchObject({
      tenant: 'acme',
      kind: 'edited',
      index: 150,
      at: { stream, revision, position },
    });
    await remake(feed);
    const [span] = (await check()).differences;
    expect(span).toMatchObject({ kind: 'rewritten', index: 100, at: await placeOf(eventAt(100)) });
    await append('acme', 1);
    await expect(make('acme')).rejects.toThrow('is not the one that was signed at size 700');
  });

  it('a removed event, and the end that is missing', async () => {
    const { check, eventAt } = await signed();
    const gone = await eventAt(255);
    await change(`delete from es.events where event_id = '${gone.id}'`);
    const at = await placeOf(gone);
    expect((await check()).differences).toMatchObject([{ kind: 'removed', index: 255, at }]);
    expect((await check({ tenant: 'other' })).differences).toEqual([]);
  });

  it('two that changed places', async () => {
    const { check, eventAt } = await signed();
    const [one, other] = [await eventAt(10), await eventAt(300)];
    const swap = `update es.events set tx = case event_id when '${one.id}' then o.tx else s.tx end,
      pos = case event_id when '${one.id}' then o.pos else s.pos end
      from (select tx, pos from es.events where event_id = '${one.id}') s,
        (select tx, pos from es.events where event_id = '${other.id}') o
      where event_id in ('${one.id}', '${other.id}')`;
    await change('drop index es.events_order');
    await change(swap);
    await change('create unique index events_order on es.events (tx, pos)');
    expect((await check()).differences).toMatchObject([{ kind: 'moved', index: 10, at: await placeOf(one) }]);
  });

  it('an inserted one', async () => {
    const { check, eventAt } = await signed();
    const before = await eventAt(99);
    await change(`insert into es.events (tx, pos, stream, category, revision, event_id, type, tenant, data, metadata, recorded_at)
      select tx, pos + 1000, 'source-${crypto.randomUUID()}', category, 0, gen_random_uuid(), type, tenant, data, metadata,
        recorded_at from es.events where event_id = '${before.id}'`);
    expect((await check()).differences).toMatchObject([
      { kind: 'inserted', index: 100, at: { revision: 0n, stream: expect.stringContaining('source-') } },
    ]);
  });

  it('an end that was cut off, by the tree, by a kept checkpoint, or by one that was kept elsewhere', async () => {
    const { feed, check, eventAt, newest } = await signed();
    const at = await placeOf(eventAt(690));
    const { position } = await eventAt(690);
    const [tx, pos] = position.split(':').map(Number);
    await change(`delete from es.events where tenant = 'acme' and (tx, pos) >= (${tx}, ${pos})`);
    expect((await check()).differences).toMatchObject([{ kind: 'truncated', index: 690, at }]);
    await remake(feed);
    expect((await check()).differences).toMatchObject([{ kind: 'truncated', index: 690, at: null }]);
    await change(`delete from proof.checkpoint where size = 700`);
    expect((await check()).differences).toEqual([]);
    const outside = new Map([['acme', [newest]]]);
    expect((await check({ outside })).differences).toMatchObject([{ kind: 'truncated', index: 690 }]);
  });

  it('a log that was written anew with a fresh tree and fresh checkpoints, by one that was kept elsewhere', async () => {
    const { feed, check, eventAt, make, newest } = await signed();
    const { id } = await eventAt(5);
    await change(`update es.events set data = '{"n":-1}' where event_id = '${id}'`);
    await remake(feed);
    await change('delete from proof.checkpoint');
    await make('acme');
    expect((await check()).differences).toEqual([]);
    const outside = new Map([['acme', [newest]]]);
    expect((await check({ outside })).differences).toMatchObject([{ kind: 'rewritten', index: 0 }]);
  });

  it('a checkpoint that nobody signed', async () => {
    const { check } = await signed();
    await change(
      `update proof.checkpoint set note = replace(note, E'\\n400\\n', E'\\n399\\n') where size = 400`,
    );
    expect((await check()).differences).toMatchObject([{ kind: 'forged', index: 400 }]);
  });
});

const placeOf = async (event: RecordedEvent | Promise<RecordedEvent>) => {
  const { stream, revision, position } = await event;
  return { stream, revision, position };
};
