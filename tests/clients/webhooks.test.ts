import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, WebhookRefused } from '../../clients/typescript/src/index.ts';
import { randomWebhookSecrets } from '../../adapters/system/identity.ts';

/** Of the libraries of Standard Webhooks: their test of `sign`. */
const VECTOR = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  body: '{"test": 2432232314}',
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
};
const ALWAYS = { toleranceSeconds: Number.POSITIVE_INFINITY };

const signed = (secret: string, body: string, at = new Date()) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
});

describe('a receiver', () => {
  it('accepts the public example, and nothing that differs from it by a character', async () => {
    const { secret, body, headers } = VECTOR;
    expect(await verifyWebhook(secret, headers, body, ALWAYS)).toStrictEqual({ test: 2_432_232_314 });
    expect(await verifyWebhook(secret, new Headers(headers), new TextEncoder().encode(body), ALWAYS)).toEqual(
      expect.anything(),
    );
    for (const [name, value] of Object.entries(headers)) {
      const other = { ...headers, [name]: value.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)) };
      await expect(verifyWebhook(secret, other, body, ALWAYS)).rejects.toThrow(WebhookRefused);
    }
    await expect(verifyWebhook(secret, headers, body.replace('2', '3'), ALWAYS)).rejects.toThrow(
      WebhookRefused,
    );
  });

  it('accepts what the library signs, whatever it is, by any of its secrets', async () => {
    const [ours, others] = [randomWebhookSecrets.newWebhookSecret(), randomWebhookSecrets.newWebhookSecret()];
    await fc.assert(
      fc.asyncProperty(fc.json(), async (body) => {
        expect(await verifyWebhook([others, ours], signed(ours, body), body)).toStrictEqual(JSON.parse(body));
        await expect(verifyWebhook(others, signed(ours, body), body)).rejects.toThrow(WebhookRefused);
      }),
      { numRuns: 50 },
    );
    const rotating = signed(ours, '{}');
    rotating['webhook-signature'] =
      `v1a,abc v1 v1,%% ${signed(others, '{}')['webhook-signature']} ${rotating['webhook-signature']}`;
    expect(await verifyWebhook(ours, rotating, '{}')).toStrictEqual({});
  });

  it('refuses a message that is old, or of tomorrow, or without a header, and says so', async () => {
    const secret = randomWebhookSecrets.newWebhookSecret();
    const aside = (seconds: number) => signed(secret, '{}', new Date(Date.now() + seconds * 1_000));
    await expect(verifyWebhook(secret, aside(-290), '{}')).resolves.toStrictEqual({});
    for (const seconds of [-310, 310])
      await expect(verifyWebhook(secret, aside(seconds), '{}')).rejects.toThrow('too far from now');
    await expect(verifyWebhook(secret, aside(-20), '{}', { toleranceSeconds: 10 })).rejects.toThrow(
      'too far from now',
    );
    await expect(
      verifyWebhook(secret, { ...aside(0), 'webhook-timestamp': '12e3' }, '{}', ALWAYS),
    ).rejects.toThrow(WebhookRefused);
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      await expect(verifyWebhook(secret, { ...aside(0), [name]: undefined }, '{}')).rejects.toThrow(
        `there is no header ${name}`,
      );
    await expect(verifyWebhook('whsec_', aside(0), '{}')).rejects.toThrow(TypeError);
  });
});
