import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { crawl, ended, gone, sourcesOf, until } from '../support/crawls.ts';
import { inDatabase } from '../support/database.ts';
import { eventsOf } from '../support/event-log.ts';
import { eventually } from '../support/eventually.ts';
import { EVENTS, placesWith } from '../support/places.ts';
import { openJourney } from '../support/journey.ts';
import type { Service } from '../support/service.ts';
import { manyPages, page, type Site } from '../support/site.ts';

/** A word of every page that is deleted, and of nothing else. */
const WORD = 'zyxquon';
const PAGES = 60;
const path = (i: number): string => (i === 0 ? '/' : `/z${i}`);
const secret = (i: number): readonly [string, string] => {
  const links = [2 * i + 1, 2 * i + 2].filter((next) => next < PAGES).map(path);
  return [path(i), page(`Document ${i}`, `The ${WORD} of page ${i} is not for ever.`, links)];
};

const journey = openJourney();
let service: Service;
let sites: readonly Site[];
let kept: string;
let deleted: string;
/** Its documents, their contents and their files: ids and hashes. */
let traces: readonly string[];
beforeAll(async () => {
  const secrets = Object.fromEntries(Array.from({ length: PAGES }, (_, i) => secret(i)));
  sites = await Promise.all([journey.site(manyPages(20)), journey.site(secrets)]);
  service = await journey.service({
    KNOWLEDGER_ALLOW_ADDRESSES: sites.map(({ host }) => host).join(','),
    KNOWLEDGER_LOG_LEVEL: 'warn',
  });
  const made = await Promise.all(
    sites.map(({ origin }) => crawl(service, `${origin}/`, { rrule: 'FREQ=DAILY' })),
  );
  for (const { id } of made) await ended(service, id);
  [kept, deleted] = made.map(({ id }) => id) as [string, string];
  const sources = await sourcesOf(service, deleted);
  const body = { records: [{ key: 'colour', val: WORD }] };
  await service.put('/sources/{id}/metadata', { path: { id: sources[0]!.id }, body });
  // A second version of a page, so that there are superseded texts too.
  sites[1]!.pages.set('/z7', page('Document 7', `Another ${WORD}, of today.`, ['/z15', '/z16']));
  await service.post('/crawls/{id}/sync', { path: { id: deleted } });
  await ended(service, deleted, (await until(service, deleted, ['JobSucceeded'])).at(-1).revision);
  traces = [
    ...(await column(sql`select id::text as value from read.source where data_source_id = ${deleted}`)),
    ...(await column(sql`select id::text as value from read.content where data_source_id = ${deleted}`)),
    ...(await column(sql`select indexed->>'raw_sha256' as value from read.source
      where data_source_id = ${deleted}`)),
  ];
}, 120_000);

const column = (query: ReturnType<typeof sql>): Promise<readonly string[]> =>
  inDatabase(service, async ({ db }) => {
    const { rows } = await query.execute(db);
    return (rows as { readonly value: string }[]).map(({ value }) => value);
  });
/** Files outside of the database's own that are of the data source, or have its word. */
const filesOf = async (id: string): Promise<readonly string[]> => {
  const entries = await readdir(service.dataDir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !file.startsWith(join(service.dataDir, 'postgres') + sep));
  const holds = async (file: string) => file.includes(id) || (await readFile(file)).includes(WORD);
  const held = await Promise.all(files.map(holds));
  return files.filter((_, i) => held[i]);
};
const countOf = async (id: string): Promise<number> =>
  (await service.get('/sources', { query: { source_group_id: id } })).pagination.total;

/** How many plans of its schedule there are. */
const plansOf = async (id: string): Promise<number> =>
  (
    await column(sql`select t.ingestion_setting_id::text as value from work.schedule_tick t
      join read.ingestion_setting s on s.id = t.ingestion_setting_id where s.data_source_id = ${id}`)
  ).length;

/** Types of the events that one of these texts is in. */
const typesWith = async (text: string): Promise<readonly string[]> => {
  const events = await eventsOf(service, { categories: ['source', 'dataSource', 'ingestionSetting'] });
  const holding = events.filter((event) => JSON.stringify([event.data, event.metadata]).includes(text));
  return [...new Set(holding.map(({ type }) => type))];
};

/** What knows its id: what happened, how far its stream was read, when it was there, that it is gone, and its setting. */
const marksOf = (version: string): readonly string[] => [
  `catalog_${version}.hidden_data_source`,
  `data_source_${version}.data_source`,
  `data_source_${version}.stream_revision`,
  `ingestion_setting_${version}.ingestion_setting`,
  `lifetime_${version}.lifetime`,
  `log_tree_${version}.log_leaf`,
  `tag_${version}.tag_gone_group`,
  EVENTS,
];

describe('a deletion', { timeout: 180_000 }, () => {
  it('has something to delete in every table of contents, in the index, and in files', async () => {
    expect(traces.length).toBeGreaterThanOrEqual(3 * PAGES);
    const tables = ['text_block', 'lexical_block', 'source_metadata'].map((name) => `catalog_v1.${name}`);
    expect(await placesWith(service, [WORD])).toEqual(expect.arrayContaining([...tables, EVENTS]));
    expect(await placesWith(service, [deleted])).toEqual(expect.arrayContaining(['work.crawl_page']));
    expect((await filesOf(deleted)).length).toBeGreaterThanOrEqual(2 * PAGES);
    expect(await countOf(deleted)).toBe(PAGES);
  });

  it('leaves nothing of the data source but its events, and the mark that it is gone', async () => {
    await service.delete('/crawls/{id}', { path: { id: deleted } });
    const entries = await until(service, deleted, ['DataSourceDeleted']);
    expect(entries.at(-1).data).toMatchObject({ sources: PAGES });
    await gone(service, deleted);
    expect(await filesOf(deleted)).toEqual([]);
    // The index gives up its words with the next merge.
    const words = await eventually(
      () => placesWith(service, [WORD]),
      (places) => !places.some((place) => place.includes('lexical')),
    );
    expect(words).toEqual([EVENTS]);
    expect(await typesWith(WORD)).toEqual(['SourceMetadataReplaced']);
    // How far each stream was read, when it was there, and the hashes of its events: its name is an id, and no more.
    expect(await placesWith(service, traces)).toEqual([
      'catalog_v1.stream_revision',
      'lifetime_v1.lifetime',
      'log_tree_v1.log_leaf',
      EVENTS,
    ]);
    // The worker puts its lease down after the last event.
    const marks = await eventually(
      () => placesWith(service, [deleted]),
      (places) => !places.includes('work.work_lease'),
    );
    expect(marks).toEqual(marksOf('v1'));
    expect(await plansOf(deleted)).toBe(0);
    expect(await plansOf(kept)).toBe(1);
  });

  it('touches nothing of another data source', async () => {
    expect(await countOf(kept)).toBe(20);
    const body = await service.post('/search', { body: { query: 'number7 falcons' } });
    expect(body.results[0]!.content.url).toBe(`${sites[0]!.origin}/p7`);
  });

  it('holds over a rebuild, which finds the events and no file', async () => {
    expect((await service.command('rebuild')).code).toBe(0);
    expect(await placesWith(service, [WORD])).toEqual([EVENTS]);
    expect(await placesWith(service, [deleted])).toEqual(marksOf('v2'));
    expect(await countOf(kept)).toBe(20);
  });
});
