import type { PageFetcher, FetchOutcome, RobotsPolicy } from '../../application/ports/page-fetcher.ts';
import { parseCrawlUrl } from '../../domain/crawl/crawl-scope.ts';
import type { FetchFailureCode } from '../../domain/crawl/fetch-failure.ts';
import type { PolitenessGate, Timer } from './politeness.ts';
import { type RobotsRules, parseRobots, productToken, sameForAll } from './robots-rules.ts';

export interface RobotsPolicyOptions {
  readonly pages: PageFetcher;
  readonly gate: PolitenessGate;
  readonly timer: Timer;
  readonly userAgent: string;
  /** As in `PageRequest`. */
  readonly patienceMs?: number;
}

interface Unreachable {
  readonly code: FetchFailureCode;
  readonly message: string;
}
interface RobotsResult {
  readonly rules: RobotsRules;
  readonly unreachable: Unreachable | null;
}
interface CacheEntry {
  readonly result: Promise<RobotsResult>;
  expiresAt: number;
}

/** RFC 9309, section 2.5: at least this much must be parsed. */
const PARSED_BYTES = 500 * 1024;
/** RFC 9309 section 2.4 allows a day. */
const CACHE_MS = 3_600_000;
const UNREACHABLE_CACHE_MS = 60_000;
const FETCHED_BYTES = 4 * 1024 * 1024;

export const createRobotsPolicy = (options: RobotsPolicyOptions): RobotsPolicy => {
  const { pages, gate, timer } = options;
  const robot = productToken(options.userAgent);
  const patience = options.patienceMs === undefined ? {} : { patienceMs: options.patienceMs };
  const cache = new Map<string, CacheEntry>();

  const read = async (url: URL, signal: AbortSignal): Promise<RobotsResult> => {
    const outcome = await pages.fetchPage(
      { url: `${url.origin}/robots.txt`, maxBytes: FETCHED_BYTES, ...patience },
      signal,
    );
    const result = resultOf(outcome, robot);
    const { crawlDelayMs } = result.rules;
    if (crawlDelayMs !== null) gate.setDelay(url.host, crawlDelayMs);
    return result;
  };

  const setExpiry = async (origin: string, fresh: CacheEntry): Promise<void> => {
    try {
      const { unreachable } = await fresh.result;
      fresh.expiresAt = timer.now() + (unreachable === null ? CACHE_MS : UNREACHABLE_CACHE_MS);
    } catch {
      cache.delete(origin); // aborted: the caller gets the error, and nothing is cached
    }
  };

  const loadResult = (url: URL, signal: AbortSignal): Promise<RobotsResult> => {
    const cached = cache.get(url.origin);
    if (cached !== undefined && cached.expiresAt > timer.now()) return cached.result;
    const fresh: CacheEntry = { result: read(url, signal), expiresAt: Infinity };
    cache.set(url.origin, fresh);
    void setExpiry(url.origin, fresh);
    return fresh.result;
  };

  return {
    check: async (text, signal) => {
      signal.throwIfAborted();
      const parsed = parseCrawlUrl(text);
      if (!parsed.ok) return { allowed: false, reason: 'disallowed' };
      const { rules, unreachable } = await loadResult(parsed.url, signal);
      if (unreachable !== null) return { allowed: false, reason: 'unreachable', ...unreachable };
      const { pathname, search } = parsed.url;
      return rules.allows(pathname + search) ? { allowed: true } : { allowed: false, reason: 'disallowed' };
    },
    sitemaps: async (text, signal) => {
      const parsed = parseCrawlUrl(text);
      if (!parsed.ok) return [];
      const { rules } = await loadResult(parsed.url, signal);
      return rules.sitemaps.flatMap((sitemap) => {
        const target = parseCrawlUrl(sitemap, parsed.url.href);
        return target.ok ? [target.url.href] : [];
      });
    },
  };
};

const resultOf = (outcome: FetchOutcome, robot: string): RobotsResult => {
  switch (outcome.kind) {
    case 'page':
      return { rules: parseRobots(textOf(outcome.body), robot), unreachable: null };
    case 'skipped':
    case 'not_modified':
    case 'redirected_out':
      return { rules: sameForAll(true), unreachable: null };
    case 'failed': {
      // Section 2.3.1.3: "unavailable" allows everything; 2.3.1.4: "unreachable" disallows everything. A 429 is about
      // our request rate, not about the file. Endless redirects count as unavailable (2.3.1.2).
      const { status, code, message } = outcome;
      const unavailable = status !== null && status >= 400 && status < 500 && status !== 429;
      if (unavailable || code === 'too_many_redirects' || code === 'redirect_loop') {
        return { rules: sameForAll(true), unreachable: null };
      }
      const why = `robots.txt of its site could not be read, so nothing may be fetched: ${message}`;
      return { rules: sameForAll(false), unreachable: { code, message: why } };
    }
  }
};

/** UTF-8 (section 2.3). Drops a line that was cut at the limit, since half a pattern forbids more than the whole. */
const textOf = (body: Uint8Array): string => {
  const text = new TextDecoder().decode(body.subarray(0, PARSED_BYTES));
  return body.length > PARSED_BYTES ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
};
