import type { Dispatcher } from 'undici';
import { SourceRefused } from '../../application/sources/ingestion/listed/listed-source.ts';
import { type ProviderResponse, responseOf, InvalidResponse } from './provider-response.ts';

export interface ProviderRequest {
  readonly url: URL;
  /** Default: GET, or POST with a body. */
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that authenticate the request: no redirect takes them to another origin. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, URLSearchParams as a form. Only redirects of a GET are followed. */
  readonly body?: object | URLSearchParams;
  /** Accepted statuses in addition to 2xx, for example 304. */
  readonly takes?: readonly number[];
  /** Limit of the response body. */
  readonly maxBytes: number;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

/** One attempt: sends the request, follows redirects, and returns the response with its body unread. */
export const follow = async (
  { dispatcher, name, idleTimeoutMs }: FollowOptions,
  request: ProviderRequest,
  signal: AbortSignal,
): Promise<ProviderResponse> => {
  let { url, secretHeaders = {} } = request;
  const method = request.method ?? (request.body === undefined ? 'GET' : 'POST');
  for (let redirects = 0; ; redirects += 1) {
    const sent = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: { 'user-agent': 'knowledger', ...contentType(request), ...request.headers, ...secretHeaders },
      ...(request.body !== undefined && { body: textOf(request.body) }),
      headersTimeout: idleTimeoutMs,
      bodyTimeout: idleTimeoutMs,
      signal,
    });
    const response = responseOf(sent, url, request.maxBytes);
    const location = response.header('location');
    const leadsOn = REDIRECTS.has(response.status) && request.takes?.includes(response.status) !== true;
    if (!leadsOn || location === null || method !== 'GET') return response;
    discard(sent, signal);
    if (redirects === MAX_REDIRECTS) throw new InvalidResponse(`redirects more than ${MAX_REDIRECTS} times`);
    const next = targetOf(name, url, location);
    if (next.origin !== url.origin) secretHeaders = {};
    url = next;
  }
};

interface FollowOptions {
  readonly name: string;
  readonly dispatcher: Dispatcher;
  readonly idleTimeoutMs: number;
}

const MAX_DISCARDED = 16 * 1024;

/** Not awaited; the signal ends it. */
const discard = ({ body }: Pick<Dispatcher.ResponseData, 'body'>, signal: AbortSignal): void =>
  void body.dump({ limit: MAX_DISCARDED, signal }).catch(() => undefined);

const contentType = ({ body }: ProviderRequest): Record<string, string> => {
  if (body === undefined) return {};
  const form = body instanceof URLSearchParams;
  return { 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json' };
};

const textOf = (body: object | URLSearchParams): string =>
  body instanceof URLSearchParams ? body.toString() : JSON.stringify(body);

const targetOf = (name: string, from: URL, location: string): URL => {
  const to = URL.canParse(location, from.href) ? new URL(location, from.href) : null;
  if (to === null || !/^https?:$/.test(to.protocol))
    throw new InvalidResponse('redirects to an invalid address');
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new SourceRefused(
      'address_not_allowed',
      'Address not allowed',
      `${name} sends the service from https to http, where its responses could be tampered with`,
    );
  }
  return to;
};
