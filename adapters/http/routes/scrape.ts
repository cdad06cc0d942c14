import type { Scrape, ScrapedPage } from '../../../application/sources/scrape/scrape.ts';
import { ok } from '../json-response.ts';
import { disconnectSignal } from '../begin-request.ts';
import { type AnyRoute, route } from '../route.ts';
import { ScrapedPage as ScrapedPageSchema, ScrapeRequest } from '../schemas/scrape.ts';
import { ClientGone } from '../stream-response.ts';

export const scrapeRoutes = (scrape: Scrape): readonly AnyRoute[] => [
  route({
    tag: 'scrape',
    scope: 'ingestion:manage',
    method: 'post',
    path: '/scrape',
    operationId: 'scrape',
    summary: 'Read one page, and keep nothing of it',
    description:
      'Under the rules of a web crawl: addresses that are not public are refused unless the operator allows them, ' +
      'robots.txt is obeyed, and size and time are limited.',
    body: ScrapeRequest,
    answers: { 200: ScrapedPageSchema },
    problems: [
      'url_not_allowed',
      'unsupported_file_type',
      'not_configured',
      'provider_error',
      'provider_timeout',
    ],
    handler: async ({ caller, body, res }) => {
      const gone = disconnectSignal(res);
      const request = {
        url: body.url,
        formats: body.formats ?? ['markdown'],
        useBrowser: body.use_browser ?? false,
      };
      const page = await scrape(caller, request, gone).catch((error: unknown) => {
        throw gone.aborted ? new ClientGone() : error;
      });
      return ok(pageRecord(page));
    },
  }),
];

const pageRecord = ({ url, markdown, html, links, metadata }: ScrapedPage) => ({
  url,
  ...(markdown !== undefined && { markdown }),
  ...(html !== undefined && { html }),
  ...(links !== undefined && { links: [...links] }),
  ...(metadata !== undefined && {
    metadata: {
      title: metadata.title,
      ...(metadata.description !== null && { description: metadata.description }),
      ...(metadata.language !== null && { language: metadata.language }),
      ...(metadata.canonicalUrl !== null && { canonical_url: metadata.canonicalUrl }),
      noindex: metadata.noindex,
      nofollow: metadata.nofollow,
      status: metadata.status,
      media_type: metadata.mediaType,
      encoding: metadata.encoding,
      bytes: metadata.bytes,
    },
  }),
});
