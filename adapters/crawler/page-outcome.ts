import type {
  FetchedPage,
  PageFailed,
  FetchOutcome,
  PageRequest,
} from '../../application/ports/page-fetcher.ts';
import { refusedUrlInWords, tellableUrl, type UrlRefusal } from '../../domain/crawl/crawl-url.ts';
import type { FetchFailureCode } from '../../domain/crawl/fetch-failure.ts';
import { decodeContent } from './content-coding.ts';
import { sentenceOfError, sentenceOfStatus } from './failure-message.ts';
import { isTransientStatus, meaningOfError } from './failure-of-error.ts';
import type { Exchange, ResponseHead } from './http-exchange.ts';
import { isHtml, parseContentType, sniffMediaType } from './media-type.ts';
import { retryAfterMs } from '../http-client/retry-policy.ts';
import { parseRobotsTag } from './robots-directives.ts';

export interface Redirect {
  readonly kind: 'redirect';
  /** As sent: relative to the URL that answered, perhaps malformed. */
  readonly location: string;
}

export interface OutcomeRules {
  readonly accept: NonNullable<PageRequest['accept']>;
  readonly maxBytes: number;
  /** Product token of the User-Agent. */
  readonly robot: string;
  /** Whether validators were sent: without them 304 is no answer. */
  readonly conditional: boolean;
}

const REDIRECTS = [301, 302, 303, 307, 308];
/** A part that nobody asked for (206) is not the page. */
const isPageStatus = (status: number): boolean => status >= 200 && status < 300 && status !== 206;
const isEmptyStatus = (status: number): boolean => status === 204 || status === 205;

/** Whether the body is worth downloading. A missing media type may be anything. */
export const wantsBody =
  (accept: OutcomeRules['accept']) =>
  (head: ResponseHead): boolean => {
    if (!isPageStatus(head.status) || isEmptyStatus(head.status)) return false;
    const { mediaType } = parseContentType(head.header('content-type'));
    return accept === 'any' || mediaType === '' || isHtml(mediaType);
  };

/** What a complete answer of `url` means. Rejects with the errors of `decodeContent`. */
export const outcomeOfAnswer = async (
  url: URL,
  { head, body }: Exchange,
  rules: OutcomeRules,
): Promise<FetchOutcome | Redirect> => {
  const { status, header } = head;
  const finalUrl = url.href;
  const location = header('location');
  if (REDIRECTS.includes(status) && location !== null) return { kind: 'redirect', location };
  if (status === 304 && rules.conditional) return { kind: 'not_modified', finalUrl };
  const { mediaType } = parseContentType(header('content-type'));
  if (isEmptyStatus(status)) return { kind: 'skipped', finalUrl, reason: 'no_content', mediaType };
  if (!isPageStatus(status)) return failedStatus(url, head);
  if (body === null) return { kind: 'skipped', finalUrl, reason: 'not_html', mediaType };
  const page = await pageOf(url, head, body, rules);
  if (rules.accept === 'any' || isHtml(page.mediaType)) return page;
  return { kind: 'skipped', finalUrl, reason: 'not_html', mediaType: page.mediaType };
};

const pageOf = async (
  url: URL,
  { status, header }: ResponseHead,
  received: Buffer,
  { maxBytes, robot }: OutcomeRules,
): Promise<FetchedPage> => {
  const body = await decodeContent(received, header('content-encoding') ?? '', maxBytes);
  const { mediaType, charset } = parseContentType(header('content-type'));
  return {
    kind: 'page',
    finalUrl: url.href,
    status,
    mediaType: mediaType === '' ? sniffMediaType(body) : mediaType,
    charset,
    body,
    bytes: received.length,
    etag: header('etag'),
    lastModified: header('last-modified'),
    robots: parseRobotsTag(header('x-robots-tag'), robot),
  };
};

const failedStatus = (url: URL, { status, header }: ResponseHead): PageFailed => ({
  ...failed(url.href, 'http_status', sentenceOfStatus(status)),
  status,
  transient: isTransientStatus(status),
  retryAfterMs: retryAfterMs(header('retry-after'), Date.now()),
});

/** A failure that will not pass. */
export const failed = (finalUrl: string, code: FetchFailureCode, message: string): PageFailed => ({
  kind: 'failed',
  finalUrl,
  code,
  message,
  status: null,
  transient: false,
  retryAfterMs: null,
});

/** What an error of the exchange, or of the decoding, with `url` means. */
export const failedByError = (url: URL, error: unknown): PageFailed => {
  const { code, transient } = meaningOfError(error);
  return { ...failed(url.href, code, sentenceOfError(code, url, error)), transient };
};

/** What the site wrote may hold a password: no part of a refused URL is told but what `tellableUrl` lets through. */
export const refusedUrl = (text: string, from: string | undefined, reason: UrlRefusal): PageFailed => {
  const words = refusedUrlInWords(reason);
  const shown = tellableUrl(text, from);
  if (from === undefined)
    return failed(shown ?? '', 'url_not_allowed', `it is ${words}, which is not fetched`);
  const message = `it redirects to ${words}, which is not followed${shown === null ? '' : `: ${shown}`}`;
  return failed(from, 'redirect_not_allowed', message);
};

/** A failure behind a redirect is listed beside the URL that redirects: the sentence says whose it is. */
export const behindRedirect = (outcome: FetchOutcome): FetchOutcome =>
  outcome.kind === 'failed'
    ? { ...outcome, message: `it redirects to ${outcome.finalUrl}, and there ${outcome.message}` }
    : outcome;
