import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { count } from './check-streams.ts';
import type { Found } from './faults.ts';
import { categoryOf, type Log } from './log.ts';

/** What a deletion has to take away, by a query that answers the data sources that still have some of it. */
const LEFT: { readonly [what: string]: string } = {
  'pages to visit':
    'select distinct data_source_id as id from work.crawl_page where data_source_id = any($1)',
  sources: `select distinct data_source_id as id from read.source
    where data_source_id = any($1) and (status <> 'removed' or indexed is not null)`,
  contents: 'select distinct data_source_id as id from read.content where data_source_id = any($1)',
};

/** Of a data source that the log calls deleted, nothing is left in tables that reads do not show, nor in files. */
export const checkLeftovers = async (
  pool: pg.Pool,
  dataDir: string,
  log: Log,
  found: Found,
): Promise<void> => {
  const deleted = [...log.streams]
    .filter(
      ([stream, events]) => categoryOf(stream) === 'dataSource' && count(events, 'DataSourceDeleted') > 0,
    )
    .map(([stream]) => stream.slice(stream.indexOf('-') + 1));
  for (const [what, query] of Object.entries(LEFT)) {
    const { rows } = await pool.query<{ id: string }>(query, [deleted]);
    for (const { id } of rows) found.unexpected.push(`${what} of ${id} are left, which is deleted`);
  }
  for (const id of deleted) {
    const folder = join(dataDir, 'files', id);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const files = entries.filter((entry) => entry.isFile());
    if (files.length > 0) found.unexpected.push(`${files.length} files of ${id} are left, which is deleted`);
  }
};
