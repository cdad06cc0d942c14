import {
  type LanguageModel,
  ProviderTimeout,
  type WaitingFor,
} from '../../../../application/ports/language-model.ts';
import { unreadable } from './retrying.ts';
import type { Dispatcher } from 'undici';

/** Of a body that tells an error. */
export const MAX_ERROR_BYTES = 64 * 1024;

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

/** How long a provider is waited for, and how much it may send. */
export interface ProviderLimits {
  /** For a connection to stand. */
  readonly connectMs: number;
  /** From the request to the first event; comments and pings do not count. */
  readonly firstTokenMs: number;
  /** Between two events. */
  readonly nextTokenMs: number;
  /** For one try, the consumer's time included. */
  readonly totalMs: number;
  /** Of the whole answer, as it comes over the wire. */
  readonly maxBytes: number;
  /** UTF-16 units of the answer's text. */
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

/** One try's right to go on: ended by the caller's signal, by a wait that takes too long, or by `giveUp`. */
export interface TimeBudget {
  /** Aborts with what ended it: the reason of the caller's signal, or {@link ProviderTimeout}. */
  readonly signal: AbortSignal;
  /** From now on at most `ms` pass until the next call of `waitFor` or `rest`. */
  readonly waitFor: (what: WaitingFor, ms: number) => void;
  /** No later wait takes longer than this. */
  readonly shorten: (ms: number) => void;
  /** Nothing is waited for: it is the consumer's turn. */
  readonly rest: () => void;
  /** Ends everything, timers included. To be called in any case. */
  readonly giveUp: () => void;
}

/** @param totalMs for all of it, the consumer's time included */
export const createTimeBudget = (caller: AbortSignal, totalMs: number): TimeBudget => {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(caller.reason);
  const runOut = (what: WaitingFor, ms: number) => () => controller.abort(new ProviderTimeout(what, ms));
  caller.addEventListener('abort', onAbort, { once: true });
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
    rest: () => clearTimeout(waiting),
    giveUp: () => {
      clearTimeout(waiting);
      clearTimeout(total);
      caller.removeEventListener('abort', onAbort);
      controller.abort(new Error('given up'));
    },
  };
};

/** A language model with connections of its own. */
export interface ConnectedLanguageModel extends LanguageModel {
  /** Ends all requests; later ones fail with ProviderError. */
  readonly close: () => Promise<void>;
}
