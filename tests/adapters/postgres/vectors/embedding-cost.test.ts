import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVectorStore } from '../../../../adapters/postgres/vectors/vector-store.ts';
import { type CatalogFixture, openCatalog, sha256 } from '../catalog/catalog-fixture.ts';
import { pagesOf, recording } from '../explained.ts';

const CONTENTS = 8_000;
const PAGE = 96;

let fixture: CatalogFixture;
beforeAll(async () => {
  fixture = await openCatalog();
  await fill();
});
afterAll(() => fixture?.close());

/** As some minutes after a crawl: the server has looked at every table but those that are empty, which it never does. */
const fill = async (): Promise<void> => {
  const run = (statement: RawBuilder<unknown>) => statement.execute(fixture.db);
  const table = (name: string) => sql.id(fixture.schema, name);
  for (const name of ['source', 'content', 'text_block', 'hidden_data_source'])
    await run(sql`alter table ${table(name)} set (autovacuum_enabled = off)`);
  await run(sql`alter table vectors.content set (autovacuum_enabled = off)`);
  await run(sql`
    insert into ${table('source')} (id, tenant, data_source_id, source_type, locator, url, title, status, keywords,
      content_count, content_missing, generation, last_seen_at, revision)
    select gen_random_uuid(), 't', md5((n % 3)::text)::uuid, 'crawl', 'l' || n, 'l' || n, 'Title', 'indexed', '[]', 10,
      false, 1, 1, 1
    from generate_series(1, ${CONTENTS} / 10) n`);
  await run(sql`
    insert into ${table('content')} (id, tenant, source_no, data_source_id, source_type, file_type, timestamp, ord,
      page_number, label, heading_path, text_length, title_length)
    select gen_random_uuid(), 't', s.no, s.data_source_id, 'crawl', 'html', 1, n, 0, 'l', '[]', 10, 1
    from ${table('source')} s, generate_series(1, 10) n`);
  await run(sql`
    insert into ${table('text_block')} (source_no, first_ord, texts)
    select no, 1, array_fill(repeat('word ', 100), array[10]) from ${table('source')}`);
  for (const name of ['source', 'content', 'text_block']) await run(sql`analyze ${table(name)}`);
};

/** Gives all contents up to this number a vector. */
const embedUpTo = async (no: number): Promise<void> => {
  await sql`update vectors.model set dimensions = 2`.execute(fixture.db);
  await sql`
    with e as (
      insert into vectors.embedding (tenant, model_no, sha256)
      select 't', (select no from vectors.model), sha256(c.id::text::bytea) from read.content c
      where c.no <= ${no} on conflict do nothing returning no, sha256)
    insert into vectors.content (tenant, model_no, content_id, label, data_source_id, embedding_no)
    select 't', (select no from vectors.model), c.id, c.label, c.data_source_id, e.no
    from e join read.content c on sha256(c.id::text::bytea) = e.sha256`.execute(fixture.db);
};

describe('embedding a large catalog of which nothing was ever deleted', () => {
  it.each([0, CONTENTS - PAGE])(
    'looks at no more than the contents that it takes, with %i embedded',
    async (embedded) => {
      const { db, sent } = recording(fixture.db);
      const store = createVectorStore(db);
      await store.want('model');
      await embedUpTo(embedded);
      const pending = await store.pending('model', embedded, PAGE);
      expect(pending.map(({ place }) => place)).toEqual(
        Array.from({ length: PAGE }, (_, i) => embedded + i + 1),
      );
      const statement = sent.at(-1)!;
      expect(await pagesOf(fixture.db, statement)).toBeLessThan(20 * PAGE);
    },
  );

  it('gives vectors to no more than the contents that it is given', async () => {
    const { db, sent } = recording(fixture.db);
    const store = createVectorStore(db);
    await store.want('model');
    await embedUpTo(CONTENTS - PAGE);
    const pending = await store.pending('model', CONTENTS - PAGE, PAGE);
    const contents = pending.map((of) => ({ ...of, sha256: sha256(of.contentId) }));
    sent.length = 0;
    await store.link('model', 't', contents);
    const vectors = contents.map((of) => ({ sha256: of.sha256, vector: Float32Array.of(1, 2) }));
    await store.keep('model', 't', vectors, contents);
    const pages: number[] = [];
    for (const statement of sent) pages.push(await pagesOf(fixture.db, statement));
    expect(pages.length).toBeGreaterThan(6);
    expect(Math.max(...pages)).toBeLessThan(40 * PAGE);
  });
});
