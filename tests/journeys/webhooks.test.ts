import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyWebhook } from '../../clients/typescript/src/index.ts';
import { eventually } from '../support/eventually.ts';
import { openJourney } from '../support/journey.ts';
import { holding, onDisk } from '../support/on-disk.ts';
import type { Service } from '../support/service.ts';
import { openReceiver } from '../support/webhook-receiver.ts';

const journey = openJourney();
let status = 204;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let service: Service;
beforeAll(async () => {
  receiver = await openReceiver(() => status);
  service = await journey.service({ KNOWLEDGER_ALLOW_ADDRESSES: receiver.host });
});
afterAll(() => receiver.close());

it('sends what happens, signed, and tells of each delivery', { timeout: 180_000 }, async () => {
  const refused = await service.api('POST', '/webhooks', { url: 'http://127.0.0.1:1/hook' });
  expect([refused.status, refused.body.error.type]).toEqual([422, 'url_not_allowed']);
  const { status: created, body: hook } = await service.api('POST', '/webhooks', {
    url: receiver.url,
    categories: ['tag'],
  });
  expect(created).toBe(201);
  const path = `/webhooks/${hook.id}`;
  const { body: rotated } = await service.api('POST', `${path}/rotate-secret`);
  await service.post('/tags', { body: { name: 'birds' } });
  await eventually(
    async () => receiver.received.length,
    (n) => n === 1,
  );
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
  for (const secret of [hook.secret, rotated.secret])
    expect(await verifyWebhook(secret, headers, body)).toMatchObject({
      type: 'TagCreated',
      data: { id: headers['webhook-id'], type: 'TagCreated', data: { name: 'birds' } },
    });
  const { deliveries } = await eventually(
    async () => (await service.api('GET', `${path}/deliveries`)).body,
    (listed) => listed.deliveries[0]?.state === 'delivered',
  );
  expect(deliveries).toMatchObject([{ id: headers['webhook-id'], status: 204, attempts: 1 }]);

  status = 410;
  await service.post('/tags', { body: { name: 'fish' } });
  const disabled = await eventually(
    async () => (await service.api('GET', path)).body,
    ({ enabled }) => enabled === false,
  );
  expect(disabled.disabled.because).toBe('gone');
  expect((await service.api('POST', `${path}/test`)).body).toStrictEqual({
    delivered: false,
    status: 410,
    reason: 'the receiver answered 410',
  });
  status = 204;
  receiver.received.length = 0;
  await service.api('PUT', path, { enabled: true });
  await eventually(
    async () => receiver.received.length,
    (n) => n > 0,
  );
  expect(JSON.parse(receiver.received[0]!.body).data.data.name).toBe('fish');
  await service.api('DELETE', path);
  expect((await service.api('GET', `${path}/deliveries`)).status).toBe(404);
  const files = await onDisk(service.dataDir);
  for (const secret of [hook.secret, rotated.secret] as string[]) {
    expect(service.output()).not.toContain(secret);
    expect(holding(files, secret)).toEqual([]);
  }
});
