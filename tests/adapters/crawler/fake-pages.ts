import type {
  FetchedPage,
  PageFetcher,
  FetchOutcome,
  PageRequest,
} from '../../../application/ports/page-fetcher.ts';

export const page = (
  url: string,
  body: string | Uint8Array,
  more: Partial<FetchedPage> = {},
): FetchedPage => {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return {
    kind: 'page',
    finalUrl: url,
    status: 200,
    mediaType: 'text/plain',
    charset: null,
    body: bytes,
    bytes: bytes.length,
    etag: null,
    lastModified: null,
    robots: { noindex: false, nofollow: false },
    ...more,
  };
};

export const failedWith = (url: string, status: number | null): FetchOutcome => ({
  kind: 'failed',
  finalUrl: url,
  code: status === null ? 'connect_failed' : 'http_status',
  message: 'it failed',
  status,
  transient: false,
  retryAfterMs: null,
});

/** Answers from a table; what is not in it is 404. */
export const fakePages = (answer: (request: PageRequest) => FetchOutcome | undefined) => {
  const asked: string[] = [];
  const pages: PageFetcher = {
    fetchPage: async (request, signal) => {
      signal.throwIfAborted();
      asked.push(request.url);
      return answer(request) ?? failedWith(request.url, 404);
    },
  };
  return { pages, asked };
};
