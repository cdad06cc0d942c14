import type { Dispatcher } from 'undici';
import { BodyTooLarge } from './content-headers.ts';

export interface ResponseHead {
  readonly status: number;
  readonly header: (name: string) => string | null;
}
export interface Exchange {
  readonly head: ResponseHead;
  /** As received; null where it was not wanted. */
  readonly body: Buffer | null;
}
export interface ExchangeRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Decides, from the head alone, whether the body is read. */
  readonly wantsBody: (head: ResponseHead) => boolean;
  readonly maxBytes: number;
  /** For connecting, head and body together. */
  readonly timeoutMs: number;
  /** Longest silence before the head and between two pieces of the body. */
  readonly idleMs: number;
  /** A body slower than this on average, after `idleMs`, is given up. */
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

/** An unwanted body up to this size is read and dropped, so that its connection can be used again. */
const DRAINED_BYTES = 64 * 1024;

/**
 * One GET, without redirects or retries. Every way out but a complete response gives up the connection.
 *
 * Rejects with `TimedOut`, `TooSlow`, `BodyTooLarge`, `AddressNotAllowed`, an error of undici or of the socket; or, as
 * soon as `signal` aborts, with its reason.
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
  let givenUp: Error | null = null;
  const giveUp = (reason: unknown): void => {
    givenUp = reason instanceof Error ? reason : new Error(String(reason));
    reject(reason);
    connection?.abort(givenUp);
  };
  const onAbort = (): void => giveUp(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const { timeoutMs } = request;
  const timer = setTimeout(() => giveUp(new TimedOut(`no complete answer in ${timeoutMs} ms`)), timeoutMs);
  dispatcher.dispatch(dispatchOptions(request), {
    // The request may have been given up while it waited for a connection.
    onRequestStart: (controller) => {
      connection = controller;
      if (givenUp !== null) controller.abort(givenUp);
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

const dispatchOptions = ({ url, headers, idleMs }: ExchangeRequest): Dispatcher.DispatchOptions => ({
  origin: url.origin,
  path: url.pathname + url.search,
  method: 'GET',
  headers,
  headersTimeout: idleMs,
  bodyTimeout: idleMs,
});

/** What these handlers throw, undici takes for the error of the request: it gives up the connection and reports it. */
const collectResponse = (
  request: ExchangeRequest,
  now: () => number,
  resolve: (exchange: Exchange) => void,
): Dispatcher.DispatchHandler => {
  const chunks: Buffer[] = [];
  let head: ResponseHead = { status: 0, header: () => null };
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
      if (elapsed > request.idleMs && (bytes * 1000) / elapsed < request.minBytesPerSecond) {
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
});
