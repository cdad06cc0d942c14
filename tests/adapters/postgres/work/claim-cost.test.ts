import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { jobWork, purgeWork } from '../../../../adapters/postgres/work/data-source-work.ts';
import { createWorkLeases } from '../../../../adapters/postgres/work/work-leases.ts';
import type { WorkLeases } from '../../../../application/ports/leases.ts';
import { pagesOf, recording } from '../explained.ts';
import { type LeasesWorld, NOW, openLeases } from './leases-world.ts';

let opened: LeasesWorld;
beforeAll(async () => {
  opened = await openLeases();
  await opened.queue();
  const { id } = await opened.queue();
  await opened.run(id, { type: 'delete', at: NOW });
});
afterAll(() => opened.world.close());

/** Data sources that owe nothing. */
const add = async (many: number): Promise<void> => {
  const { db } = opened.world;
  await sql`
    insert into read.data_source (id, tenant, kind, status, not_before, ingestion_setting_id, status_since, doc, revision)
    select gen_random_uuid(), 'acme', 'crawl', 'success', 0, gen_random_uuid(), 0, doc, revision
    from (select doc, revision from read.data_source limit 1) d, generate_series(1, ${many}::int)`.execute(
    db,
  );
  await sql`analyze`.execute(db);
};

const pages = async (ask: (leases: WorkLeases) => Promise<unknown>): Promise<number> => {
  const { db, sent } = recording(opened.world.db);
  await ask(createWorkLeases(db, { now: () => NOW }, [jobWork, purgeWork]));
  await opened.expire();
  return pagesOf(opened.world.db, sent[0]!);
};

it('pending work, and what is abandoned, is found among many data sources as among few', async () => {
  await add(100);
  const claim = (leases: WorkLeases) => leases.claim('a', 5, 60_000);
  const look = (leases: WorkLeases) => leases.abandoned(100);
  const few = [await pages(claim), await pages(look)];
  await add(20_000);
  const many = [await pages(claim), await pages(look)];
  expect(few.every((n) => n > 0)).toBe(true);
  expect(many[0]).toBeLessThanOrEqual(few[0]! + 10);
  expect(many[1]).toBeLessThanOrEqual(few[1]! + 10);
});
