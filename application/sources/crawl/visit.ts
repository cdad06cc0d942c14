import type { AdmittedPage, PendingPage, VisitStatus, VisitedPage } from '../../ports/crawl-frontier.ts';
import type { DocumentFact } from '../ingestion/document-fact.ts';

/** What became of one page: its row in the frontier, the fact about its document, and where it leads. */
export interface Visit {
  readonly page: VisitedPage;
  /** Null: there is no fact about a document. */
  readonly document: DocumentFact | null;
  readonly links: readonly AdmittedPage[];
  /** Of these, those that hold the content of the page in its stead. */
  readonly instead?: readonly AdmittedPage[];
  /** When the content lies elsewhere (redirect): that page's own visit. */
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
  links: [],
  at,
  attempt,
  ...more,
});

/** A visit that found what the last one found. */
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
