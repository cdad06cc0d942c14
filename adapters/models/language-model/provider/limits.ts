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
