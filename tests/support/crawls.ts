import { eventually } from './eventually.ts';
import { follow, type StreamedEvent } from './event-stream.ts';
import type { Answer, Client } from './client.ts';
import type { Site } from './site.ts';

export const CRAWL = { name: 'A site', max_depth: 10, max_num_files: 1000 };

const OVER = ['success', 'failure', 'canceled'];

/** Creates a crawl; answers its record. */
// oxlint-disable-next-line typescript/no-explicit-any -- journeys look into answers of every shape
export const crawl = async (service: Client, startUrl: string, more: object = {}): Promise<any> => {
  const { status, body } = await service.api('POST', '/crawls', { ...CRAWL, start_url: startUrl, ...more });
  if (status !== 201) throw new Error(`POST /crawls answered ${status}: ${JSON.stringify(body)}`);
  return body;
};

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

/** Asks until the answer satisfies: read models follow the stream within moments. */
const asked = (service: Client, path: string, satisfies: (answer: Answer) => boolean): Promise<Answer> =>
  eventually(() => service.api('GET', path), satisfies, path);

/** The record of a crawl whose job is over. */
// oxlint-disable-next-line typescript/no-explicit-any -- journeys look into answers of every shape
export const record = async (service: Client, id: string): Promise<any> =>
  (await asked(service, `/crawls/${id}`, ({ body }) => OVER.includes(body.status))).body;

export const gone = (service: Client, id: string) =>
  asked(service, `/crawls/${id}`, ({ status }) => status === 404);

/** All pages of a list. */
// oxlint-disable-next-line typescript/no-explicit-any -- journeys look into answers of every shape
export const all = async (service: Client, path: string, name: string): Promise<any[]> => {
  const rows = [];
  for (let after = ''; ;) {
    const query = `${path.includes('?') ? '&' : '?'}limit=100${after === '' ? '' : `&after=${after}`}`;
    const { body } = await service.api('GET', `${path}${query}`);
    rows.push(...body[name]);
    if (!body.pagination.has_more) return rows;
    after = body.pagination.next_id;
  }
};

/** Paths of the sources of a crawl with this status, sorted. */
export const pathsOf = async (
  service: Client,
  { origin }: Site,
  id: string,
  status: 'indexed' | 'skipped' | 'failed' = 'indexed',
): Promise<readonly string[]> => {
  const sources = await all(service, `/sources?source_group_id=${id}`, 'sources');
  const paths: string[] = sources
    .filter((source) => source.status === status)
    .map((source) => source.url.slice(origin.length));
  return paths.toSorted();
};

/** What `GET /crawls/{id}/errors` lists: path → code. */
export const errorsOf = async (
  service: Client,
  { origin }: Site,
  id: string,
): Promise<{ readonly [path: string]: string }> => {
  const errors = await all(service, `/crawls/${id}/errors`, 'errors');
  return Object.fromEntries(errors.map(({ locator, code }) => [locator.slice(origin.length), code]));
};
