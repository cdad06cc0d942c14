import type { AdmittedPage, PendingPage, VisitStatus, VisitedPage } from '../../ports/crawl-frontier.ts';
import type { DocumentFact } from '../ingestion/document-fact.ts';

/** The result of visiting a page: its row in the frontier, the fact about its document, and its links. */
export interface Visit {
  readonly page: VisitedPage;
  /** Null: the visit leads to no fact about a document. */
  readonly document: DocumentFact | null;
  readonly links: readonly AdmittedPage[];
  /** The subset of `links` that has the content of this page instead of it. */
  readonly instead?: readonly AdmittedPage[];
  /** After a redirect: the visit of the target page. */
  readonly also?: Visit;
}

export const visited = (
  url: string,
  outcome: VisitStatus,
  at: number,
  attempt: number,
  more: Partial<VisitedPage> = {},
): VisitedPage => ({
  url,
  outcome,
  sourceId: null,
  code: null,
  message: null,
  bytes: 0,
  etag: null,
  lastModified: null,
  rawSha256: null,
  textSha256: null,
  links: [],
  at,
  attempt,
  ...more,
});

/** A visit with the same result as the last one. */
export const unchangedPage = (
  { url, known, links }: PendingPage,
  sourceId: string,
  bytes: number,
  at: number,
  attempt: number,
): VisitedPage =>
  visited(url, 'unchanged', at, attempt, {
    sourceId,
    bytes,
    etag: known?.etag ?? null,
    lastModified: known?.lastModified ?? null,
    rawSha256: known?.rawSha256 ?? null,
    links,
  });
