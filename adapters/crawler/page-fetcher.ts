import type { Dispatcher } from 'undici';
import type { PageFetcher, FetchOutcome, PageRequest } from '../../application/ports/page-fetcher.ts';
import { parseCrawlUrl } from '../../domain/crawl/crawl-url.ts';
import { refusalOf } from './address-policy.ts';
import { exchange } from './http-exchange.ts';
import {
  behindRedirect,
  failed,
  failedByError,
  outcomeOfAnswer,
  refusedUrl,
  wantsBody,
} from './page-outcome.ts';
import type { Redirect } from './page-outcome.ts';
import type { PolitenessGate } from './politeness.ts';
import { productToken } from './robots-directives.ts';
import { headersFor } from './request-headers.ts';
import { DEFAULT_RETRY_POLICY, retryDelay } from './retry-policy.ts';
import type { RetryPolicy } from '../http-client/retry-policy.ts';
import { systemTimer } from './timer.ts';
import type { Timer } from './timer.ts';

export interface PageFetcherOptions {
  /** A guarded agent (see `createGuardedAgent`): it checks every address that is connected to. */
  readonly dispatcher: Dispatcher;
  /**
   * Whether a URL names an address that the agent would refuse; see `AddressPolicy.refusesLiteral`. A redirect there
   * is a failure of the page, whether or not the caller would have followed it. Default: none is known to be.
   */
  readonly refusesTarget?: (url: URL) => boolean;
  readonly gate: PolitenessGate;
  /** `product/version` and a contact, for example `knowledgerbot/1.0 (+https://example.com/bot)`. */
  readonly userAgent: string;
  /** Default 20 MiB, as received and decoded. */
  readonly maxBytes?: number;
  /** For one try with all its redirects; waiting for the host's turn does not count. Default 30 s. */
  readonly timeoutMs?: number;
  /** Default 10 s. */
  readonly idleMs?: number;
  /** Default 256. */
  readonly minBytesPerSecond?: number;
  /** Default 10. */
  readonly maxRedirects?: number;
  readonly retry?: RetryPolicy;
  readonly timer?: Timer;
  /** In [0, 1): spreads the delays between tries. */
  readonly random?: () => number;
}

type Settings = Required<PageFetcherOptions> & { readonly robot: string };

/** The page fetcher over HTTP/1.1. A page may take `retry.tries` times `timeoutMs`, and the delays between them. */
export const createPageFetcher = (options: PageFetcherOptions): PageFetcher => {
  const settings: Settings = {
    maxBytes: 20 * 1024 * 1024,
    timeoutMs: 30_000,
    idleMs: 10_000,
    minBytesPerSecond: 256,
    maxRedirects: 10,
    refusesTarget: () => false,
    retry: DEFAULT_RETRY_POLICY,
    timer: systemTimer,
    random: Math.random,
    robot: productToken(options.userAgent),
    ...options,
  };
  return {
    fetchPage: async (request, signal) => {
      signal.throwIfAborted();
      for (let tried = 1; ; tried += 1) {
        const outcome = await tryOnce(settings, request, signal);
        postponeHost(settings.gate, outcome);
        const delay = retryDelay(settings.retry, outcome, tried, settings.random());
        if (delay === null) return outcome;
        await settings.timer.sleep(delay, signal);
      }
    },
  };
};

/** When a host asks for time, no other request disturbs it either. */
const postponeHost = (gate: PolitenessGate, outcome: FetchOutcome): void => {
  if (outcome.kind !== 'failed' || outcome.retryAfterMs === null) return;
  gate.postpone(new URL(outcome.finalUrl).host, outcome.retryAfterMs);
};

/** Follows redirects by itself, since each target must be canonical, wanted by the caller, and new in this chain. */
const tryOnce = async (
  settings: Settings,
  request: PageRequest,
  signal: AbortSignal,
): Promise<FetchOutcome> => {
  const visited: string[] = [];
  const budget = { leftMs: settings.timeoutMs };
  let text = request.url;
  while (visited.length <= settings.maxRedirects) {
    const from = visited.at(-1);
    const target = parseCrawlUrl(text, from);
    const reported = visited.length > 1 ? behindRedirect : (outcome: FetchOutcome) => outcome;
    if (!target.ok) return reported(refusedUrl(text, from, target.reason));
    const { url } = target;
    if (from !== undefined) {
      if (visited.includes(url.href))
        return failed(from, 'redirect_loop', `its redirects lead in a circle, back to ${url.href}`);
      if (settings.refusesTarget(url)) {
        const message = `${from} redirects to ${url.host}: ${refusalOf(url)}`;
        return reported(failed(from, 'address_not_allowed', message));
      }
      const follow = (await request.mayFollow?.(url.href)) ?? true;
      if (!follow) return { kind: 'redirected_out', finalUrl: from, target: url.href };
    }
    const outcome = await visit(settings, request, url, budget, signal);
    if (outcome.kind !== 'redirect') return from === undefined ? outcome : behindRedirect(outcome);
    visited.push(url.href);
    text = outcome.location;
  }
  const { maxRedirects } = settings;
  const message = `it leads through more than ${maxRedirects} redirects`;
  return failed(visited.at(-1) ?? request.url, 'too_many_redirects', message);
};

/** One exchange in the host's turn, within what is left of the time for this try. */
const visit = async (
  settings: Settings,
  request: PageRequest,
  url: URL,
  budget: { leftMs: number },
  signal: AbortSignal,
): Promise<FetchOutcome | Redirect> => {
  const { dispatcher, gate, timer, robot, idleMs, minBytesPerSecond } = settings;
  const accept = request.accept ?? 'any';
  const maxBytes = Math.min(request.maxBytes ?? Infinity, settings.maxBytes);
  const { headers, conditional } = headersFor(request, url, settings.userAgent);
  const release = await gate.acquire(url.host, signal);
  const started = timer.now();
  try {
    const limits = { maxBytes, timeoutMs: Math.max(1, budget.leftMs), idleMs, minBytesPerSecond };
    const wanted = { url, headers, wantsBody: wantsBody(accept), ...limits };
    const answer = await exchange(dispatcher, wanted, timer.now, signal);
    return await outcomeOfAnswer(url, answer, { accept, maxBytes, robot, conditional });
  } catch (error) {
    signal.throwIfAborted();
    return failedByError(url, error);
  } finally {
    budget.leftMs -= timer.now() - started;
    release();
  }
};
