import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deliveryAge } from '../../../../adapters/postgres/webhooks/webhook-deliveries.ts';
import { GIVE_UP_MS } from '../../../../domain/webhook/retry.ts';
import { OK, openWebhooks, refused } from '../../../support/webhooks.ts';
import { refusalOf } from '../../../support/decisions.ts';
import { callerOf, NOW } from '../../../support/conversations.ts';

let world: Awaited<ReturnType<typeof openWebhooks>>;
beforeAll(async () => {
  world = await openWebhooks();
});
afterAll(() => world.close());

const DAY = GIVE_UP_MS;
let [one, other] = ['', ''];
beforeEach(async () => {
  [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
  world.time.now = NOW;
  world.receiver.answer = () => OK;
  // Each test has webhooks of its own.
  for (const { id } of (await world.operations.list(world.caller, { limit: 100 })).rows)
    await world.seen((await world.operations.remove(world.caller, id)).position);
  world.received.length = 0;
});

/** A receiver that refuses these numbers. */
const refusing = (numbers: readonly number[], status = 500, askedMs = 0) => {
  world.receiver.answer = ({ body }) =>
    numbers.includes(JSON.parse(body).data.data.n) ? refused(status, askedMs) : OK;
};

describe('deliveries of a webhook', () => {
  it('are the events that match, from its creation on, as the log shows them', async () => {
    await world.append(one, [1]);
    const { id } = await world.create({ types: ['FactOfTomorrow'], description: 'Ours' });
    const { id: only } = await world.create({ sourceGroupIds: null, types: ['SourceIndexed'] });
    await world.append(one, [2, 3]);
    await world.append(other, [4], 'another tenant');
    await world.run();
    expect(world.received.map(({ url, data }) => [url, data['type']])).toStrictEqual([
      ['https://receiver.test/', 'FactOfTomorrow'],
      ['https://receiver.test/', 'FactOfTomorrow'],
    ]);
    const [{ id: messageId, body, data }] = world.received as [(typeof world.received)[0]];
    expect(messageId).toBe(data['id']);
    expect(JSON.parse(body)).toStrictEqual({
      type: 'FactOfTomorrow',
      timestamp: expect.stringMatching(/^20\d\d-.*Z$/),
      data: expect.objectContaining({ actor: expect.anything(), stream: expect.stringMatching(/^source-/) }),
    });
    expect((data['data'] as { title: string }).title).toBe('[name] 2');
    expect(await world.states(id)).toStrictEqual([
      ['delivered', 1, 204],
      ['delivered', 1, 204],
    ]);
    expect(await world.states(only)).toStrictEqual([]);
  });

  it('begin where the webhook says, with the data sources that it names', async () => {
    await world.append(one, [1]);
    const { position: from } = (await world.feed.readBack('', { tenant: 'acme' }, 1)).events[0]!;
    await world.append(one, [2]);
    await world.append(other, [3]);
    const registered = (await world.store.readStream(`dataSource-${one}`)).length;
    expect(registered).toBe(0);
    expect(await refusalOfAsync(() => world.create({ from, sourceGroupIds: [one] }))).toBe('not_found');
    await world.create({ from });
    await world.run();
    expect(world.taken()).toStrictEqual([2, 3]);
  });

  it('are of the data sources that the webhook names, and of no other', async () => {
    await world.register(one);
    await world.create({ sourceGroupIds: [one] });
    await world.append(one, [1]);
    await world.append(other, [2]);
    await world.append(one, [3]);
    await world.run();
    expect(world.taken()).toStrictEqual([1, 3]);
  });

  it('wait for the one before them while the receiver takes its time', async () => {
    await world.create();
    await world.append(one, [1, 2]);
    await world.append(other, [11]);
    const held = Promise.withResolvers<void>();
    world.receiver.answer = () => held.promise.then(() => OK);
    for (let looks = 0; looks < 3; looks += 1) await world.begin();
    await expect.poll(() => world.received.length).toBeGreaterThanOrEqual(2);
    await world.begin();
    expect(world.taken().toSorted((a, b) => Number(a) - Number(b))).toStrictEqual([1, 11]);
    held.resolve();
    await world.run();
    expect(world.taken()).toStrictEqual([2]);
  });

  it('keep the order of a data source, and a failure holds back no other one', async () => {
    const { id } = await world.create();
    refusing([1]);
    await world.append(one, [1, 2]);
    await world.append(other, [11, 12]);
    await world.append(one, [3]);
    await world.run();
    expect(new Set(world.taken())).toStrictEqual(new Set([1, 11, 12]));
    expect(await world.states(id)).toStrictEqual([
      ['pending', 1, 500],
      ['pending', 0, null],
      ['delivered', 1, 204],
      ['delivered', 1, 204],
      ['pending', 0, null],
    ]);
    refusing([]);
    world.time.now += 4_999;
    await world.run();
    expect(world.taken()).toStrictEqual([]);
    world.time.now += 1;
    await world.run();
    expect(world.taken()).toStrictEqual([1, 2, 3]);
  });

  it('are tried for a day, at the pace that the receiver asks for, each time with the same id', async () => {
    const { id } = await world.create();
    await world.append(one, [1]);
    await world.append(other, [2]);
    world.receiver.answer = ({ body }) =>
      JSON.parse(body).data.data.n === 1 ? refused(503, 3_600_000) : refused(500);
    await world.run();
    const [first] = world.received.filter(({ data }) => (data['data'] as { n: number }).n === 1);
    const { rows } = await world.operations.deliveries(world.caller, id, 'pending', { limit: 10 });
    expect(rows.map(({ nextAt }) => nextAt! - NOW)).toStrictEqual([5_000, 3_600_000]);
    world.time.now += 3_600_000;
    await world.run();
    expect(new Set(world.received.map(({ id: sent }) => sent)).size).toBe(2);
    expect(world.received.find(({ at }) => at > NOW)?.at).toBe(NOW + 3_600_000);
    expect(world.received.filter(({ id: sent }) => sent === first!.id)).toHaveLength(2);
  });

  it('die after a day, go on behind a dead one, and are delivered again when somebody asks', async () => {
    const { id } = await world.create();
    refusing([1]);
    await world.append(one, [1]);
    await world.run();
    world.time.now += DAY / 2;
    await world.append(other, [5]);
    await world.append(one, [2]);
    await world.run();
    world.time.now += DAY / 2;
    await world.run();
    expect(await world.states(id)).toStrictEqual([
      ['dead', 3, 500],
      ['delivered', 1, 204],
      ['delivered', 1, 204],
    ]);
    const [dead] = (await world.operations.deliveries(world.caller, id, 'dead', { limit: 1 })).rows;
    expect(dead).toMatchObject({ reason: 'the receiver answered 500', nextAt: null });
    world.taken();
    // It is refused again: neither it nor the webhook waits for the other.
    await world.operations.redeliver(world.caller, id, dead!.id);
    await world.append(one, [3]);
    await world.run();
    expect(new Set(world.taken())).toStrictEqual(new Set([1, 3]));
    refusing([]);
    await world.operations.redeliver(world.caller, id, dead!.id);
    await world.run();
    expect(world.taken()).toStrictEqual([1]);
    expect((await world.states(id)).every(([state]) => state === 'delivered')).toBe(true);
  });

  it('die unsent where the log has another event at their place', async () => {
    const { id } = await world.create();
    refusing([1]);
    await world.append(one, [1]);
    await world.run();
    expect(world.taken()).toEqual([1]);
    await sql`update work.webhook_delivery set id = ${crypto.randomUUID()} where webhook_id = ${id}`.execute(
      world.db,
    );
    world.receiver.answer = () => OK;
    world.time.now += 10_000;
    await world.run();
    expect(world.taken()).toEqual([]);
    expect(await world.states(id)).toEqual([['dead', 2, null]]);
  });

  it('stop when a day of failures or a 410 disables the webhook, and go on when it is enabled', async () => {
    const { id } = await world.create();
    await world.append(one, [1, 2]);
    const failing = async () => (await world.operations.get(world.caller, id)).failing;
    expect(await failing()).toBeUndefined();
    refusing([1]);
    await world.run();
    const fails = { since: NOW, reason: 'the receiver answered 500' };
    expect(await failing()).toStrictEqual(fails);
    const { rows } = await world.operations.list(world.caller, { limit: 1 });
    expect(rows[0]?.failing).toStrictEqual(fails);
    world.time.now += DAY;
    await world.run();
    const stopped = await world.operations.get(world.caller, id).then(async (record) => {
      await world.seen(await world.feed.head());
      return record.enabled ? world.operations.get(world.caller, id) : record;
    });
    expect(stopped).toMatchObject({
      enabled: false,
      disabled: { because: 'failing', detail: 'the receiver answered 500', at: NOW + DAY },
    });
    const { events } = await world.feed.readBack('', { stream: `webhook-${id}` }, 1);
    expect(events[0]).toMatchObject({ type: 'WebhookDisabled', metadata: { actor: { kind: 'worker' } } });
    expect(await failing()).toBeUndefined();
    world.taken();
    await world.append(one, [3]);
    await world.run();
    expect(world.taken()).toStrictEqual([]);
    expect(
      await refusalOfAsync(() => world.operations.redeliver(world.caller, id, crypto.randomUUID())),
    ).toBe('conflict');
    refusing([3], 410);
    world.time.now += 1;
    await world.change(id, { enabled: true });
    await world.run();
    expect(world.taken()).toStrictEqual([2, 3]);
    await world.seen(await world.feed.head());
    expect(await world.operations.get(world.caller, id)).toMatchObject({ disabled: { because: 'gone' } });
    refusing([]);
    world.time.now += 1;
    await world.change(id, { enabled: true });
    await world.run();
    expect(world.taken()).toStrictEqual([3]);
    expect(await failing()).toBeUndefined();
  });

  it('go on after any kill: each at least once, none before an earlier one of its source', async () => {
    await world.create();
    const all = Array.from({ length: 30 }, (_, n) => n + 1);
    await world.append(one, all);
    const died = new Set<number>();
    world.receiver.answer = ({ body }) => {
      const { n } = JSON.parse(body).data.data;
      if (n % 5 !== 0 || died.has(n)) return OK;
      died.add(n);
      // It was received, and the process dies before it records that.
      throw new Error('killed');
    };
    for (let kills = 0; kills < 8; kills += 1) {
      await world.run();
      world.restart();
    }
    const arrived = world.taken() as readonly number[];
    const firsts = arrived.filter((n, at) => arrived.indexOf(n) === at);
    expect(firsts).toStrictEqual(all);
    expect(arrived.length).toBe(all.length + died.size);
  });

  it('are signed by both secrets for a day after a rotation, then by the new one alone', async () => {
    const { id, secret } = await world.create();
    const rotated = await world.operations.rotateSecret(world.caller, id);
    await world.seen(rotated.position);
    const next = rotated.record.secret!;
    expect(next).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await world.append(one, [1]);
    await world.run();
    expect(world.received.pop()?.secrets).toStrictEqual([next, secret]);
    world.time.now += DAY;
    await world.append(one, [2]);
    await world.run();
    expect(world.received.pop()?.secrets).toStrictEqual([next]);
    const kept = await world.vault.writtenBetween({ olderMs: 0, youngerMs: DAY }, '', 100);
    expect(kept.find(({ owner }) => owner === `webhook-${id}`)?.ids).toHaveLength(1);
  });

  it('leave nothing behind when the webhook is deleted, nor when a week is over', async () => {
    const [{ id }, { id: kept }] = [await world.create(), await world.create()];
    refusing([2]);
    await world.append(one, [1, 2]);
    await world.run();
    await world.seen((await world.operations.remove(world.caller, id)).position);
    await world.run();
    const { rows } = await world.deliveries.list(id, undefined, { limit: 10 });
    expect(rows).toStrictEqual([]);
    expect(await world.vault.read('acme', `webhook-${id}`, [])).toBeNull();
    expect(await world.states(kept)).toHaveLength(2);
    world.time.now += 7 * DAY + 1;
    refusing([]);
    await world.run();
    expect((await world.states(kept)).map(([state]) => state)).toStrictEqual(['delivered']);
  });
});

describe('a webhook', () => {
  it('is a matter of keys that may read the whole log', async () => {
    const restricted = callerOf('acme', [one]);
    const unread = { ...world.caller, grant: { scopes: ['webhooks:manage'], sourceGroupIds: null } } as const;
    const { id } = await world.create();
    const request = { url: 'https://a.test', description: '', types: null, categories: null } as const;
    const create = (by: typeof world.caller) =>
      world.operations.create(by, { ...request, sourceGroupIds: null, from: undefined }, undefined);
    expect(await refusalOfAsync(() => create(restricted))).toBe('key_restricted');
    expect(await refusalOfAsync(() => create(unread))).toBe('scope_not_grantable');
    expect(await refusalOfAsync(() => world.operations.change(unread, id, { types: null }))).toBe(
      'scope_not_grantable',
    );
    for (const stranger of [callerOf('other')])
      for (const ask of [
        () => world.operations.get(stranger, id),
        () => world.operations.deliveries(stranger, id, undefined, { limit: 1 }),
        () => world.operations.rotateSecret(stranger, id),
        () => world.operations.test(stranger, id),
        () => world.operations.remove(stranger, id),
        () => world.operations.redeliver(stranger, id, one),
      ])
        expect(await refusalOfAsync(ask)).toBe('not_found');
  });

  it('answers a repeated creation with the same secret', async () => {
    const request = { url: 'https://a.test', description: '', types: null, categories: null } as const;
    const create = (url: string) =>
      world.operations.create(
        world.caller,
        { ...request, url, sourceGroupIds: null, from: undefined },
        `key ${one}`,
      );
    const first = await create('https://a.test');
    const again = await create('https://a.test');
    expect(again).toMatchObject({ replayed: true, record: first.record });
    expect(await refusalOfAsync(() => create('https://b.test'))).toBe('idempotency_conflict');
  });
});

const refusalOfAsync = async (ask: () => Promise<unknown>): Promise<string | null> => {
  let failure: unknown;
  await ask().catch((error: unknown) => {
    failure = error;
  });
  return refusalOf(() => {
    if (failure !== undefined) throw failure;
  });
};

describe('the age of what is to be delivered', () => {
  it('is that of the oldest event which an enabled webhook of the tenant has still to get', async () => {
    const ages = async () => [
      await deliveryAge(world.db, NOW + 9_000),
      await deliveryAge(world.db, NOW + 9_000, 'acme'),
      await deliveryAge(world.db, NOW + 9_000, 'another tenant'),
    ];
    const { id } = await world.create();
    expect(await ages()).toEqual([0, 0, 0]);
    refusing([1]);
    await world.append(one, [1]);
    await world.append(other, [2]);
    await world.run();
    expect(await ages()).toEqual([9, 9, 0]);
    await world.change(id, { enabled: false });
    expect(await ages()).toEqual([0, 0, 0]);
  });
});
