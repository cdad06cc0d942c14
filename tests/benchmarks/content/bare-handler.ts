// The least that answers GET /contents/{id} from the database. Takes the configuration of its pool, tells its address.
import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';

const CONTENT = `
  select c.id, x.text, s.url, s.title, c.timestamp, c.file_type, c.page_number, c.source_type, s.id as source_id,
    s.keywords
  from read.content c
  join read.source s on s.no = c.source_no
  join read.content_text x on x.content_no = c.no
  where c.id = $1`;

process.once('message', (config: pg.PoolConfig) => {
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool(config);
  pool.on('error', () => {});
  const app = express();
  // oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Express 5 takes care of what is thrown
  app.get('/contents/:id', async (request, response) => {
    const { rows } = await pool.query(CONTENT, [request.params.id]);
    if (rows[0] === undefined) response.status(404).json({ error: 'not found' });
    else response.json(rows[0]);
  });
  const server = app.listen(0, '127.0.0.1', () => {
    process.send?.({ base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
});
process.on('disconnect', () => process.exit());
