import { type Crawl, type CrawlCreate, KnowledgerError } from '../../clients/typescript/src/index.ts';
import { follow, type StreamedEvent } from './event-stream.ts';
import type { Client } from './client.ts';
import type { Site } from './site.ts';

export const CRAWL = { name: 'A site', max_depth: 10, max_num_files: 1000 };

/** Creates a crawl; answers its record. */
export const crawl = (service: Client, startUrl: string, more: Partial<CrawlCreate> = {}): Promise<Crawl> =>
  service.post('/crawls', { body: { ...CRAWL, start_url: startUrl, ...more } });

/** The id of a source group in which there is nothing: for keys that are restricted to it. */
export const emptyGroup = async (service: Client): Promise<string> =>
  (await crawl(service, 'https://nothing.invalid/')).id;

/** Follows the audit trail of a crawl until an event of one of these types comes; answers all entries so far. */
export const until = async (
  service: Client,
  id: string,
  types: readonly string[],
  after = -1,
  // oxlint-disable-next-line typescript/no-explicit-any -- journeys look into answers of every shape
): Promise<any[]> => {
  const comes = ({ data }: StreamedEvent): boolean => data.revision > after && types.includes(data.type);
  const events = await follow(service, `/crawls/${id}/events`, comes);
  return events.map(({ data }) => data);
};

export const ended = (service: Client, id: string, after = -1) =>
  until(service, id, ['JobSucceeded', 'JobFailed', 'JobCanceled'], after);

/** The record of a crawl whose job is over. */
export const record = (service: Client, id: string): Promise<Crawl> => service.waitFor('/crawls', id);

/** Waits until nobody finds it any more. */
export const gone = async (
  service: Client,
  id: string,
  list: Parameters<Client['waitFor']>[0] = '/crawls',
): Promise<void> => {
  const left = await service.waitFor(list, id).catch((error: unknown) => {
    if (error instanceof KnowledgerError && error.type === 'not_found') return null;
    throw error;
  });
  if (left !== null) throw new Error(`${list}/${id} is still there: ${left.status}`);
};

export const sourcesOf = (service: Client, id: string) =>
  Array.fromAsync(service.all('/sources', { query: { source_group_id: id, limit: 100 } }));

/** Paths of the sources of a crawl with this status, sorted. */
export const pathsOf = async (
  service: Client,
  { origin }: Site,
  id: string,
  status: 'indexed' | 'skipped' | 'failed' = 'indexed',
): Promise<readonly string[]> => {
  const sources = await sourcesOf(service, id);
  return sources
    .filter((source) => source.status === status)
    .map((source) => source.url.slice(origin.length))
    .toSorted();
};

/** What `GET /crawls/{id}/errors` lists: path → code. */
export const errorsOf = async (
  service: Client,
  { origin }: Site,
  id: string,
): Promise<{ readonly [path: string]: string }> => {
  const errors = await Array.fromAsync(service.all('/crawls/{id}/errors', { path: { id } }));
  return Object.fromEntries(errors.map(({ locator, code }) => [locator.slice(origin.length), code]));
};
