import type {
  FetchOutcome,
  PageFailed,
  PageFetcher,
  PageRequest,
} from '../../application/ports/page-fetcher.ts';
import { parseCrawlUrl } from '../../domain/crawl/crawl-scope.ts';
import { refusalOf } from './address-policy.ts';
import { ACCEPT_ENCODING } from './content-headers.ts';
import { exchange } from './http-exchange.ts';
import {
  type Redirect,
  behindRedirect,
  failed,
  failedByError,
  outcomeOfAnswer,
  refusedUrl,
  wantsBody,
} from './page-outcome.ts';
import { type PolitenessGate, type Timer, systemTimer } from './politeness.ts';
import { productToken } from './robots-rules.ts';
import type { Dispatcher } from 'undici';

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

export interface RetryPolicy {
  /** The first try included. */
  readonly tries: number;
  readonly firstDelayMs: number;
  /** A host that asks for more time is not asked again. */
  readonly maxDelayMs: number;
}
const DEFAULT_RETRY_POLICY: RetryPolicy = { tries: 3, firstDelayMs: 500, maxDelayMs: 30_000 };

/**
 * How long to wait before the next try, in milliseconds, or null for none. Only what may pass is tried again, and never
 * an exchange that already used up its time. Delays double and are spread over their upper half; Retry-After is a lower
 * bound.
 *
 * @param tried how many tries were made, from 1
 * @param random in [0, 1)
 */
const retryDelay = (
  { tries, firstDelayMs, maxDelayMs }: RetryPolicy,
  outcome: FetchOutcome,
  tried: number,
  random: number,
): number | null => {
  if (outcome.kind !== 'failed' || !outcome.transient || spentItsTime(outcome)) return null;
  const askedMs = outcome.retryAfterMs ?? 0;
  if (tried >= tries || askedMs > maxDelayMs) return null;
  const backOff = firstDelayMs * 2 ** (tried - 1) * (0.5 + random / 2);
  return Math.max(askedMs, Math.min(backOff, maxDelayMs));
};

const spentItsTime = ({ code }: PageFailed): boolean => code === 'timed_out' || code === 'too_slow';

interface RequestHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** Whether validators are among them, so that 304 is an answer. */
  readonly conditional: boolean;
}

/** The headers for one hop of `request`, at `url`. No cookies, no credentials, no trace context: pages are strangers. */
const headersFor = (request: PageRequest, url: URL, userAgent: string): RequestHeaders => {
  const validators = validatorsFor(request, url);
  return {
    headers: {
      ...validators,
      'user-agent': userAgent,
      accept: ACCEPT[request.accept ?? 'any'],
      'accept-encoding': ACCEPT_ENCODING,
    },
    conditional: Object.keys(validators).length > 0,
  };
};

const ACCEPT = {
  html: 'text/html,application/xhtml+xml',
  any: 'text/html,application/xhtml+xml,*/*;q=0.8',
} as const;

/** A validator came from a server: one that is not a legal field value is not sent back. */
const validatorsFor = (request: PageRequest, url: URL): Readonly<Record<string, string>> => {
  const validated = parseCrawlUrl(request.validatedUrl ?? request.url);
  if (!validated.ok || validated.url.href !== url.href) return {};
  const { etag, lastModified } = request;
  return {
    ...(isFieldValue(etag) && { 'if-none-match': etag }),
    ...(isFieldValue(lastModified) && { 'if-modified-since': lastModified }),
  };
};

const isFieldValue = (text: string | undefined): text is string =>
  text !== undefined && /^[\x20-\x7e\x80-\xff]+$/.test(text);
