import { sourcesOf } from '../tests/support/crawls.ts';
import type { Service } from '../tests/support/service.ts';
import type { Site } from '../tests/support/site.ts';
import type { Found } from './faults.ts';
import type { Log } from './log.ts';

/** Every crawl that shows as a success has every page of the site, indexed, once; and each success counted them all. */
export const checkPages = async (service: Service, site: Site, log: Log, found: Found): Promise<number> => {
  const wanted = [...site.pages.keys()].map((path) => `${site.origin}${path}`).toSorted();
  for (const { stream, type, data } of log.events) {
    if (type !== 'JobSucceeded') continue;
    const { counts } = data as { readonly counts: { readonly seen: number; readonly failed: number } };
    if (counts.seen !== wanted.length || counts.failed !== 0)
      found.pages_differ.push(`a job of ${stream} counted ${JSON.stringify(counts)}`);
  }
  const crawls = (await Array.fromAsync(service.all('/crawls'))).filter(({ status }) => status === 'success');
  for (const { id } of crawls) {
    const sources = await sourcesOf(service, id);
    const indexed = sources.filter(
      ({ status, content_count: contentCount }) => status === 'indexed' && contentCount > 0,
    );
    const urls = indexed.map(({ url }) => url).toSorted();
    if (urls.length !== sources.length || urls.join() !== wanted.join())
      found.pages_differ.push(
        `crawl ${id} shows ${sources.length} sources, ${indexed.length} of them indexed`,
      );
  }
  return crawls.length;
};
