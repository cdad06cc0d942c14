import type { FetchFailureCode } from '../../domain/crawl/fetch-failure.ts';
import { BodyTooLarge, ContentCodingBroken } from './content-coding.ts';
import { AddressNotAllowed } from './guarded-connector.ts';
import { TimedOut, TooSlow } from './http-exchange.ts';

export interface ErrorMeaning {
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

/** Codes of node:dns, node:net and undici, or names where undici leaves the code out. TLS has too many: see FORMS. */
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

const FORMS: readonly (readonly [RegExp, ErrorMeaning])[] = [
  [
    /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/,
    meaning('tls_failed', false),
  ],
  [/^HPE_/, meaning('bad_response', false)],
];

/** What an error of an exchange means. Whatever is not known is a connection that broke. */
export const meaningOfError = (error: unknown): ErrorMeaning => {
  const own = OWN_ERRORS.find(([type]) => error instanceof type);
  if (own !== undefined) return own[1];
  const code = codeOf(error);
  return CODES.get(code) ?? FORMS.find(([form]) => form.test(code))?.[1] ?? meaning('connection_lost', true);
};

const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return '';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
};

/** Statuses that may pass: 429 and 5xx, but for those that say "never" (501, 505, 508, 510, 511). */
export const isTransientStatus = (status: number): boolean =>
  status === 408 ||
  status === 425 ||
  status === 429 ||
  (status >= 500 && ![501, 505, 508, 510, 511].includes(status));

/** The text of an error; an AggregateError of node:net has an empty one of its own. */
export const messageOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
};
