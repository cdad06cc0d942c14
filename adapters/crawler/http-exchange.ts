import type { Dispatcher } from 'undici';
import { BodyTooLarge } from './content-headers.ts';

export interface ResponseHead {
  readonly status: number;
  readonly header: (name: string) => string | null;
  /** Each as it was sent: they cannot be joined. */
  readonly setCookies: readonly string[];
}
export interface Exchange {
  readonly head: ResponseHead;
  /** As received; null when it was not wanted. */
  readonly body: Buffer | null;
}
export interface ExchangeRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Decides from the head alone whether to read the body. */
  readonly wantsBody: (head: ResponseHead) => boolean;
  readonly maxBytes: number;
  /** Timeout of connecting, head and body together. */
  readonly timeoutMs: number;
  /** How long a body may be slower than `minBytesPerSecond`. */
  readonly slowMs: number;
  /** A body that is slower on average, after `slowMs`, is aborted. */
  readonly minBytesPerSecond: number;
}

/** The whole exchange took longer than `timeoutMs`. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
}
/** The body arrives too slowly. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/** An unwanted body up to this size is read and dropped, so that its connection can be reused. */
const DRAINED_BYTES = 64 * 1024;

/**
 * Sends one GET, without redirects or retries. Unless the response completes, the connection is closed.
 *
 * @throws TimedOut, TooSlow, BodyTooLarge, AddressNotAllowed, an error of undici or of the socket
 * @throws the reason of `signal` as soon as it aborts
 */
export const exchange = async (
  dispatcher: Dispatcher,
  request: ExchangeRequest,
  now: () => number,
  signal: AbortSignal,
): Promise<Exchange> => {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Exchange>();
  let connection: Dispatcher.DispatchController | null = null;
  let abortReason: Error | null = null;
  const abortExchange = (reason: unknown): void => {
    abortReason = reason instanceof Error ? reason : new Error(String(reason));
    reject(reason);
    connection?.abort(abortReason);
  };
  const onAbort = (): void => abortExchange(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const { timeoutMs } = request;
  const timer = setTimeout(
    () => abortExchange(new TimedOut(`no complete response within ${timeoutMs} ms`)),
    timeoutMs,
  );
  dispatcher.dispatch(dispatchOptions(request), {
    // The request may have been aborted while it waited for a connection.
    onRequestStart: (controller) => {
      connection = controller;
      if (abortReason !== null) controller.abort(abortReason);
    },
    ...collectResponse(request, now, resolve),
    onResponseError: (_controller, error) => reject(error),
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
};

const dispatchOptions = ({ url, headers }: ExchangeRequest): Dispatcher.DispatchOptions => ({
  origin: url.origin,
  path: url.pathname + url.search,
  method: 'GET',
  headers,
  // Silence counts as any other time: `timeoutMs` bounds it.
  headersTimeout: 0,
  bodyTimeout: 0,
});

/**
 * Undici treats an error thrown by these handlers as the error of the request: it closes the connection and calls
 * `onResponseError`.
 */
const collectResponse = (
  request: ExchangeRequest,
  now: () => number,
  resolve: (exchange: Exchange) => void,
): Dispatcher.DispatchHandler => {
  const chunks: Buffer[] = [];
  let head: ResponseHead = { status: 0, header: () => null, setCookies: [] };
  let wanted = false;
  let bytes = 0;
  let since = 0;
  const dropRest = (controller: Dispatcher.DispatchController): void => {
    resolve({ head, body: null });
    controller.abort(new Error('the rest of the body is not wanted'));
  };
  return {
    onResponseStart: (controller, status, headers) => {
      if (status < 200) return;
      head = headOf(status, headers);
      wanted = request.wantsBody(head);
      since = now();
      const announced = Number(head.header('content-length') ?? 0);
      if (wanted && announced > request.maxBytes) throw new BodyTooLarge(request.maxBytes);
      if (!wanted && announced > DRAINED_BYTES) dropRest(controller);
    },
    onResponseData: (controller, chunk) => {
      bytes += chunk.length;
      if (!wanted) return bytes > DRAINED_BYTES ? dropRest(controller) : undefined;
      if (bytes > request.maxBytes) throw new BodyTooLarge(request.maxBytes);
      const elapsed = now() - since;
      if (elapsed > request.slowMs && (bytes * 1000) / elapsed < request.minBytesPerSecond) {
        throw new TooSlow(`${bytes} bytes of the body in ${Math.round(elapsed)} ms`);
      }
      chunks.push(chunk);
    },
    onResponseEnd: () => resolve({ head, body: wanted ? Buffer.concat(chunks, bytes) : null }),
  };
};

const headOf = (
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): ResponseHead => ({
  status,
  header: (name) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : (value ?? null);
  },
  setCookies: [headers['set-cookie'] ?? []].flat(),
});
