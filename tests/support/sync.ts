import { crawl, ended } from './crawls.ts';
import type { Client } from './client.ts';
import type { Site } from './site.ts';

/** Crawls a site and syncs it again, always to the end of the job. */
export const synced = async (service: Client, site: Site, parameters: object = {}) => {
  const { id } = await crawl(service, `${site.origin}/`, parameters);
  let last = (await ended(service, id)).at(-1);
  return {
    id: id as string,
    last: () => last,
    /** Syncs; answers what was counted, or the error. */
    sync: async (mode: 'incremental' | 'full' = 'incremental') => {
      const answer = await service.api('POST', `/crawls/${id}/sync`, { mode });
      if (answer.status !== 202) throw new Error(`sync answered ${answer.status}`);
      last = (await ended(service, id, last.revision)).at(-1);
      return last.data.error ?? last.data.counts;
    },
  };
};

/** Ids of the contents of one page, by their texts. */
export const contentsOf = async (service: Client, url: string): Promise<ReadonlyMap<string, string>> => {
  const { body } = await service.api('GET', `/sources?url=${encodeURIComponent(url)}`);
  const [source] = body.sources;
  if (source === undefined) return new Map();
  const { body: page } = await service.api('GET', `/sources/${source.id}/contents?limit=100`);
  return new Map(page.contents.map(({ id, text }: { id: string; text: string }) => [text, id]));
};
