import { beforeAll, describe, expect, it } from 'vitest';
import { appendEvent } from '../support/event-log.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { openPush } from '../support/pushes.ts';

const journey = openJourney();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await journey.tenant();
}, 120_000);

describe('a job of a push', { timeout: 180_000 }, () => {
  it('fails with what its executor says, and what it brought stays', async () => {
    const push = await openPush(tenant);
    const { body: source } = await push.put('a.md', '# A\n\ntext');
    const failed = await push.fail();
    expect(failed.body).toMatchObject({
      status: 'failure',
      error: { title: 'Shop closed', message: 'the shop did not answer' },
      progress: { indexed: 1 },
    });
    expect((await push.fail()).body).toEqual(failed.body);
    expect((await push.complete()).body.error).toMatchObject({ type: 'conflict' });
    expect((await tenant.api('GET', `/sources/${source.id}`)).status).toBe(200);
    expect((await push.remove('a.md')).body.error).toMatchObject({ type: 'conflict' });
  });

  it('that is to be canceled takes no more, and ends by the word of its executor', async () => {
    const push = await openPush(tenant);
    expect(await tenant.api('POST', `/pushes/${push.id}/cancel`)).toMatchObject({
      status: 202,
      body: { status: 'canceling' },
    });
    const late = await push.put('a.md', '# A');
    expect([late.status, late.body.error.message]).toEqual([409, expect.stringContaining('/fail')]);
    expect((await push.open()).status).toBe(409);
    expect((await push.fail()).body).toMatchObject({ status: 'canceled' });
    expect((await push.fail()).body).toMatchObject({ status: 'canceled' });
    expect((await push.open()).body).toMatchObject({ status: 'managed' });
  });

  it('is unknown while its executor is silent, and managed again with the next report', async () => {
    const push = await openPush(tenant);
    await push.put('a.md', '# A\n\ntext');
    await appendEvent(tenant, `dataSource-${push.id}`, 'JobStatusLost', {
      job_id: push.jobId,
      at: Date.now(),
    });
    await expect.poll(async () => (await push.record()).status, { timeout: 30_000 }).toBe('unknown');
    const { body: list } = await tenant.api('GET', '/pushes?status=unknown');
    expect(list.pushes).toMatchObject([{ id: push.id, status: 'unknown' }]);
    expect((await push.put('b.md', '# B\n\ntext')).status).toBe(200);
    await expect.poll(async () => (await push.record()).status, { timeout: 30_000 }).toBe('managed');
    expect((await push.events()).slice(-2)).toContain('JobStatusReconciled');
    expect((await push.complete()).body).toMatchObject({ status: 'success', progress: { indexed: 2 } });
  });

  it('is told of in the audit trail, by the key that reports', async () => {
    const push = await openPush(tenant);
    await push.complete();
    const { body } = await tenant.api('GET', `/pushes/${push.id}/events`);
    expect(
      body.events.map(({ type, to_status, actor }: { type: string; to_status: string; actor: object }) => [
        type,
        to_status,
        actor,
      ]),
    ).toEqual(
      [
        ['DataSourceRegistered', 'not_started'],
        ['JobQueued', 'queued'],
        ['JobHandedOff', 'managed'],
        ['JobSucceeded', 'success'],
      ].map(([type, status]) => [type, status, { kind: 'api_key', id: expect.any(String) }]),
    );
  });
});
