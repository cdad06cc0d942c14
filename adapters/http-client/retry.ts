export interface RetryPolicy {
  /** The first try included. */
  readonly tries: number;
  readonly firstDelayMs: number;
  /** Whoever asks for more time is not asked again: the caller may try later. */
  readonly maxDelayMs: number;
}

/** Somebody waits for the answer: of two seconds and more the caller decides, who may have better to do. */
export const DEFAULT_RETRY_POLICY: RetryPolicy = { tries: 3, firstDelayMs: 500, maxDelayMs: 2_000 };

/**
 * How long to wait before the next try, in milliseconds, or null for none. Delays double and are spread over their
 * upper half, so that the requests of one outage do not return together; what the provider asks for is a lower bound.
 *
 * @param tried how many tries were made, from 1
 * @param askedMs what the provider asks for
 * @param random in [0, 1)
 */
export const retryDelay = (
  { tries, firstDelayMs, maxDelayMs }: RetryPolicy,
  tried: number,
  askedMs: number,
  random: number,
): number | null => {
  if (tried >= tries || askedMs > maxDelayMs) return null;
  const backOff = firstDelayMs * 2 ** (tried - 1) * (0.5 + random / 2);
  return Math.max(askedMs, Math.min(backOff, maxDelayMs));
};

/**
 * What an answer asks to wait, in milliseconds; 0 where it does not say or cannot be read. `retry-after-ms` is exact.
 *
 * @param nowMs Unix milliseconds
 */
export const askedToWait = (header: (name: string) => string | null, nowMs: number): number => {
  const exact = header('retry-after-ms');
  if (exact !== null && /^\s*\d{1,9}(\.\d+)?\s*$/.test(exact)) return Number(exact);
  return retryAfterMs(header('retry-after'), nowMs) ?? 0;
};

/**
 * The delay that a Retry-After header asks for (RFC 9110, section 10.2.3), in milliseconds from `nowMs` (Unix
 * milliseconds), or null where there is none or it is unreadable. Both forms are read: seconds and HTTP-date.
 */
const retryAfterMs = (header: string | null, nowMs: number): number | null => {
  if (header === null) return null;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
};

/** Of connections: certificates, answers that are no HTTP, unknown names, an agent that was closed. */
const PERMANENT_CODES =
  /^(?:CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HPE_|ENOTFOUND|UND_ERR_(?:DESTROYED|CLOSED|INVALID))/;

/** Whether an answer with this status may be another one later: 408, 425, 429 and 5xx, but for those that say "never". */
export const isTransientStatus = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || (status >= 500 && status !== 501 && status !== 505);

/** What may be told of an error of the connection, as undici and node:net give it: their messages hold addresses. */
export const connectionFault = (error: unknown): { readonly word: string; readonly isTransient: boolean } => {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: string };
  const word = typeof code === 'string' ? code : (name ?? 'unknown');
  return { word, isTransient: !PERMANENT_CODES.test(word) };
};
