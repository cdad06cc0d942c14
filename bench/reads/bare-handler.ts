// The least that answers GET /contents/{id} and GET /crawls from the database, with the tenant, columns and indexes that
// the program uses. Takes the configuration of its pool, the tenant and whether to prepare statements by name, tells its
// address.
import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';

const CONTENT = `
  select c.id, x.text, s.url, s.title, c.timestamp, c.file_type, c.page_number, c.source_type, s.id as source_id,
    s.keywords
  from read.content c
  join read.source s on s.no = c.source_no
  join read.content_text x on x.content_no = c.no
  where c.tenant = $1 and c.id = $2`;

const CRAWLS = `
  select d.doc, s.name, (select n from read.data_source_count where tenant = $1 and list = 'crawl') as total
  from read.data_source d
  left join read.ingestion_setting s on s.id = d.ingestion_setting_id
  where d.tenant = $1 and d.kind = 'crawl' and d.status <> 'removed'
  order by d.id desc limit $2`;
const LIMIT = 20;

interface CrawlRow {
  readonly name: string | null;
  readonly doc: {
    readonly id: string;
    readonly status: string;
    readonly ingestion_setting_id: string;
    readonly subject: { readonly start_url: string };
    readonly created_at: number;
    readonly started_at: number;
    readonly ended_at: number;
    readonly counts: object;
    readonly metadata: readonly object[];
  };
}

interface Given extends pg.PoolConfig {
  readonly tenant: string;
  readonly prepared: boolean;
}

process.once('message', ({ tenant, prepared, ...config }: Given) => {
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool(config);
  pool.on('error', () => {});
  const query = (name: string, text: string, values: unknown[]) =>
    prepared ? pool.query({ name, text, values }) : pool.query(text, values);
  const app = express();
  app.get('/contents/:id', (request, response, next) => {
    query('content', CONTENT, [tenant, request.params.id]).then(
      ({ rows: [content] }) =>
        content === undefined ? response.status(404).json({ error: 'not found' }) : response.json(content),
      next,
    );
  });
  app.get('/crawls', (_request, response, next) => {
    query('crawls', CRAWLS, [tenant, LIMIT + 1]).then(({ rows }) => {
      const crawls = rows.slice(0, LIMIT).map(crawlOf);
      const hasMore = rows.length > LIMIT;
      return response.json({
        crawls,
        pagination: { limit: LIMIT, has_more: hasMore, total: rows[0]?.total ?? 0 },
      });
    }, next);
  });
  const server = app.listen(0, '127.0.0.1', () => {
    process.send?.({ base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
});
process.on('disconnect', () => process.exit());

const crawlOf = ({ doc, name }: CrawlRow): object => ({
  id: doc.id,
  name,
  status: doc.status,
  ingestion_setting_id: doc.ingestion_setting_id,
  start_url: doc.subject.start_url,
  creation_time: Math.floor(doc.created_at / 1000),
  start_time: Math.floor(doc.started_at / 1000),
  end_time: Math.floor(doc.ended_at / 1000),
  progress: doc.counts,
  metadata: { records: doc.metadata },
});
