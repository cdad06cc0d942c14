import { all, crawl, ended } from './crawls.ts';
import { follow, type StreamedEvent } from './event-stream.ts';
import { eventually } from './eventually.ts';
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
      const { counts, error } = last.data;
      return last.type === 'JobSucceeded' ? counts : (error ?? counts);
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

const OVER = ['JobSucceeded', 'JobFailed', 'JobCanceled', 'DataSourceDeleted'];

/** Data sources of one kind, at a path such as `/wikis`, and what comes of their jobs. */
export const dataSourcesAt = (path: string, service: () => Client) => {
  const ask = async (method: string, of: string, status: number, body?: object) => {
    const answer = await service().api(method, `${path}${of}`, body);
    if (answer.status !== status)
      throw new Error(`${method} ${path}${of} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const over = async (id: string, after = -1) => {
    const comes = ({ data }: StreamedEvent): boolean => data.revision > after && OVER.includes(data.type);
    return (await follow(service(), `${path}/${id}/events`, comes)).at(-1)!.data;
  };
  const newest = async (id: string): Promise<number> =>
    (await ask('GET', `/${id}/events?limit=100`, 200)).events.at(-1).revision;
  const sources = (id: string) => all(service(), `/sources?source_group_id=${id}`, 'sources');
  return {
    create: (body: object) => ask('POST', '', 201, body),
    /** The event that ended the job, or the data source, after this revision. */
    over,
    sources,
    synced: async (id: string, body: object = {}) => {
      const revision = await newest(id);
      await ask('POST', `/${id}/sync`, 202, body);
      return over(id, revision);
    },
    /** Deletes it, and waits until nobody finds it any more; answers the last event, and the documents that are left. */
    deleted: async (id: string) => {
      const revision = await newest(id);
      await ask('DELETE', `/${id}`, 202);
      const { type } = await over(id, revision);
      await eventually(
        () => service().api('GET', `${path}/${id}`),
        ({ status }) => status === 404,
      );
      return { type, left: await sources(id) };
    },
  };
};
