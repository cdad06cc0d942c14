import type {
  FetchOutcome,
  FetchedPage,
  PageFailed,
  PageRequest,
} from '../../application/ports/page-fetcher.ts';
import { type UrlRefusal, describeUrlRefusal, redactedUrl } from '../../domain/crawl/crawl-scope.ts';
import type { FetchFailureCode } from '../../domain/crawl/fetch-failure.ts';
import { fileNameIn } from './content-disposition.ts';
import {
  BodyTooLarge,
  ContentCodingBroken,
  decodeContent,
  isHtml,
  parseContentType,
  retryAfterMs,
  sniffMediaType,
  urlInHeader,
} from './content-headers.ts';
import { AddressNotAllowed } from './guarded-connector.ts';
import { type Exchange, type ResponseHead, TimedOut, TooSlow } from './http-exchange.ts';
import { parseRobotsTag } from './robots-rules.ts';
import { STATUS_CODES } from 'node:http';

export interface Redirect {
  readonly kind: 'redirect';
  /** As sent: relative to the responding URL, perhaps malformed. */
  readonly location: string;
}

interface OutcomeRules {
  readonly accept: NonNullable<PageRequest['accept']>;
  readonly maxBytes: number;
  /** Product token of the User-Agent. */
  readonly robot: string;
  /** Whether validators were sent; without them, 304 is not a valid response. */
  readonly conditional: boolean;
}

const REDIRECTS = [301, 302, 303, 307, 308];
/** 206 is rejected: we never request a range. */
const isPageStatus = (status: number): boolean => status >= 200 && status < 300 && status !== 206;
const isEmptyStatus = (status: number): boolean => status === 204 || status === 205;

/** Whether to download the body. A missing media type may be anything. */
export const wantsBody =
  (accept: OutcomeRules['accept']) =>
  (head: ResponseHead): boolean => {
    if (!isPageStatus(head.status) || isEmptyStatus(head.status)) return false;
    const { mediaType } = parseContentType(head.header('content-type'));
    return accept === 'any' || mediaType === '' || isHtml(mediaType);
  };

/** Maps the complete response of `url` to an outcome. Rejects with the errors of `decodeContent`. */
export const outcomeOfResponse = async (
  url: URL,
  { head, body }: Exchange,
  rules: OutcomeRules,
): Promise<FetchOutcome | Redirect> => {
  const { status, header } = head;
  const finalUrl = url.href;
  const location = header('location');
  if (REDIRECTS.includes(status) && location !== null)
    return { kind: 'redirect', location: urlInHeader(location) };
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
  const fileName = fileNameIn(header('content-disposition'));
  return {
    kind: 'page',
    finalUrl: url.href,
    status,
    mediaType: mediaType === '' ? sniffMediaType(body) : mediaType,
    charset,
    ...(fileName !== null && { fileName }),
    body,
    bytes: received.length,
    etag: header('etag'),
    lastModified: header('last-modified'),
    robots: parseRobotsTag(header('x-robots-tag'), robot),
  };
};

const failedStatus = (url: URL, { status, header }: ResponseHead): PageFailed => ({
  ...permanentFailure(url.href, 'http_status', statusMessage(status)),
  status,
  transient: isTransientStatus(status),
  retryAfterMs: retryAfterMs(header('retry-after'), Date.now()),
});

/** A permanent failure. */
export const permanentFailure = (finalUrl: string, code: FetchFailureCode, message: string): PageFailed => ({
  kind: 'failed',
  finalUrl,
  code,
  message,
  status: null,
  transient: false,
  retryAfterMs: null,
});

/** Maps an error of the exchange with `url`, or of decoding, to a failure. */
export const failedByError = (url: URL, error: unknown): PageFailed => {
  const { code, transient } = meaningOfError(error);
  return { ...permanentFailure(url.href, code, errorMessage(code, url, error)), transient };
};

/** A URL from a site may contain a password: only the part that `redactedUrl` returns is reported. */
export const refusedUrl = (text: string, from: string | undefined, reason: UrlRefusal): PageFailed => {
  const words = describeUrlRefusal(reason);
  const shown = redactedUrl(text, from);
  if (from === undefined)
    return permanentFailure(shown ?? '', 'url_not_allowed', `it is ${words}; such URLs are not fetched`);
  const message = `it redirects to ${words}; such redirects are not followed${shown === null ? '' : `: ${shown}`}`;
  return permanentFailure(from, 'redirect_not_allowed', message);
};

/** A failure after a redirect is reported for the redirecting URL; the message names the target that failed. */
export const withRedirectTarget = (outcome: FetchOutcome): FetchOutcome =>
  outcome.kind === 'failed'
    ? { ...outcome, message: `it redirects to ${outcome.finalUrl}, and there ${outcome.message}` }
    : outcome;

