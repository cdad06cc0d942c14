import type { PageRequest } from '../../application/ports/page-fetcher.ts';
import { parseCrawlUrl } from '../../domain/crawl/crawl-url.ts';
import { ACCEPT_ENCODING } from './content-coding.ts';

export interface RequestHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** Whether validators are among them, so that 304 is an answer. */
  readonly conditional: boolean;
}

/** The headers for one hop of `request`, at `url`. No cookies, no credentials, no trace context: pages are strangers. */
export const headersFor = (request: PageRequest, url: URL, userAgent: string): RequestHeaders => {
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
