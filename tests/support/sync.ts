import { crawl, ended, gone, sourcesOf } from './crawls.ts';
import { follow, type StreamedEvent } from './event-stream.ts';
import type { Client } from './client.ts';
import type { Site } from './site.ts';

/** Crawls a site and syncs it again, always to the end of the job. */
export const synced = async (service: Client, site: Site, parameters: object = {}) => {
  const { id } = await crawl(service, `${site.origin}/`, parameters);
  let last = (await ended(service, id)).at(-1);
  return {
    id,
    last: () => last,
    /** Syncs; answers what was counted, or the error. */
    sync: async (mode: 'incremental' | 'full' = 'incremental') => {
      await service.post('/crawls/{id}/sync', { path: { id }, body: { mode } });
      last = (await ended(service, id, last.revision)).at(-1);
      const { counts, error } = last.data;
      return last.type === 'JobSucceeded' ? counts : (error ?? counts);
    },
  };
};

/** Ids of the contents of one page, by their texts. */
export const contentsOf = async (service: Client, url: string): Promise<ReadonlyMap<string, string>> => {
  const {
    sources: [source],
  } = await service.get('/sources', { query: { url } });
  if (source === undefined) return new Map();
  const contents = service.all('/sources/{id}/contents', { path: { id: source.id } });
  return new Map(await Array.fromAsync(contents, ({ id, text }) => [text, id] as const));
};

const OVER = ['JobSucceeded', 'JobFailed', 'JobCanceled', 'DataSourceDeleted'];

/** Data sources of one kind, and what comes of their jobs. */
export const dataSourcesAt = (path: '/repos' | '/cloud-drives' | '/wikis', service: () => Client) => {
  // oxlint-disable-next-line typescript/no-explicit-any -- journeys look into answers of every shape
  const ask = async (method: 'GET' | 'POST' | 'DELETE', of: string, body?: object): Promise<any> =>
    (await service().raw(method, `${path}${of}`, { body })).json();
  const over = async (id: string, after = -1) => {
    const comes = ({ data }: StreamedEvent): boolean => data.revision > after && OVER.includes(data.type);
    return (await follow(service(), `${path}/${id}/events`, comes)).at(-1)!.data;
  };
  const newest = async (id: string): Promise<number> =>
    (await ask('GET', `/${id}/events?limit=100`)).events.at(-1).revision;
  const sources = (id: string) => sourcesOf(service(), id);
  return {
    create: (body: object) => ask('POST', '', body),
    /** The event that ended the job, or the data source, after this revision. */
    over,
    sources,
    synced: async (id: string, body: object = {}) => {
      const revision = await newest(id);
      await ask('POST', `/${id}/sync`, body);
      return over(id, revision);
    },
    /** Deletes it, and waits until nobody finds it any more; answers the last event, and the documents that are left. */
    deleted: async (id: string) => {
      const revision = await newest(id);
      await ask('DELETE', `/${id}`);
      const { type } = await over(id, revision);
      await gone(service(), id, path);
      return { type, left: await sources(id) };
    },
  };
};
