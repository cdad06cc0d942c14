import type { Dispatcher } from 'undici';
import { unreadable } from './failure.ts';

/** Of a body that tells an error. */
export const MOST_ERROR_BYTES = 64 * 1024;

export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Without time limits of its own, and without following redirects: they would take the key along. */
export const post = (
  dispatcher: Dispatcher,
  { url, headers, body }: Post,
  signal: AbortSignal | null,
): Promise<Dispatcher.ResponseData> =>
  dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'POST',
    headers,
    body,
    signal,
    headersTimeout: 0,
    bodyTimeout: 0,
  });

/** @throws ProviderError above `maxBytes` */
export const textOf = async (body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> => {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > maxBytes) throw unreadable(`an answer of over ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
};

export const headerOf =
  ({ headers }: Dispatcher.ResponseData) =>
  (name: string): string | null => {
    const value = headers[name];
    return Array.isArray(value) ? (value[0] ?? null) : (value ?? null);
  };

export const mediaType = (contentType: string | null): string =>
  (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();
