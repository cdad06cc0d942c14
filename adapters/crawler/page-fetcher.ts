import type {
  FetchedPage,
  FetchOutcome,
  PageFetcher,
  PageRequest,
} from '../../application/ports/page-fetcher.ts';
import { parseCrawlUrl } from '../../domain/crawl/crawl-scope.ts';
import { refusalOf } from './address-policy.ts';
import { ACCEPT_ENCODING, isHtml } from './content-headers.ts';
import { type CookieJar, createCookieJars, type JarOf, requestKey } from './cookies.ts';
import { exchange } from './http-exchange.ts';
import {
  type Redirect,
  withRedirectTarget,
  permanentFailure,
  failedByError,
  outcomeOfResponse,
  refusedUrl,
  wantsBody,
} from './page-outcome.ts';
import { type PolitenessGate, type Timer, systemTimer } from './politeness.ts';
import { DEFAULT_RETRY_POLICY, type RetryPolicy, createAnswers, createTries, pauseAskedBy } from './retry.ts';
import { productToken } from './robots-rules.ts';
import type { Dispatcher } from 'undici';

export interface PageFetcherOptions {
  /** A guarded agent (see `createGuardedAgent`): it checks every address before it connects. */
  readonly dispatcher: Dispatcher;
  /**
   * Whether the agent would refuse a URL; see `AddressPolicy.refusesLiteral`. A redirect to such an address fails the
   * page, even if the caller would not follow it. Default: no address is refused.
   */
  readonly refusesTarget?: (url: URL) => boolean;
  readonly gate: PolitenessGate;
  /** `product/version` and a contact, for example `knowledgerbot/1.0 (+https://example.com/bot)`. */
  readonly userAgent: string;
  /** Limit of the body, as received and as decoded. Default 20 MiB. */
  readonly maxBytes?: number;
  /** Timeout of one attempt including redirects, without the time in the per-host queue. Default 30 s. */
  readonly timeoutMs?: number;
  /** How long a body may be slower than `minBytesPerSecond`. Default 30 s. */
  readonly slowMs?: number;
  /** Default 256. */
  readonly minBytesPerSecond?: number;
  readonly retry?: RetryPolicy;
  readonly timer?: Timer;
  readonly jarOf?: JarOf;
  /** In [0, 1): spreads the delays between attempts. */
  readonly random?: () => number;
}

const MAX_REDIRECTS = 10;

type Settings = Required<PageFetcherOptions> & { readonly robot: string };

/**
 * The page fetcher over HTTP/1.1. A page may take `retry.attempts` times `timeoutMs` and the delays between them, and the
 * pauses for which its host asks, as `PageRequest.patienceMs` allows.
 */
export const createPageFetcher = (options: PageFetcherOptions): PageFetcher => {
  const settings: Settings = {
    maxBytes: 20 * 1024 * 1024,
    timeoutMs: 30_000,
    slowMs: 30_000,
    minBytesPerSecond: 256,
    refusesTarget: () => false,
    retry: DEFAULT_RETRY_POLICY,
    timer: systemTimer,
    random: Math.random,
    jarOf: createCookieJars(),
    robot: productToken(options.userAgent),
    ...options,
  };
  const answers = createAnswers();
  return {
    fetchPage: async (request, signal) => {
      signal.throwIfAborted();
      const { gate, retry, random, timer, jarOf } = settings;
      const jar = jarOf(request.session);
      const tries = createTries(retry, answers, random, request.patienceMs);
      for (;;) {
        const outcome = await tryOnce(settings, request, jar, signal);
        answers.note(outcome);
        const delay = tries.delayAfter(outcome);
        pauseHost(gate, outcome, delay, retry.maxDelayMs);
        if (delay === null) return outcome;
        await timer.sleep(delay, signal);
      }
    },
  };
};

/**
 * A host that asks for a pause is left in peace by all while this page waits for it; if the page is given up, for the
 * pause asked for, `mostMs` at most.
 */
const pauseHost = (
  gate: PolitenessGate,
  outcome: FetchOutcome,
  delay: number | null,
  mostMs: number,
): void => {
  const askedMs = outcome.kind === 'failed' ? pauseAskedBy(outcome) : null;
  if (askedMs !== null) gate.postpone(new URL(outcome.finalUrl).host, delay ?? Math.min(askedMs, mostMs));
};

/**
 * Follows redirects itself instead of leaving them to undici, since each target must be canonical, accepted by the
 * caller and new in the chain.
 */
