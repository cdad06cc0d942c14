import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../../adapters/memory/event-store.ts';
import type { Caller } from '../../../application/caller.ts';
import { type AuditEntry, createAuditTrail } from '../../../application/data-source/audit-trail.ts';
import { createEventCodec } from '../../../application/event-codec.ts';
import { createExecute } from '../../../application/execute.ts';
import { dataSourceStream } from '../../../application/streams.ts';
import { dataSource } from '../../../domain/data-source/index.ts';
import {
  begun,
  claimed,
  completed,
  created,
  retried,
  START,
  type Step,
  STEP_MS,
  synced,
} from '../../domain/data-source/job-steps.ts';
import { countingIds } from '../../support/ids.ts';
import { CALLER, ID } from '../ingestion/worker-on-a-job.ts';

const caller: Caller = {
  keyId: 'k',
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
    page: (after?: bigint) =>
      trail.page(caller, 'crawl', ID, { limit: 100, ...(after !== undefined && { after }) }),
    follow: (after?: bigint) =>
      trail.follow(caller, 'crawl', ID, {
        signal: new AbortController().signal,
        ...(after !== undefined && { after }),
      }),
  };
};
const TWICE = [created, claimed, begun, retried(), claimed, begun, completed, synced, claimed];
const told = ({ type, attempt }: AuditEntry) => [type, attempt];

describe('the audit trail', () => {
  it('says of each entry which attempt of its job it belongs to', async () => {
    const { page } = await trailOf(...TWICE);
    expect((await page()).rows.map(told)).toEqual([
      ['DataSourceRegistered', null],
      ['JobQueued', 1],
      ['JobClaimed', 1],
      ['JobStarted', 1],
      ['JobRequeued', 2],
      ['JobClaimed', 2],
      ['JobStarted', 2],
      ['JobSucceeded', 2],
      ['JobQueued', 1],
      ['JobClaimed', 1],
    ]);
  });

  it('says the same from any entry on', async () => {
    const { page } = await trailOf(...TWICE);
    const { rows } = await page(4n);
    expect(rows.map(told)[0]).toEqual(['JobClaimed', 2]);
    expect(rows).toEqual((await page()).rows.slice(5));
  });

  it('takes the last entry as a cursor, and nothing beyond it', async () => {
    const { page, follow } = await trailOf(created, claimed);
    expect((await page(2n)).rows).toEqual([]);
    for (const beyond of [3n, 4n]) {
      await expect(page(beyond)).rejects.toMatchObject({ code: 'invalid_cursor' });
      await expect(follow(beyond)).rejects.toMatchObject({ code: 'invalid_cursor' });
    }
  });
});