/**
 * The message for users about an error of an exchange with `url`. It omits the URL, since error lists show it next to
 * the message.
 */
const errorMessage = (code: FetchFailureCode, url: URL, error: unknown): string => {
  const detail = messageOf(error);
  const because = detail === '' ? '' : ` (${detail})`;
  switch (code) {
    case 'dns_failed':
      return `the host name ${url.hostname} could not be resolved${because}`;
    case 'connect_failed':
      return `no connection to ${url.host} could be made${because}`;
    case 'tls_failed':
      return `no secure connection to ${url.host} could be made${because}`;
    case 'connection_lost':
      return `the connection to ${url.host} broke before the response was complete${because}`;
    case 'bad_response':
      return `${url.host} sent a response that is not valid HTTP${because}`;
    case 'timed_out':
      return `${url.host} did not respond in time${because}`;
    case 'too_slow':
      return `${url.host} sent its response too slowly${because}`;
    case 'too_large':
      return `the response is too large${because}`;
    case 'headers_too_large':
      return `the headers of the response are too large${because}`;
    case 'content_coding_broken':
      return `the response could not be decompressed${because}`;
    case 'address_not_allowed':
      return `the address may not be reached${because}`;
    case 'url_not_allowed':
    case 'browser_failed':
    case 'out_of_memory':
    case 'http_status':
    case 'redirect_loop':
    case 'too_many_redirects':
    case 'redirect_not_allowed':
      return `it could not be fetched${because}`;
  }
};

const statusMessage = (status: number): string => {
  const name = STATUS_CODES[status];
  return name === undefined ? `the server answered ${status}` : `the server answered ${status} (${name})`;
};

interface ErrorMeaning {
  readonly code: FetchFailureCode;
  readonly transient: boolean;
}

const meaning = (code: FetchFailureCode, transient: boolean): ErrorMeaning => ({ code, transient });
const OWN_ERRORS: readonly (readonly [new (...args: never[]) => Error, ErrorMeaning])[] = [
  [AddressNotAllowed, meaning('address_not_allowed', false)],
  [BodyTooLarge, meaning('too_large', false)],
  [ContentCodingBroken, meaning('content_coding_broken', false)],
  [TimedOut, meaning('timed_out', true)],
  [TooSlow, meaning('too_slow', true)],
];

/** Codes of node:dns, node:net and undici, or names where undici has no code. TLS has too many: see PATTERNS. */
const CODES: ReadonlyMap<string, ErrorMeaning> = new Map([
  ['ENOTFOUND', meaning('dns_failed', false)],
  ['EAI_AGAIN', meaning('dns_failed', true)],
  ['EAI_FAIL', meaning('dns_failed', true)],
  ['ECONNREFUSED', meaning('connect_failed', true)],
  ['EHOSTUNREACH', meaning('connect_failed', true)],
  ['ENETUNREACH', meaning('connect_failed', true)],
  ['ETIMEDOUT', meaning('connect_failed', true)],
  ['UND_ERR_CONNECT_TIMEOUT', meaning('connect_failed', true)],
  ['EPROTO', meaning('tls_failed', false)],
  ['UND_ERR_HEADERS_TIMEOUT', meaning('timed_out', true)],
  ['UND_ERR_BODY_TIMEOUT', meaning('timed_out', true)],
  ['UND_ERR_HEADERS_OVERFLOW', meaning('headers_too_large', false)],
  ['HTTPParserError', meaning('bad_response', false)],
]);

const PATTERNS: readonly (readonly [RegExp, ErrorMeaning])[] = [
  [
    /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/,
    meaning('tls_failed', false),
  ],
  [/^HPE_/, meaning('bad_response', false)],
];

/** Classifies an error of an exchange. An unknown error counts as a lost connection. */
const meaningOfError = (error: unknown): ErrorMeaning => {
  const own = OWN_ERRORS.find(([type]) => error instanceof type);
  if (own !== undefined) return own[1];
  const code = codeOf(error);
  return CODES.get(code) ?? PATTERNS.find(([re]) => re.test(code))?.[1] ?? meaning('connection_lost', true);
};

const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return '';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
};

/** Transient statuses: 408, 425, 429 and 5xx, except permanent ones (501, 505, 508, 510, 511). */
const isTransientStatus = (status: number): boolean =>
  status === 408 ||
  status === 425 ||
  status === 429 ||
  (status >= 500 && ![501, 505, 508, 510, 511].includes(status));

/** The message of an error; for an AggregateError of node:net, whose own message is empty, that of its causes. */
const messageOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
};
