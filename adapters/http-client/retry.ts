export interface RetryPolicy {
  /** Including the first attempt. */
  readonly attempts: number;
  readonly firstDelayMs: number;
  /** There is no retry when the provider asks for more time: the caller may try later. */
  readonly maxDelayMs: number;
}

/** A client is waiting for the result: for delays of two seconds and more, the caller decides. */
export const DEFAULT_RETRY_POLICY: RetryPolicy = { attempts: 3, firstDelayMs: 500, maxDelayMs: 2_000 };

/**
 * The delay before the next attempt in milliseconds, or null for no retry. Delays double and are spread over their
 * upper half, so that the requests of one outage do not return together; the provider's requested delay is a lower
 * bound.
 *
 * @param attempt number of attempts so far, from 1
 * @param requestedMs delay that the provider asks for
 * @param random in [0, 1)
 */
export const retryDelay = (
  { attempts, firstDelayMs, maxDelayMs }: RetryPolicy,
  attempt: number,
  requestedMs: number,
  random: number,
): number | null => {
  if (attempt >= attempts || requestedMs > maxDelayMs) return null;
  const backOff = firstDelayMs * 2 ** (attempt - 1) * (0.5 + random / 2);
  return Math.max(requestedMs, Math.min(backOff, maxDelayMs));
};

/**
 * The delay that a response asks for, in milliseconds; 0 when missing or unreadable. `retry-after-ms` is exact.
 *
 * @param nowMs Unix milliseconds
 */
export const serverDelay = (header: (name: string) => string | null, nowMs: number): number => {
  const exact = header('retry-after-ms');
  if (exact !== null && /^\s*\d{1,9}(\.\d+)?\s*$/.test(exact)) return Number(exact);
  return retryAfterMs(header('retry-after'), nowMs) ?? 0;
};

/**
 * The delay of a Retry-After header (RFC 9110, section 10.2.3) in milliseconds from `nowMs` (Unix milliseconds); null
 * when missing or unreadable. Accepts both forms: seconds and HTTP-date.
 */
const retryAfterMs = (header: string | null, nowMs: number): number | null => {
  if (header === null) return null;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
};

/** Permanent connection errors: certificates, responses that are not HTTP, unknown names, a closed agent. */
const PERMANENT_CODES =
  /^(?:CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HPE_|ENOTFOUND|UND_ERR_(?:DESTROYED|CLOSED|INVALID))/;

/** Whether a retry may get another status: 408, 425, 429 and 5xx, except permanent ones. */
export const isTransientStatus = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || (status >= 500 && status !== 501 && status !== 505);

/** The safe description of a connection error of undici or node:net, whose own messages contain addresses. */
export const connectionFault = (error: unknown): { readonly word: string; readonly isTransient: boolean } => {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: string };
  const word = typeof code === 'string' ? code : (name ?? 'unknown');
  return { word, isTransient: !PERMANENT_CODES.test(word) };
};
