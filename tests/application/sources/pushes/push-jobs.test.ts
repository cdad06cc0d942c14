import { dataSourceStream } from '../../../../application/event-sourcing/streams.ts';
import { callerOf } from '../../../support/conversations.ts';
import { idOf } from '../../../support/memory-parts.ts';
import { type PushWorld, openPushWorld } from '../../../support/push-world.ts';
import { ACME, openedPush } from '../../../support/pushes-in-memory.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ERROR = { title: 'Closed', message: 'no answer' };

type Opened = Awaited<ReturnType<typeof openedPush>>;

const complete = async ({ one, id, jobId }: Opened) => one.jobs.complete(ACME, id, jobId);

const fail = async ({ one, id, jobId }: Opened) => one.jobs.fail(ACME, id, jobId, ERROR);

const send = ({ world, id }: Opened, type: string) => world.command(id, { type, at: world.time.now });

describe('a job of a push that is opened', () => {
  it('is under way, reported by whoever has the key, and looks for changes alone', async () => {
    const all = await openedPush();
    await complete(all);
    const { record, changed, position } = await all.one.jobs.open(ACME, all.id, undefined);
    expect([record.name, record.row.status, record.row.generation, changed]).toEqual([
      'Feed',
      'managed',
      2,
      true,
    ]);
    expect(record.row.jobId).not.toBe(all.jobId);
    expect(position).toBe(await all.world.store.head());
    const stored = await all.world.stored(dataSourceStream(all.id));
    expect(stored.slice(-2)).toMatchObject([
      {
        type: 'JobQueued',
        trigger: 'push',
        mode: 'incremental',
        job_id: record.row.jobId,
        at: all.world.time.now,
      },
      { type: 'JobHandedOff', executor: 'api_key:key-1', external_id: '' },
    ]);
  });

  it('is one for each key, as it is by now where the request comes again', async () => {
    const all = await openedPush();
    await complete(all);
    const first = await all.one.jobs.open(ACME, all.id, 'key');
    const { jobId } = first.record.row;
    await all.one.jobs.complete(ACME, all.id, jobId);
    const again = await all.one.jobs.open(ACME, all.id, 'key');
    expect([first.replayed, again.replayed, again.changed]).toEqual([false, true, false]);
    expect(again.record.row).toMatchObject({ jobId, status: 'success' });
    expect((await all.one.jobs.open(ACME, all.id, 'other')).record.row.generation).toBe(3);
  });

  it('is opened by the same request again where the first was broken off before', async () => {
    const all = await openedPush();
    await complete(all);
    const { world } = all;
    const breaking = world.open({
      execute: Object.assign(
        async (...[fold, stream, command, ...rest]: Parameters<typeof world.execute>) => {
          if ((command as { type: string }).type === 'enqueue') throw new Error('killed');
          return world.execute(fold, stream, command, ...rest);
        },
        world.execute,
      ),
    });
    await expect(breaking.jobs.open(ACME, all.id, 'key')).rejects.toThrow('killed');
    const again = await all.one.jobs.open(ACME, all.id, 'key');
    expect(again.record.row).toMatchObject({ status: 'managed', generation: 2 });
  });

  it('does not take the key of another push', async () => {
    const all = await openedPush();
    const other = await all.one.create();
    await all.one.jobs.open(ACME, all.id, 'key');
    await expect(all.one.jobs.open(ACME, other.id, 'key')).rejects.toMatchObject({
      code: 'idempotency_conflict',
    });
  });
});

describe('a job that its executor completes', () => {
  it('has succeeded with all that was brought, once a search finds it', async () => {
    const all = await openedPush();
    await all.one.put(all.id, 'a.txt', 'A\n1');
    await all.one.put(all.id, 'b.txt', '!broken');
    all.world.awaited.length = 0;
    const { record, changed, position } = await complete(all);
    expect(record.row).toMatchObject({ status: 'success', error: null });
    expect(record.row.counts).toMatchObject({ seen: 2, indexed: 1, failed: 1 });
    expect([changed, position]).toEqual([true, await all.world.store.head()]);
    expect(all.world.awaited).toEqual(['catalog']);
  });

  it('has succeeded also where it was given up for lost', async () => {
    const all = await openedPush();
    await all.one.put(all.id, 'a.txt', 'A\n1');
    await send(all, 'lost');
    const { record } = await complete(all);
    expect(record.row).toMatchObject({ status: 'success', error: null });
    expect((await all.world.stored(dataSourceStream(all.id))).at(-1)).toMatchObject({
      type: 'JobStatusReconciled',
      status: 'success',
      counts: { seen: 1, indexed: 1 },
      at: all.world.time.now,
    });
  });

  it('has succeeded where the catalog is behind too', async () => {
    const all = await openedPush();
    await all.one.put(all.id, 'a.txt', 'Former\n1');
    const behind = all.world.open({ gate: { reached: async () => false } });
    const { record } = await behind.jobs.complete(ACME, all.id, all.jobId);
    expect(record.row.status).toBe('success');
  });

  it('is not ended by a process that others may have taken for gone', async () => {
    const all = await openedPush();
    const late = all.world.open({
      gate: {
        reached: async () => {
          all.world.time.now += 60_000;
          return true;
        },
      },
    });
    await expect(late.jobs.complete(ACME, all.id, all.jobId)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'this took too long: try again',
    });
    expect((await all.world.eventsOf(all.id)).at(-1)).not.toBe('JobSucceeded');
  });
});

