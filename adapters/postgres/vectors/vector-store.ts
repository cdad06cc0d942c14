import { sql } from 'kysely';
import type { OwedContent, VectorStore } from '../../../application/ports/vector-index.ts';
import type { Sql } from '../database-schema.ts';
import { everyHiddenDataSource, everyWithheldSource } from '../read-your-writes/conditions.ts';
import { keep, link } from './keep-vectors.ts';
import type { Graphs } from './graph-tables.ts';
import { createGrowing } from './grow-graphs.ts';
import { forget, retire, sweep } from './forget-vectors.ts';

/**
 * Vectors in tables of their own, over the live version of view `catalog`.
 *
 * @param graphs where to grow them; null: the server cannot
 */
export const createVectorStore = (db: Sql, graphs: Graphs | null = null): VectorStore => ({
  want: async (model) => {
    await sql`insert into vectors.model (name, wanted_at) values (${model}, clock_timestamp())
      on conflict (name) do update set wanted_at = excluded.wanted_at`.execute(db);
  },
  owed: (model, after, limit) => owed(db, model, after, limit),
  link: (model, tenant, contents) => link(db, model, tenant, contents),
  keep: (model, tenant, vectors, contents) => keep(db, model, tenant, vectors, contents),
  sweep: () => sweep(db),
  retire: (model) => retire(db, model),
  tend: graphs === null ? async () => false : createGrowing(db, graphs),
  forget: (tenant, dataSourceId) => forget(db, tenant, dataSourceId),
});

/**
 * The page is cut before texts are joined to it: contents are walked in their order until it is full. See
 * `read-your-writes/conditions.ts` for why what is hidden is an array.
 */
const owed = async (
  db: Sql,
  model: string,
  after: number,
  limit: number,
): Promise<readonly OwedContent[]> => {
  const { rows } = await sql<OwedContent>`
    with page as materialized (
      select c.no, c.tenant, c.id, c.label, c.source_no from read.content c
      where c.no > ${after} and c.data_source_id <> all(${everyHiddenDataSource})
        and c.source_no <> all(${everyWithheldSource})
        and not exists (
          select from vectors.content v
          where v.tenant = c.tenant and v.model_no = (select no from vectors.model where name = ${model})
            and v.content_id = c.id and v.label = c.label)
      order by c.no limit ${limit})
    select p.no as place, p.tenant, p.id as content_id, p.label, s.title, x.heading_path as headings, x.text
    from page p join read.source s on s.no = p.source_no join read.content_text x on x.content_no = p.no
    order by p.no`.execute(db);
  return rows;
};
