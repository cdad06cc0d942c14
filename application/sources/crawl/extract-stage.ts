import type { FoundDocument, ReadDocument } from '../ingestion/read-documents.ts';
import type { Crawl, CrawlDeps } from './crawl-deps.ts';
import type { Fetched, WithPage } from './fetch-stage.ts';
import type { Visit } from './visit.ts';
import { visitOfPage } from './visit-of-page.ts';
import { visitWithoutPage } from './visit-without-page.ts';

/** Turns fetched pages into visits, for which it has those read that changed. @throws as `Documents.read` */
export const visitsOf = async (
  deps: CrawlDeps,
  crawl: Crawl,
  batch: readonly Fetched[],
  signal: AbortSignal,
): Promise<readonly Visit[]> => {
  const at = deps.clock.now();
  const changed = batch.filter((fetched): fetched is WithPage => isNew(deps, crawl, fetched));
  const found = changed.map((fetched) => foundIn(deps, fetched));
  const read = await crawl.documents.read(found, signal);
  const visits = new Map(
    changed.map((fetched, i) => [fetched.owed.url, visitOfPage(crawl, fetched, at, read[i] as ReadDocument)]),
  );
  return batch.map((fetched) => visits.get(fetched.owed.url) ?? visitWithoutPage(crawl, fetched, at));
};

const foundIn = ({ robotName }: CrawlDeps, { outcome }: WithPage): FoundDocument => ({
  body: outcome.body,
  mediaType: outcome.mediaType,
  ...(outcome.charset !== null && { charset: outcome.charset }),
  url: outcome.finalUrl,
  robotName,
});

/** The content hash is the judge: a page whose bytes are those of its last success is not extracted again. */
const isNew = ({ hash }: CrawlDeps, crawl: Crawl, { owed, outcome }: Fetched): boolean => {
  if (outcome.kind !== 'page') return false;
  if (owed.known === undefined || owed.known.failed || crawl.job.job.mode === 'full') return true;
  return outcome.finalUrl !== owed.url || hash.sha256(outcome.body) !== owed.known.rawSha256;
};