describe('a job that its executor gives up', () => {
  it('has failed as is said of it', async () => {
    const all = await openedPush();
    await all.one.put(all.id, 'a.txt', 'A\n1');
    const { record, changed } = await fail(all);
    expect(record.row).toMatchObject({ status: 'failure', error: ERROR });
    expect([record.row.counts.seen, changed]).toEqual([1, true]);
    expect((await all.world.stored(dataSourceStream(all.id))).at(-1)).toMatchObject({
      type: 'JobFailed',
      code: 'reported',
    });
  });

  it('is canceled where it was to be, and that is its answer too', async () => {
    const all = await openedPush();
    await send(all, 'cancel');
    expect((await fail(all)).record.row.status).toBe('canceled');
    expect((await fail(all)).changed).toBe(false);
  });

  it.each([
    ['failed', [] as const, 'failure', ERROR],
    ['canceled', ['cancel'] as const, 'canceled', null],
  ])('has %s where it was given up for lost', async (_, before, status, error) => {
    const all = await openedPush();
    for (const type of before) await send(all, type);
    await send(all, 'lost');
    expect((await fail(all)).record.row.status).toBe(status);
    expect((await all.world.stored(dataSourceStream(all.id))).at(-1)).toMatchObject({
      type: 'JobStatusReconciled',
      status,
      ...(error !== null && { error }),
    });
  });
});

describe('the end of a job', () => {
  it('is refused where another has followed it, or where it is none of this push', async () => {
    const all = await openedPush();
    await complete(all);
    const next = (await all.one.jobs.open(ACME, all.id, undefined)).record.row.jobId;
    await expect(complete(all)).rejects.toMatchObject({
      code: 'conflict',
      message: `this job was followed by another: ${next}`,
    });
    await expect(all.one.jobs.fail(ACME, all.id, idOf(9), ERROR)).rejects.toMatchObject({
      code: 'not_found',
      message: 'there is no such job of this push',
    });
    const other = await all.one.create();
    await expect(all.one.jobs.complete(ACME, all.id, other.jobId)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it.each(['deleting', 'delete_job_failure'])('is refused where the push is %s', async (status) => {
    const all = await openedPush();
    await send(all, 'delete');
    if (status === 'delete_job_failure')
      await all.world.command(all.id, { type: 'delete_failed', error: ERROR, at: all.world.time.now });
    await expect(complete(all)).rejects.toMatchObject({
      code: 'source_deleting',
      message: 'the push is being deleted, which has ended its job',
    });
  });

  it('is said of pushes alone, by whoever may see them', async () => {
    const { world, one, id, jobId } = await openedPush();
    const missing = { code: 'not_found', message: 'there is no such push' };
    await expect(one.jobs.complete(callerOf('other'), id, jobId)).rejects.toMatchObject(missing);
    await expect(one.jobs.complete(callerOf('acme', [idOf(9)]), id, jobId)).rejects.toMatchObject(missing);
    const registration = {
      subject: { kind: 'crawl', startUrl: 'https://a.example/' },
      ingestionSettingId: idOf(1),
      metadata: [],
      ready: true,
    };
    const crawl = { type: 'enqueue', registration, jobId: idOf(3), trigger: 'create', mode: 'full', at: 1 };
    await world.command(idOf(2), crawl);
    await expect(one.jobs.complete(ACME, idOf(2), idOf(3))).rejects.toMatchObject(missing);
  });
});

let world: PushWorld;

beforeAll(async () => {
  world = await openPushWorld();
}, 120_000);

afterAll(() => world?.close());
