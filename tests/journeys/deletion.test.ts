import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { connectEmbeddedPostgres } from '../../adapters/embedded-postgres/server.ts';
import { crawl, gone, until } from '../support/crawls.ts';
import { openJourney } from '../support/journey.ts';
import type { Service } from '../support/service.ts';
import { manyPages } from '../support/site.ts';

const journey = openJourney();
let service: Service;
beforeAll(async () => {
  service = await journey.service({
    KNOWLEDGER_ALLOW_ADDRESSES: '127.0.0.1/32',
    KNOWLEDGER_LOG_LEVEL: 'warn',
  });
}, 120_000);

/** What tables hold of a data source, past everything that the service answers. */
const rowsOf = async (id: string): Promise<object> => {
  const { database } = service.backing;
  const embedded = await connectEmbeddedPostgres({ dataDir: join(service.dataDir, 'postgres') });
  const client = new pg.Client(database === null ? (embedded ?? {}) : { connectionString: database });
  await client.connect();
  try {
    const { rows } = await client.query<object>(
      `select
        (select count(*)::int from read.source where data_source_id = $1 and status <> 'removed') as sources,
        (select count(*)::int from read.source where data_source_id = $1 and indexed is not null) as indexed,
        (select count(*)::int from read.content where data_source_id = $1) as contents,
        (select count(*)::int from read.content_text t
          where not exists (select from read.content c where c.no = t.content_no)) as texts,
        (select count(*)::int from work.crawl_page where data_source_id = $1) as pages,
        (select count(*)::int from work.work_lease where id = $1 and until > now()) as leases`,
      [id],
    );
    return rows[0] ?? {};
  } finally {
    await client.end();
  }
};

const NOTHING = { sources: 0, indexed: 0, contents: 0, texts: 0, pages: 0, leases: 0 };

describe('a crawl that is deleted while its job commits', { timeout: 180_000 }, () => {
  it.each([1, 7, 40, 130])('leaves nothing when %i pages were asked for', async (pages) => {
    const site = await journey.site(manyPages(200));
    const reached = site.holdAfter(pages);
    const { id } = await crawl(service, `${site.origin}/`);
    const release = await reached;
    // Some pages are being read and committed, others have not arrived: they do while the deletion is on its way.
    const deletions = Array.from({ length: 5 }, () => service.api('DELETE', `/crawls/${id}`));
    release();
    for (const { status, body } of await Promise.all(deletions)) {
      expect([status, body.id, body.status]).toEqual([202, id, 'deleting']);
    }
    const trail = await until(service, id, ['DataSourceDeleted', 'DataSourceDeletionFailed']);
    expect(trail.at(-1).type).toBe('DataSourceDeleted');
    expect(trail.filter(({ type }) => type === 'DataSourceDeletionRequested')).toHaveLength(1);

    await gone(service, id);
    expect(await rowsOf(id)).toEqual(NOTHING);
    expect(existsSync(join(service.dataDir, 'files', id))).toBe(false);
    const { body } = await service.api('POST', '/query', {});
    expect(body.contents).toEqual([]);
    for (let again = 0; again < 2; again += 1) {
      expect((await service.api('DELETE', `/crawls/${id}`)).status).toBe(404);
    }
    // Nor did the second wave of requests change the trail.
    const after = await service.api('GET', `/crawls/${id}/events?limit=100`);
    expect(after.body.events).toHaveLength(trail.length);
  });
});
