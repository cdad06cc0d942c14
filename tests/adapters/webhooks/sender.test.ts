import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGuardedAgent } from '../../../adapters/crawler/guarded-connector.ts';
import { randomWebhookSecrets } from '../../../adapters/system/identity.ts';
import { createWebhookSender } from '../../../adapters/webhooks/sender.ts';

const received: {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly url: string;
}[] = [];
let [server, at]: [Server, string] = [null as never, ''];
let [agent, guarded] = [createGuardedAgent(), createGuardedAgent()];
beforeAll(async () => {
  server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8');
    req.on('data', (part: string) => (body += part));
    req.on('end', () => {
      received.push({ headers: req.headers, body, url: req.url! });
      const status = Number(new URL(req.url!, at).searchParams.get('status') ?? 200);
      res
        .writeHead(status, { location: `${at}/elsewhere`, 'retry-after': '7' })
        .end('a word of the receiver');
    });
  });
  // On a busy machine a connection must not end by its age while a request is on its way.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  at = `http://127.0.0.1:${port}`;
  agent = createGuardedAgent({ allowAddresses: [`127.0.0.1:${port}`] });
});
afterAll(async () => {
  await Promise.all([agent.destroy(), guarded.destroy()]);
  server.close();
});

const never = new AbortController().signal;
const [first, second] = [randomWebhookSecrets.newWebhookSecret(), randomWebhookSecrets.newWebhookSecret()];
const message = (url: string) => ({
  url,
  id: '0199d2a0-0000-7000-8000-000000000001',
  at: Date.now(),
  secrets: [first, second],
  body: '{"type":"SourceIndexed","title":"größer"}',
});

it('sends what each of the secrets verifies', async () => {
  const sent = message(`${at}/hook?a=b`);
  expect(await createWebhookSender(agent).send(sent, never)).toStrictEqual({
    isSuccess: true,
    status: 200,
    reason: '',
    askedMs: 0,
  });
  const { headers, body, url } = received.pop()!;
  expect([url, headers['content-type'], headers['webhook-id']]).toStrictEqual([
    '/hook?a=b',
    'application/json',
    sent.id,
  ]);
  for (const secret of [first, second])
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toStrictEqual(
      JSON.parse(sent.body),
    );
  const stranger = new Webhook(randomWebhookSecrets.newWebhookSecret());
  expect(() => stranger.verify(body, headers as Record<string, string>)).toThrow('No matching signature');
});

it.each([
  [204, true, '', 0],
  [302, false, 'redirects are not followed', 0],
  [410, false, 'the receiver answered 410', 0],
  [429, false, 'the receiver answered 429', 7_000],
  [500, false, 'the receiver answered 500', 0],
  [503, false, 'the receiver answered 503', 7_000],
])('takes %i as the answer that it is, and asks nothing else', async (status, isSuccess, reason, askedMs) => {
  received.length = 0;
  const answer = await createWebhookSender(agent).send(message(`${at}/?status=${status}`), never);
  expect(answer).toMatchObject({ isSuccess, status, askedMs, reason: expect.stringContaining(reason) });
  expect(answer.reason).not.toContain('a word of the receiver');
  expect(received).toHaveLength(1);
});

it('reaches no address of the private network, and says how to allow one', async () => {
  received.length = 0;
  expect(await createWebhookSender(guarded).send(message(at), never)).toMatchObject({
    isSuccess: false,
    status: null,
    reason: expect.stringContaining('KNOWLEDGER_ALLOW_ADDRESSES='),
  });
  expect(received).toHaveLength(0);
});

it('tells of a receiver that is not there, and fails when it is stopped', async () => {
  const closed = createServer();
  await new Promise<void>((listening) => closed.listen(0, '127.0.0.1', listening));
  const { port } = closed.address() as AddressInfo;
  await new Promise((done) => closed.close(done));
  const allowed = createGuardedAgent({ allowAddresses: ['127.0.0.1/32'] });
  const sender = createWebhookSender(allowed);
  const url = `http://127.0.0.1:${port}/`;
  expect(await sender.send(message(url), never)).toMatchObject({
    status: null,
    reason: 'the connection failed: ECONNREFUSED',
  });
  await expect(sender.send(message(url), AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  await allowed.destroy();
});
