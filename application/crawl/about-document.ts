import type { SourceCommand } from '../../domain/source/index.ts';
import { derivedId } from '../derived-id.ts';
import type { Crawl, CrawlDeps } from './crawl-deps.ts';
import type { Visit } from './visit.ts';

/** The same page of the same data source is always the same source. */
export const sourceId = ({ hash }: CrawlDeps, { run }: Crawl, url: string): string =>
  derivedId(hash, 'source', run.data_source_id, url);

/** What every fact about a document says of the visit. */
export const facts = (crawl: Crawl, locator: string, at: number) => ({
  data_source_id: crawl.run.data_source_id,
  source_type: 'crawl' as const,
  locator,
  job_id: crawl.job.job.job_id,
  generation: crawl.run.generation,
  at,
});

export const told = (
  deps: CrawlDeps,
  crawl: Crawl,
  url: string,
  firstSeen: boolean,
  command: SourceCommand,
): Visit['document'] => ({ source_id: sourceId(deps, crawl, url), command, firstSeen });
