import { crawl, ended } from '../../tests/support/crawls.ts';
import { type Service, startService } from '../../tests/support/service.ts';
import type { Site } from './site.ts';

/** Fetches at once, for the program and for its rivals. */
export const FETCHES = 10;

/** The program as a user starts it, in a data directory of its own, allowed to crawl the site. */
export const startProgram = (
  { host }: Site,
  cleanup: AsyncDisposableStack,
  env: { readonly [name: string]: string } = {},
): Promise<Service> => {
  const starting = startService({
    KNOWLEDGER_ALLOW_ADDRESSES: host,
    KNOWLEDGER_CRAWL_CONCURRENCY: String(FETCHES),
    KNOWLEDGER_LOG_LEVEL: 'warn',
    ...env,
  });
  // From now on: a bench that is interrupted while the program starts leaves nothing running.
  cleanup.defer(() =>
    starting.then(
      ({ dispose }) => dispose(),
      () => {},
    ),
  );
  return starting;
};

/** Crawls the whole site; answers how many documents were stored. @throws when the job does not succeed */
export const crawlSite = async (service: Service, { startUrl, word }: Site): Promise<number> => {
  const { id } = await crawl(service, startUrl, { max_num_files: 100_000 });
  const last = (await ended(service, id)).at(-1);
  if (last?.type !== 'JobSucceeded') throw new Error(`the crawl ended with ${JSON.stringify(last)}`);
  await searchable(service, word);
  return last.data.counts.indexed;
};

const searchable = async (service: Service, query: string): Promise<void> => {
  const { status, body } = await service.api('POST', '/search', { query, limit: 1 });
  if (status !== 200) throw new Error(`POST /search answered ${status}: ${JSON.stringify(body)}`);
  if (body.results.length === 0) throw new Error(`nothing was found for "${query}" after the crawl`);
};
