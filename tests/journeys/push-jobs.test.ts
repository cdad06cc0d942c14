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

  it('that was complete before it saw the cancel has succeeded', async () => {
    const push = await openPush(tenant);
    await tenant.api('POST', `/pushes/${push.id}/cancel`);
    expect((await push.complete()).body).toMatchObject({ status: 'success' });
    const again = await tenant.api('POST', `/pushes/${push.id}/cancel`);
    expect([again.status, again.body.status]).toEqual([200, 'success']);
  });

  it('is one at a time, and an older one cannot be ended', async () => {
    const push = await openPush(tenant);
    expect(await push.open()).toMatchObject({ status: 200, body: { job_id: push.jobId } });
    await push.complete();
    const { body: next } = await push.open();
    expect((await push.complete()).body.error).toMatchObject({ type: 'conflict' });
    const unknown = await push.complete('01999999-9999-7999-8999-999999999999');
    expect([unknown.status, unknown.body.error.type]).toEqual([404, 'not_found']);
    const odd = await push.complete('nonsense');
    expect([odd.status, odd.body.error.type]).toEqual([400, 'invalid_id']);
    expect((await push.complete(next.job_id)).body).toMatchObject({ status: 'success' });
  });

  it('is opened once for each Idempotency-Key', async () => {
    const push = await openPush(tenant);
    await push.complete();
    const open = () =>
      tenant.api('POST', `/pushes/${push.id}/jobs`, undefined, { 'idempotency-key': 'nightly-1' });
    const first = await open();
    expect(first).toMatchObject({ status: 201, body: { status: 'managed' } });
    await push.complete(first.body.job_id);
    const again = await open();
    expect([again.status, again.body.job_id, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      first.body.job_id,
      'true',
    ]);
    expect((await push.record()).status).toBe('success');
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

  it('has no sync and no schedule', async () => {
    const push = await openPush(tenant);
    expect((await tenant.api('POST', `/pushes/${push.id}/sync`)).status).toBe(404);
    const scheduled = await tenant.api('POST', '/pushes', { name: 'x', rrule: 'FREQ=DAILY' });
    expect([scheduled.status, scheduled.body.error.type]).toEqual([400, 'invalid_request']);
  });
});
