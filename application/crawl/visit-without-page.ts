import type { PageOutcome as Outcome, VisitedPage } from '../ports/crawl-frontier.ts';
import { facts, sourceId, told } from './about-document.ts';
import { ledTo, linksToAdmit } from './admit-links.ts';
import type { Crawl, CrawlDeps } from './crawl-deps.ts';
import type { Fetched } from './fetch-stage.ts';
import { unchangedPage, type Visit, visited } from './visit.ts';

/** Everything but a page with new content. */
export const visitWithoutPage = (
  deps: CrawlDeps,
  crawl: Crawl,
  { owed, outcome }: Fetched,
  at: number,
): Visit => {
  const { url, depth, known, links } = owed;
  const { attempt } = crawl.job.job;
  const plain = (result: Outcome, code: string | null, message: string | null): VisitedPage =>
    visited(url, result, at, attempt, { code, message });
  switch (outcome.kind) {
    case 'page':
    case 'not_modified': {
      const bytes = outcome.kind === 'page' ? outcome.body.byteLength : 0;
      const page = unchangedPage(owed, sourceId(deps, crawl, url), bytes, at, attempt);
      return { page, document: null, links: linksToAdmit(crawl, links, depth) };
    }
    case 'robots':
      return { page: plain('robots', 'robots', 'robots.txt disallows it'), document: null, links: [] };
    case 'redirected_out':
      return { page: plain('skipped', 'redirected_out', outcome.target), document: null, links: [] };
    case 'skipped': {
      const command = { type: 'record_skipped', reason: outcome.reason, ...facts(crawl, url, at) } as const;
      const document = told(deps, crawl, url, known === undefined, command);
      return {
        page: {
          ...plain('skipped', outcome.reason, outcome.mediaType),
          source_id: document?.source_id ?? null,
        },
        document,
        links: [],
      };
    }
    case 'failed': {
      const { code, message, status } = outcome;
      const page = plain('failed', code, message);
      if (status === 404 || status === 410) return gone(deps, crawl, owed, page, at);
      const command = { type: 'record_failed', code, message, ...facts(crawl, url, at) } as const;
      const document = told(deps, crawl, url, known === undefined, command);
      return {
        page: { ...page, source_id: document?.source_id ?? null },
        document,
        links: ledTo(crawl, owed),
      };
    }
  }
};

/** A link to nowhere is an error of the page, not a document; a document that was there is removed. */
const gone = (
  deps: CrawlDeps,
  crawl: Crawl,
  { url, known }: Fetched['owed'],
  page: VisitedPage,
  at: number,
): Visit => {
  if (known === undefined) return { page, document: null, links: [] };
  const { job_id, generation } = facts(crawl, url, at);
  const command = { type: 'remove', reason: 'gone', job_id, generation, at } as const;
  return { page: { ...page, raw_sha256: null }, document: told(deps, crawl, url, false, command), links: [] };
};
