import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, withKey } from '../support/client.ts';
import { crawl, ended, gone, until } from '../support/crawls.ts';
import { eventually } from '../support/eventually.ts';
import { openJourney } from '../support/journey.ts';
import type { Service } from '../support/service.ts';
import { manyPages, page, type PageAnswer, type Site } from '../support/site.ts';

const journey = openJourney();
let service: Service;
let others: readonly Client[];
let small: Site;
let long: readonly string[];

/** A site without an end: each page leads to ten more, and takes its time. */
const endless: PageAnswer = (request, response) => {
  const links = Array.from({ length: 10 }, (_, nth) => `${request.url}${nth}/`);
  const send = (): void => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(page('One of many', 'This page takes its time.', links));
  };
  setTimeout(send, 100);
};

const statuses = async (): Promise<readonly string[]> => {
  const records = await Promise.all(long.map((id) => service.api('GET', `/crawls/${id}`)));
  return records.map(({ body }) => body.status);
};

beforeAll(async () => {
  const slow = await journey.site({ '*': endless });
  small = await journey.site(manyPages(4));
  service = await journey.service({ KNOWLEDGER_ALLOW_ADDRESSES: `${slow.host},${small.host}` });
  others = await Promise.all(
    ['Other', 'Another', 'Third'].map(async (name) => {
      const { output } = await service.command('tenant', name);
      return withKey(service, /kn_\S+/.exec(output)![0]);
    }),
  );
  const crawls = Array.from({ length: 8 }, () => crawl(service, `${slow.origin}/`, { max_num_files: 5_000 }));
  long = (await Promise.all(crawls)).map(({ id }) => id);
  await eventually(statuses, (found) => found.filter((one) => one === 'started').length === 4, 'four crawls');
}, 120_000);

describe('beside eight crawls of one tenant that go on and on', { timeout: 120_000 }, () => {
  it('crawls and deletions of others begin and end', async () => {
    await Promise.all(
      others.map(async (other) => {
        const { id } = await crawl(other, `${small.origin}/`);
        expect((await ended(other, id)).at(-1)).toMatchObject({ type: 'JobSucceeded' });
        await other.delete('/crawls/{id}', { path: { id } });
        await gone(other, id);
        await until(other, id, ['DataSourceDeleted']);
      }),
    );
  });

  it('no attempt of a long crawl ends, and none is told apart from the first', async () => {
    const found = await statuses();
    expect(new Set(found)).toEqual(new Set(['started', 'queued']));
    expect(found.filter((status) => status === 'started')).toHaveLength(4);
  });
});