const tryOnce = async (
  settings: Settings,
  request: PageRequest,
  jar: CookieJar,
  signal: AbortSignal,
): Promise<FetchOutcome> => {
  const visited: string[] = [];
  /** A page that has set a cookie may answer something else: only the same request again is a circle. */
  const asked = new Set<string>();
  const budget = { leftMs: settings.timeoutMs };
  let text = request.url;
  while (visited.length <= MAX_REDIRECTS) {
    const from = visited.at(-1);
    const target = parseCrawlUrl(text, from);
    const describeRedirect = visited.length > 1 ? withRedirectTarget : (outcome: FetchOutcome) => outcome;
    if (!target.ok) return describeRedirect(refusedUrl(text, from, target.reason));
    const { url } = target;
    if (from !== undefined) {
      if (asked.has(requestKey(url, jar)))
        return permanentFailure(from, 'redirect_loop', `its redirects lead in a circle, back to ${url.href}`);
      if (settings.refusesTarget(url)) {
        const message = `${from} redirects to ${url.host}: ${refusalOf(url)}`;
        return describeRedirect(permanentFailure(from, 'address_not_allowed', message));
      }
      const follow = (await request.mayFollow?.(url.href)) ?? true;
      if (!follow) return { kind: 'redirected_out', finalUrl: from, target: url.href };
    }
    asked.add(requestKey(url, jar));
    const outcome = await fetchHop(settings, request, url, jar, budget, signal);
    const back = outcome.kind === 'page' ? refreshOf(url, outcome) : null;
    if (back !== null && [...visited, url.href].includes(back.href) && !asked.has(requestKey(back, jar))) {
      visited.push(url.href);
      text = back.href;
      continue;
    }
    if (outcome.kind !== 'redirect') return from === undefined ? outcome : withRedirectTarget(outcome);
    visited.push(url.href);
    text = outcome.location;
  }
  const message = `it leads through more than ${MAX_REDIRECTS} redirects`;
  return permanentFailure(visited.at(-1) ?? request.url, 'too_many_redirects', message);
};

const REFRESH = /<meta\b[^>]*http-equiv\s*=\s*["']?refresh\b[^>]*>/i;

/** The page that a page loads after itself: where it was asked for before a cookie was set, this one was a wall. */
const refreshOf = (url: URL, { mediaType, body }: FetchedPage): URL | null => {
  if (!isHtml(mediaType)) return null;
  const [tag] = REFRESH.exec(new TextDecoder('latin1').decode(body.subarray(0, 4_096))) ?? [];
  if (tag === undefined) return null;
  const [, target = ''] = /\burl\s*=\s*['"]?([^'">\s]+)/i.exec(tag) ?? [];
  return URL.parse(target.replaceAll('&amp;', '&'), url.href);
};

/** One HTTP exchange, after waiting in the per-host queue, within the remaining time of this attempt. */
const fetchHop = async (
  settings: Settings,
  request: PageRequest,
  url: URL,
  jar: CookieJar,
  budget: { leftMs: number },
  signal: AbortSignal,
): Promise<FetchOutcome | Redirect> => {
  const { dispatcher, gate, timer, robot, slowMs, minBytesPerSecond } = settings;
  const accept = request.accept ?? 'any';
  const maxBytes = Math.min(request.maxBytes ?? Infinity, settings.maxBytes);
  const { headers, conditional } = headersFor(request, url, jar, settings.userAgent);
  const release = await gate.acquire(url.host, signal);
  const started = timer.now();
  try {
    const limits = { maxBytes, timeoutMs: Math.max(1, budget.leftMs), slowMs, minBytesPerSecond };
    const wanted = { url, headers, wantsBody: wantsBody(accept), ...limits };
    const response = await exchange(dispatcher, wanted, timer.now, signal);
    jar.take(url, response.head.setCookies);
    return await outcomeOfResponse(url, response, { accept, maxBytes, robot, conditional });
  } catch (error) {
    signal.throwIfAborted();
    return failedByError(url, error);
  } finally {
    budget.leftMs -= timer.now() - started;
    release();
  }
};

interface RequestHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** Whether validators are included, so that 304 is a valid response. */
  readonly conditional: boolean;
}

/**
 * The headers for one hop of `request`, at `url`. No cookies of other hosts, no credentials, no trace context: sites
 * are untrusted.
 */
const headersFor = (request: PageRequest, url: URL, jar: CookieJar, userAgent: string): RequestHeaders => {
  const cookie = jar.headerFor(url);
  const validators = validatorsFor(request, url);
  return {
    headers: {
      ...validators,
      ...(cookie !== null && { cookie }),
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

/** Validators come from servers; those that are not valid header field values are not sent. */
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
