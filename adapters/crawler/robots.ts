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
  /** How long a robots.txt is believed. Default 1 h; RFC 9309 section 2.4 allows a day. */
  readonly keepMs?: number;
  /** How long an unreachable one is not asked for again. Default 60 s. */
  readonly keepUnreachableMs?: number;
}

interface Unreachable {
  readonly code: FetchFailureCode;
  readonly message: string;
}
interface Answer {
  readonly rules: RobotsRules;
  readonly unreachable: Unreachable | null;
}
interface Kept {
  readonly answer: Promise<Answer>;
  until: number;
}

/** RFC 9309, section 2.5: at least this much is parsed. */
const PARSED_BYTES = 500 * 1024;
const FETCHED_BYTES = 4 * 1024 * 1024;

export const createRobotsPolicy = (options: RobotsPolicyOptions): RobotsPolicy => {
  const { pages, gate, timer, keepMs = 3_600_000, keepUnreachableMs = 60_000 } = options;
  const robot = productToken(options.userAgent);
  const origins = new Map<string, Kept>();

  const read = async (url: URL, signal: AbortSignal): Promise<Answer> => {
    const outcome = await pages.fetchPage(
      { url: `${url.origin}/robots.txt`, maxBytes: FETCHED_BYTES },
      signal,
    );
    const answer = answerOf(outcome, robot);
    const { crawlDelayMs } = answer.rules;
    if (crawlDelayMs !== null) gate.setDelay(url.host, crawlDelayMs);
    return answer;
  };

  const remember = async (origin: string, fresh: Kept): Promise<void> => {
    try {
      const { unreachable } = await fresh.answer;
      fresh.until = timer.now() + (unreachable === null ? keepMs : keepUnreachableMs);
    } catch {
      origins.delete(origin); // aborted, which the caller is told: nothing was learnt
    }
  };

  const answerFor = (url: URL, signal: AbortSignal): Promise<Answer> => {
    const kept = origins.get(url.origin);
    if (kept !== undefined && kept.until > timer.now()) return kept.answer;
    const fresh: Kept = { answer: read(url, signal), until: Infinity };
    origins.set(url.origin, fresh);
    void remember(url.origin, fresh);
    return fresh.answer;
  };

  return {
    check: async (text, signal) => {
      signal.throwIfAborted();
      const parsed = parseCrawlUrl(text);
      if (!parsed.ok) return { allowed: false, reason: 'disallowed' };
      const { rules, unreachable } = await answerFor(parsed.url, signal);
      if (unreachable !== null) return { allowed: false, reason: 'unreachable', ...unreachable };
      const { pathname, search } = parsed.url;
      return rules.allows(pathname + search) ? { allowed: true } : { allowed: false, reason: 'disallowed' };
    },
    sitemaps: async (text, signal) => {
      const parsed = parseCrawlUrl(text);
      if (!parsed.ok) return [];
      const { rules } = await answerFor(parsed.url, signal);
      return rules.sitemaps.flatMap((sitemap) => {
        const target = parseCrawlUrl(sitemap, parsed.url.href);
        return target.ok ? [target.url.href] : [];
      });
    },
  };
};

const answerOf = (outcome: FetchOutcome, robot: string): Answer => {
  switch (outcome.kind) {
    case 'page':
      return { rules: parseRobots(textOf(outcome.body), robot), unreachable: null };
    case 'skipped':
    case 'not_modified':
    case 'redirected_out':
      return { rules: sameForAll(true), unreachable: null };
    case 'failed': {
      // Section 2.3.1.3: "unavailable" allows everything; 2.3.1.4: "unreachable" disallows everything. A 429 is about
      // our asking, not about the file. Redirects without end count as unavailable (2.3.1.2).
      const { status, code, message } = outcome;
      const unavailable = status !== null && status >= 400 && status < 500 && status !== 429;
      if (unavailable || code === 'too_many_redirects' || code === 'redirect_loop') {
        return { rules: sameForAll(true), unreachable: null };
      }
      const why = `robots.txt of its site could not be read, so that nothing may be fetched: ${message}`;
      return { rules: sameForAll(false), unreachable: { code, message: why } };
    }
  }
};

/** UTF-8 (section 2.3); a line cut at the bound is dropped, since half a pattern forbids more than the whole. */
const textOf = (body: Uint8Array): string => {
  const text = new TextDecoder().decode(body.subarray(0, PARSED_BYTES));
  return body.length > PARSED_BYTES ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
};
