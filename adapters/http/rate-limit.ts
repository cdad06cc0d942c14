interface Bucket {
  tokens: number;
  perMinute: number;
  at: number;
}

/** Seconds to wait before the next try; 0: go ahead. */
export type RateLimit = (keyId: string, perMinute: number) => number;

const MINUTE_MS = 60_000;
/** Buckets that are kept before the full ones, which say nothing, are swept out. */
const SWEEP_AT = 10_000;

/**
 * One token bucket per key: a minute's worth may come at once, then one request per 1/n of a minute. The buckets live
 * in this process; with several processes a key gets its rate from each.
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
    if (bucket.tokens < 1)
      return Math.max(1, Math.ceil(((1 - bucket.tokens) * MINUTE_MS) / perMinute / 1000));
    bucket.tokens -= 1;
    return 0;
  };
};

const refilled = ({ tokens, perMinute, at }: Bucket, now: number): number =>
  Math.min(perMinute, tokens + (Math.max(0, now - at) * perMinute) / MINUTE_MS);
