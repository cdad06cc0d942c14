import {
  type LanguageModel,
  ProviderTimeout,
  type WaitingFor,
} from '../../../../application/ports/language-model.ts';
import { inRequestSpan } from '../../../http-client/trace-headers.ts';
import { invalidResponseError } from './retrying.ts';
import type { Dispatcher } from 'undici';

/** Limit of an error body. */
export const MAX_ERROR_BYTES = 64 * 1024;

export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** With the active trace, without its own timeouts, and without following redirects, which would take the key along. */
export const post = (
  dispatcher: Dispatcher,
  { url, headers, body }: Post,
  signal: AbortSignal | null,
): Promise<Dispatcher.ResponseData> =>
  inRequestSpan((traceHeaders) =>
    dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: { ...headers, ...traceHeaders },
      body,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    }),
  );

/** @throws ProviderError above `maxBytes` */
export const textOf = async (body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> => {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > maxBytes) throw invalidResponseError(`an answer of over ${maxBytes} bytes`);
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

/** Time and size limits of a provider. */
export interface ProviderLimits {
  /** Until a connection is established. */
  readonly connectMs: number;
  /** From the request to the first event; comments and pings do not count. */
  readonly firstTokenMs: number;
  /** Between two events. */
  readonly nextTokenMs: number;
  /** For one attempt, including the consumer's time. */
  readonly totalMs: number;
  /** Size of the whole response on the wire. */
  readonly maxBytes: number;
  /** Length of the answer's text and the reasoning, in UTF-16 units. */
  readonly maxCharacters: number;
}

export const DEFAULT_LIMITS: ProviderLimits = {
  connectMs: 5_000,
  firstTokenMs: 60_000,
  nextTokenMs: 30_000,
  totalMs: 600_000,
  maxBytes: 64 * 1024 * 1024,
  maxCharacters: 2 * 1024 * 1024,
};

/** The time budget of one attempt: it ends by the caller's signal, a timeout, or `giveUp`. */
export interface TimeBudget {
  /** Aborts with the cause: the reason of the caller's signal, or {@link ProviderTimeout}. */
  readonly signal: AbortSignal;
  /** Starts a timer of `ms` that runs until the next call of `waitFor` or `pause`. */
  readonly waitFor: (what: WaitingFor, ms: number) => void;
  /** Limits all later waits to this time. */
  readonly shorten: (ms: number) => void;
  /** Pauses the timer while the consumer works. */
  readonly pause: () => void;
  /** Ends everything, including timers. Must be called in any case. */
  readonly giveUp: () => void;
}

/** @param totalMs total time, including the consumer's */
export const createTimeBudget = (callerSignal: AbortSignal, totalMs: number): TimeBudget => {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(callerSignal.reason);
  const runOut = (what: WaitingFor, ms: number) => () => controller.abort(new ProviderTimeout(what, ms));
  callerSignal.addEventListener('abort', onAbort, { once: true });
  const total = setTimeout(runOut('end', totalMs), totalMs);
  let maxMs = Infinity;
  let waiting: NodeJS.Timeout | undefined;
  return {
    signal: controller.signal,
    waitFor: (what, ms) => {
      clearTimeout(waiting);
      const capped = Math.min(ms, maxMs);
      waiting = setTimeout(runOut(what, capped), capped);
    },
    shorten: (ms) => {
      maxMs = ms;
    },
    pause: () => clearTimeout(waiting),
    giveUp: () => {
      clearTimeout(waiting);
      clearTimeout(total);
      callerSignal.removeEventListener('abort', onAbort);
      controller.abort(new Error('given up'));
    },
  };
};

/** A language model with its own connections. */
export interface ConnectedLanguageModel extends LanguageModel {
  /** Aborts all requests; later ones fail with ProviderError. */
  readonly close: () => Promise<void>;
}
