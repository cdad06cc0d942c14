import type { LogEvent } from './types.ts';

/** The body of a delivery. A test message has the type `webhook.test`, and the id of its webhook as data. */
export type WebhookPayload =
  | { readonly type: string; readonly timestamp: string; readonly data: LogEvent }
  | {
      readonly type: 'webhook.test';
      readonly timestamp: string;
      readonly data: { readonly webhook_id: string };
    };

/** The message must not be trusted. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
}

interface Getter {
  readonly get: (name: string) => string | null;
}
/** Of a request: as `fetch` has them, or as Node's servers have them, in lower case. */
export type WebhookHeaders = Getter | { readonly [name: string]: string | readonly string[] | undefined };

/**
 * Verifies a message after Standard Webhooks, with WebCrypto alone, and returns its body. Receivers see a message again
 * when their answer was lost: they tell it by the header `webhook-id`.
 *
 * @param secrets one or more, as the service showed them (`whsec_…`): one that matches suffices
 * @param body the bytes of the request as they came, never JSON that was written anew
 * @throws WebhookRefused when a header is missing, the time is off by more than the tolerance, or no signature matches
 */
export const verifyWebhook = async (
  secrets: string | readonly string[],
  headers: WebhookHeaders,
  body: string | Uint8Array,
  { toleranceSeconds = 300 }: { readonly toleranceSeconds?: number } = {},
): Promise<WebhookPayload> => {
  const [id, time, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  ) as [string, string, string];
  const off = Math.abs(Date.now() / 1_000 - (/^\d{1,12}$/.test(time) ? Number(time) : Number.NaN));
  if (!(off <= toleranceSeconds)) throw new WebhookRefused('webhook-timestamp is too far from now');
  const given = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const head = new TextEncoder().encode(`${id}.${time}.`);
  const signed = new Uint8Array(head.length + given.length);
  signed.set(head);
  signed.set(given, head.length);
  const versioned = signatures.split(' ').map((one) => one.split(','));
  const hashes = versioned.flatMap(([version, hash]) => (version === 'v1' ? (bytesOf(hash) ?? []) : []));
  for (const secret of [secrets].flat()) {
    const key = await keyOf(secret);
    for (const hash of hashes)
      if (await crypto.subtle.verify('HMAC', key, hash, signed))
        return JSON.parse(new TextDecoder().decode(given)) as WebhookPayload;
  }
  throw new WebhookRefused('no signature of webhook-signature is by a secret that is known here');
};

const headerOf = (headers: WebhookHeaders, name: string): string => {
  const value = isHeaders(headers) ? headers.get(name) : headers[name];
  const [text = ''] = [value ?? []].flat();
  if (text === '') throw new WebhookRefused(`there is no header ${name}`);
  return text;
};

const isHeaders = (headers: WebhookHeaders): headers is Getter => typeof headers['get'] === 'function';

/** @throws TypeError for what is no secret: a mistake of the receiver, not of the message */
const keyOf = (secret: string) => {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (bytes === null || bytes.length === 0) throw new TypeError('a secret is whsec_ and base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
};

/** Null for what is no base64. */
const bytesOf = (base64 = ''): Uint8Array<ArrayBuffer> | null => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
};
