import type { VisitStatus as Outcome, VisitedPage } from '../../ports/crawl-frontier.ts';
import { knownLinks, linksToAdmit } from './admit-links.ts';
import type { Crawl } from './crawl-deps.ts';
import type { Fetched } from './fetch-stage.ts';
import { unchangedPage, type Visit, visited } from './visit.ts';

/** The visit for every outcome except a page with new content. */
export const visitWithoutPage = (crawl: Crawl, { pending, outcome }: Fetched, at: number): Visit => {
  const { url, depth, known, links } = pending;
  const { attempt } = crawl.job.state;
  const of = { locator: url, firstSeen: known === undefined, at };
  const plain = (result: Outcome, code: string | null, message: string | null): VisitedPage =>
    visited(url, result, at, attempt, { code, message });
  switch (outcome.kind) {
    case 'page':
    case 'not_modified': {
      const bytes = outcome.kind === 'page' ? outcome.body.byteLength : 0;
      const page = unchangedPage(pending, crawl.documents.idOf(url), bytes, at, attempt);
      return { page, document: null, links: linksToAdmit(crawl, links, depth) };
    }
    case 'robots':
      return { page: plain('robots', 'robots', 'robots.txt disallows it'), document: null, links: [] };
    case 'redirected_out':
      return { page: plain('skipped', 'redirected_out', outcome.target), document: null, links: [] };
    case 'skipped': {
      const { reason, mediaType } = outcome;
      const page = { ...plain('skipped', reason, mediaType), sourceId: crawl.documents.idOf(url) };
      return { page, document: { kind: 'skipped', reason, ...of }, links: [] };
    }
    case 'failed': {
      const { code, message, status } = outcome;
      const page = plain('failed', code, message);
      if (status === 404 || status === 410) return gone(pending, page, at);
      return {
        page: { ...page, sourceId: crawl.documents.idOf(url) },
        document: { kind: 'failed', code, message, ...of },
        links: knownLinks(crawl, pending),
      };
    }
  }
};

/** A dead link is an error of the page, not a document; an existing document is removed. */
const gone = ({ url, known }: Fetched['pending'], page: VisitedPage, at: number): Visit => {
  if (known === undefined) return { page, document: null, links: [] };
  const document = { kind: 'gone', locator: url, firstSeen: false, at } as const;
  return { page: { ...page, rawSha256: null }, document, links: [] };
};
