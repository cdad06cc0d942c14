import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import type pg from 'pg';
import { connectEmbeddedPostgres } from '../../adapters/embedded-postgres/server.ts';
import { createDatabase } from '../../adapters/postgres/connection.ts';
import { liveVersion, schemaOf } from '../../adapters/postgres/projections/versions.ts';
import type { ChunkSet } from '../../domain/chunking/chunk-set.ts';
import { FIRST_TENANT } from '../../composition/bootstrap.ts';
import { startService } from '../../tests/support/service.ts';
import type { Run } from '../bench.ts';
import { readQuestions } from '../eval/questions.ts';
import { fillCollection } from './collection.ts';
import { searchIn } from './in-process.ts';

const QUESTIONS = fileURLToPath(new URL('../eval/questions/', import.meta.url));

/** Questions of two to eight words that people ask manuals. */
export const realQuestions = async (): Promise<readonly string[]> => {
  const files = ['postgresql', 'postgresql-typed'].map((name) => readQuestions(`${QUESTIONS}${name}.jsonl`));
  const asked = (await Promise.all(files)).map((of) =>
    of.map(({ question }) => question).filter((question) => /^\S+(?: \S+){1,7}$/.test(question)),
  );
  // One of each manual in turn.
  const longest = Math.max(...asked.map(({ length }) => length));
  return Array.from({ length: longest }, (_, i) => asked.flatMap((of) => of.slice(i, i + 1))).flat();
};

/** The started program, its catalog filled by the projection, and the same search called in this process. */
export const openEngine = async ({ profiling, cleanup }: Run, documents: Iterator<ChunkSet>) => {
  const service = await startService({ ...profiling.env, KNOWLEDGER_LOG_LEVEL: 'warn' });
  cleanup.defer(() => service.dispose());
  const connection = await connectEmbeddedPostgres({ dataDir: join(service.dataDir, 'postgres') });
  if (connection === null) throw new Error('the Postgres of the program does not answer');
  const database = createDatabase({ ...connection, poolSize: 2, statementTimeoutMs: 0 });
  cleanup.defer(database.close);
  const live = await liveVersion(database.db, 'catalog');
  if (live === undefined) throw new Error('the program has no catalog');
  const schema = schemaOf('catalog', live.version);
  const { growTo } = fillCollection(database, schema, FIRST_TENANT, documents);
  return {
    service,
    growTo,
    inProcess: searchIn(FIRST_TENANT, database.db),
    overHttp: async (query: string): Promise<readonly string[]> => {
      const { status, body } = await service.api('POST', '/search', { query });
      if (status !== 200) throw new Error(`POST /search answered ${status}: ${JSON.stringify(body)}`);
      return body.results;
    },
    /** Bytes of the tables that only searches read, and of the texts that they were made of. */
    sizes: () => sizesOf(database.pool, schema),
  };
};

export const sizesOf = async (pool: pg.Pool, schema: string) => {
  const { rows: tables } = await pool.query<{ readonly name: string; readonly bytes: string }>(
    `select c.relname as name, pg_total_relation_size(c.oid) as bytes
    from pg_class c where c.relnamespace = $1::regnamespace and c.relkind = 'r' and c.relname like 'lexical%'
    order by 2 desc`,
    [schema],
  );
  const { rows: texts } = await pool.query<{ readonly bytes: string; readonly contents: string }>(
    `select sum(octet_length(text)) as bytes, count(*) as contents from ${schema}.content_text`,
  );
  return {
    tables: Object.fromEntries(tables.map(({ name, bytes }) => [name, Number(bytes)])),
    bytes: tables.reduce((sum, { bytes }) => sum + Number(bytes), 0),
    textBytes: Number(texts[0]?.bytes),
    contents: Number(texts[0]?.contents),
  };
};
