interface Bucket {
  tokens: number;
  perMinute: number;
  at: number;
}

/** The rest of a key's quota after this request. */
export interface Quota {
  /** Seconds to wait before the next request; 0 when none. */
  readonly wait: number;
  /** Requests that may be sent immediately. */
  readonly remaining: number;
  /** Seconds until there is one more; equal to `wait` when none is left. */
  readonly more: number;
}
export type RateLimit = (keyId: string, perMinute: number) => Quota;

const MINUTE_MS = 60_000;
/** Number of buckets at which full ones, which carry no information, are evicted. */
const SWEEP_AT = 10_000;

/**
 * One token bucket per key: a minute's worth may come at once, then one request per 1/n of a minute. The buckets are in
 * this process; with several processes a key gets its rate from each.
 */
export const createRateLimit = (now: () => number): RateLimit => {
  const buckets = new Map<string, Bucket>();

  const sweep = (at: number): void => {
    for (const [key, bucket] of buckets) if (refilled(bucket, at) >= bucket.perMinute) buckets.delete(key);
  };

  return (keyId, perMinute) => {
    const at = now();
    let bucket = buckets.get(keyId);
    if (bucket === undefined || bucket.perMinute !== perMinute) {
      if (buckets.size >= SWEEP_AT) sweep(at);
      bucket = { tokens: perMinute, perMinute, at };
      buckets.set(keyId, bucket);
    }
    bucket.tokens = refilled(bucket, at);
    bucket.at = at;
    const admitted = bucket.tokens >= 1;
    if (admitted) bucket.tokens -= 1;
    const more = untilOneMore(bucket);
    return { wait: admitted ? 0 : more, remaining: Math.floor(bucket.tokens), more };
  };
};

const untilOneMore = ({ tokens, perMinute }: Bucket): number =>
  Math.max(1, Math.ceil(((1 - (tokens % 1)) * MINUTE_MS) / perMinute / 1000));

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers: the policy, and the rest of the quota. `t` is the time until
 * there is more, so that with nothing left it equals Retry-After.
 */
export const rateLimitHeaders = (
  perMinute: number,
  { remaining, more }: Quota,
): readonly (readonly [name: string, value: string])[] => [
  ['ratelimit-policy', `"key";q=${perMinute};w=60`],
  ['ratelimit', `"key";r=${remaining};t=${more}`],
];

const refilled = ({ tokens, perMinute, at }: Bucket, now: number): number =>
  Math.min(perMinute, tokens + (Math.max(0, now - at) * perMinute) / MINUTE_MS);
