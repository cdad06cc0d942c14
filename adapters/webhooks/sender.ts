import { Webhook } from 'standardwebhooks';
import type { Dispatcher } from 'undici';
import type { Answer, WebhookMessage, WebhookSender } from '../../application/ports/webhooks.ts';
import { connectionFault, serverDelay } from '../http-client/retry.ts';

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 16 * 1024;

/** @param dispatcher decides which addresses may be reached */
export const createWebhookSender = (dispatcher: Dispatcher): WebhookSender => ({
  send: async (message, signal) => {
    const time = AbortSignal.timeout(TIMEOUT_MS);
    try {
      return await post(dispatcher, message, AbortSignal.any([signal, time]));
    } catch (error) {
      signal.throwIfAborted();
      const reason = time.aborted ? `no answer came within ${TIMEOUT_MS / 1_000} s` : reasonOf(error);
      return { isSuccess: false, status: null, reason, askedMs: 0 };
    }
  },
});

const post = async (
  dispatcher: Dispatcher,
  message: WebhookMessage,
  signal: AbortSignal,
): Promise<Answer> => {
  const { origin, pathname, search } = new URL(message.url);
  const { statusCode, headers, body } = await dispatcher.request({
    origin,
    path: pathname + search,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'knowledger', ...signed(message) },
    body: message.body,
    signal,
  });
  // Not awaited: the status is the answer, and the signal ends the rest.
  void body.dump({ limit: MAX_ANSWER_BYTES, signal }).catch(() => undefined);
  const isSuccess = statusCode >= 200 && statusCode < 300;
  const header = (name: string): string | null => [headers[name]].flat()[0] ?? null;
  const asked = statusCode === 429 || statusCode === 503 ? serverDelay(header, Date.now()) : 0;
  return { isSuccess, status: statusCode, reason: isSuccess ? '' : refusal(statusCode), askedMs: asked };
};

const signed = ({ id, at, secrets, body }: WebhookMessage): Record<string, string> => {
  const seconds = Math.floor(at / 1_000);
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, new Date(seconds * 1_000), body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
};

const refusal = (status: number): string =>
  status >= 300 && status < 400
    ? `the receiver answered ${status}: redirects are not followed, so name the address that they lead to`
    : `the receiver answered ${status}`;

/** The message of a refused address says what an operator can do. */
const reasonOf = (error: unknown): string =>
  (error as { readonly code?: unknown }).code === 'ADDRESS_NOT_ALLOWED'
    ? (error as Error).message
    : `the connection failed: ${connectionFault(error).word}`;
