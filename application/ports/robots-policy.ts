import type { FetchFailureCode } from '../../domain/crawl/fetch-failure.ts';

export type RobotsVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: 'disallowed' }
  /** robots.txt could not be read, so that everything counts as disallowed; the site itself is likely down. */
  | {
      readonly allowed: false;
      readonly reason: 'unreachable';
      readonly code: FetchFailureCode;
      readonly message: string;
    };

/**
 * What the sites of one crawl allow a robot (RFC 9309). Make one per crawl: robots.txt of each origin is read once
 * and kept for a while, and all calls share the crawl's signal.
 *
 * An answer of 400 to 499 means that nothing is disallowed, but for 429, which like 500 to 599 and an unreachable
 * host disallows everything. Reading a robots.txt also makes the page fetcher keep its Crawl-delay on that host.
 */
export interface RobotsPolicy {
  /** @throws the reason of `signal` when it aborts */
  check(url: string, signal: AbortSignal): Promise<RobotsVerdict>;
  /** Absolute URLs of the sitemaps that the origin of `url` names, at most 100; none where it is unreachable. */
  sitemaps(url: string, signal: AbortSignal): Promise<readonly string[]>;
}
