import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../../support/memory/event-store.ts';
import type { Caller } from '../../../../application/access/caller.ts';
import {
  type AuditEntry,
  createAuditTrail,
} from '../../../../application/sources/data-sources/audit-trail.ts';
import { createEventCodec } from '../../../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../../../application/event-sourcing/execute.ts';
import { dataSourceStream } from '../../../../application/event-sourcing/streams.ts';
import { dataSource } from '../../../../domain/data-source/index.ts';
import { claimed, created, START, type Step, STEP_MS } from '../../../domain/data-source/job-steps.ts';
import { countingIds } from '../../../support/ids.ts';
import { CALLER, ID } from '../ingestion/worker-on-a-job.ts';

const caller: Caller = {
  id: 'k',
  tenant: 'acme',
  grant: { scopes: [], sourceGroupIds: null },
  context: CALLER,
};

/** The trail of a crawl after these steps. */
const trailOf = async (...steps: readonly Step[]) => {
  const store = createMemoryEventStore(() => START);
  const codec = createEventCodec();
  const execute = createExecute({ store, codec, ids: countingIds() });
  let state = dataSource.initial;
  for (const [i, step] of steps.entries()) {
    const command = step(state, START + i * STEP_MS);
    ({ state } = await execute(dataSource, dataSourceStream(ID), command, CALLER));
  }
  const trail = createAuditTrail({ store, feed: store, codec });
  return {
    store,
    trail,
    page: (after?: bigint) =>
      trail.page(caller, 'crawl', ID, { limit: 100, ...(after !== undefined && { after }) }),
    follow: (after?: bigint) =>
      trail.follow(caller, 'crawl', ID, {
        signal: new AbortController().signal,
        ...(after !== undefined && { after }),
      }),
  };
};
const never = (): AbortSignal => new AbortController().signal;

describe('the audit trail', () => {
  it('takes the last entry as a cursor, and nothing beyond it', async () => {
    const { page, follow } = await trailOf(created, claimed);
    expect((await page(2n)).rows).toEqual([]);
    for (const beyond of [3n, 4n]) {
      await expect(page(beyond)).rejects.toMatchObject({
        code: 'invalid_cursor',
        message: `this audit trail has no event ${beyond}: the last is 2`,
      });
      await expect(follow(beyond)).rejects.toMatchObject({ code: 'invalid_cursor' });
    }
  });

  it('comes in pages, which say whether there are more', async () => {
    const { trail } = await trailOf(created, claimed);
    const page = async (limit: number, after?: bigint) => {
      const { rows, hasMore, total } = await trail.page(caller, 'crawl', ID, {
        limit,
        ...(after !== undefined && { after }),
      });
      return [rows.map(({ revision }) => Number(revision)), hasMore, total];
    };
    expect(await page(2)).toEqual([[0, 1], true, 3]);
    expect(await page(3)).toEqual([[0, 1, 2], false, 3]);
    expect(await page(1, 0n)).toEqual([[1], true, 3]);
    expect(await page(2, 0n)).toEqual([[1, 2], false, 3]);
  });

  it('says who did what, when, and to which status', async () => {
    const { page, store } = await trailOf(created, claimed);
    const [first, , last] = (await page()).rows;
    expect(first).toMatchObject({
      type: 'DataSourceRegistered',
      recordedAt: START,
      actor: { kind: 'api_key', id: 'k' },
      jobId: `job-${START}`,
      fromStatus: null,
      traceId: '0af7651916cd43dd8448eb211c80319c',
      data: {
        subject: { kind: 'crawl', start_url: 'https://a.example/' },
        ingestion_setting_id: 'setting-1',
      },
    });
    expect(last).toMatchObject({ type: 'JobClaimed', jobId: `job-${START}`, fromStatus: 'queued' });
    expect(last!.position).toBe((await store.readStream(dataSourceStream(ID))).at(-1)!.position);
    expect(Object.keys(first!.data)).not.toContain('type');
  });

  it('is of nobody else, and of no other kind', async () => {
    const { trail, store } = await trailOf(created);
    const wanting = [
      [{ ...caller, tenant: 'other' }, 'crawl', ID],
      [{ ...caller, grant: { scopes: [], sourceGroupIds: ['another'] } }, 'crawl', ID],
      [caller, 'drive', ID],
      [caller, 'crawl', ID.replace('0', '1')],
    ] as const;
    for (const [by, kind, id] of wanting) {
      const as = kind as 'crawl';
      await expect(trail.page(by, as, id, { limit: 9 })).rejects.toMatchObject({ code: 'not_found' });
      await expect(trail.follow(by, as, id, { signal: never() })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
    const own = { ...caller, grant: { scopes: [], sourceGroupIds: [ID] } };
    expect((await trail.page(own, 'crawl', ID, { limit: 9 })).total).toBe(2);
    // A stream that does not begin as one of a data source is none.
    const [, queued] = await store.readStream(dataSourceStream(ID));
    const odd = ID.replace('0', '2');
    await store.append(dataSourceStream(odd), 'none', [{ ...queued!, id: crypto.randomUUID() }]);
    await expect(trail.page(caller, 'crawl', odd, { limit: 9 })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is followed from any entry on, and each entry comes once', async () => {
    const { trail, page, store } = await trailOf(created, claimed);
    const all = (await page()).rows;
    const followed = async (count: number, after?: bigint) => {
      const stop = new AbortController();
      const entries: AuditEntry[] = [];
      const from = { signal: stop.signal, ...(after !== undefined && { after }) };
      for await (const entry of await trail.follow(caller, 'crawl', ID, from)) {
        entries.push(entry);
        if (entries.length === count) stop.abort();
      }
      return entries;
    };
    expect(await followed(3)).toEqual(all);
    expect(await followed(2, 0n)).toEqual(all.slice(1));
    // What comes is told as well, and nothing of other streams.
    const [first, , last] = await store.readStream(dataSourceStream(ID));
    const newer = {
      ...last!,
      id: crypto.randomUUID(),
      type: 'JobPainted',
      data: { colour_of_it: 'red', attempt: 7, job_id: 'x' },
    };
    await store.append('tag-1', 'none', [{ ...first!, id: crypto.randomUUID() }]);
    const following = followed(2, 1n);
    // It has come to the end of what there is.
    for (let n = 0; n < 5; n += 1) await new Promise(setImmediate);
    await store.append(dataSourceStream(ID), 2n, [newer]);
    const [, painted] = await following;
    // Of an event that a newer version wrote it can only be told what stands there.
    expect(painted).toMatchObject({
      revision: 3n,
      type: 'JobPainted',
      data: { colour_of_it: 'red' },
      toStatus: 'unknown',
      jobId: null,
      attempt: null,
    });
    expect((await page()).rows.at(-1)).toEqual(painted);
  });
});
