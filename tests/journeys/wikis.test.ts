import { beforeAll, describe, expect, it } from 'vitest';
import { openJourney } from '../support/journey.ts';
import { dataSourcesAt } from '../support/sync.ts';
import type { Service } from '../support/service.ts';
import { fileBlock, idOf, paragraph, said, table } from '../support/wiki-host/blocks.ts';
import { openWikiHost, type WikiHost } from '../support/wiki-host/wiki-host.ts';

const TOKEN = 'tokenofthewikijourney';

const journey = openJourney();
let service: Service;
let wiki: WikiHost;
let secretId: string;
beforeAll(async () => {
  wiki = await openWikiHost();
  journey.closing(wiki.close);
  service = await journey.service({
    KNOWLEDGER_WIKI_API_URL: wiki.url,
    KNOWLEDGER_WIKI_REQUESTS_PER_SECOND: '1000',
    // Files come from another host, as they do from Notion.
    KNOWLEDGER_ALLOW_ADDRESSES: new URL(wiki.filesUrl).host,
    // Beside a database of its own a service makes none.
    KNOWLEDGER_MASTER_KEY: `${'A'.repeat(43)}=`,
    KNOWLEDGER_LOG_LEVEL: 'warn',
  });
  wiki.accepts = [`Bearer ${TOKEN}`];
  const secret = { name: 'wiki', type: 'token', value: TOKEN } as const;
  secretId = (await service.post('/secrets', { body: secret })).id;
}, 120_000);

const { over, synced, deleted, sources, ...wikis } = dataSourcesAt('/wikis', () => service);
const create = (page: string, more: object = {}) =>
  wikis.create({ name: 'Handbook', page_id: idOf(page), secret_id: secretId, ...more });
/** Those that hold this very word: a search finds what is like it too. */
const contents = async (word: string): Promise<readonly { title: string; text: string }[]> => {
  const body = await service.post('/search', { body: { query: word } });
  return body.results.map(({ content }) => content).filter(({ text }) => text.includes(word));
};
const titles = async (query: string): Promise<readonly string[]> =>
  (await contents(query)).map(({ title }) => title).toSorted();

describe('a wiki', { timeout: 240_000 }, () => {
  it('is created, synced, changed, synced and deleted', async () => {
    wiki.put('home', { title: 'Handbook', blocks: [paragraph('How the turbine is oiled.')] });
    wiki.put('pump', {
      in: 'home',
      title: 'Pump',
      blocks: [
        said('heading_2', 'Parts'),
        table([
          ['Part', 'Count'],
          ['impeller', '2'],
        ]),
      ],
    });
    wiki.put('seal', { in: 'pump', title: 'Seal', blocks: [paragraph('Mount the gasket first.')] });
    wiki.putDatabase('orders', { in: 'home', title: 'Orders' });
    const status = { Status: { id: 'st', type: 'status', status: { name: 'shipped' } } };
    wiki.put('order 7', { in: 'orders', title: 'Order 7', properties: status });
    wiki.put('notes', {
      in: 'home',
      title: 'Notes',
      blocks: [fileBlock('file', 'plan.txt', 'The sluice plan.')],
    });

    const tested = { name: 'Handbook', page_id: idOf('home'), secret_id: secretId };
    const reached = await service.post('/wikis/test', { body: tested });
    expect(reached).toMatchObject({ reached: true, first_item: idOf('home') });

    const made = await create('home', { metadata: { records: [{ key: 'team', val: 'docs' }] } });
    expect(made).toEqual({
      id: expect.any(String),
      name: 'Handbook',
      status: 'queued',
      ingestion_setting_id: expect.any(String),
      creation_time: expect.any(Number),
      page_id: idOf('home'),
      progress: { seen: 0, indexed: 0, unchanged: 0, skipped: 0, failed: 0, bytes: 0 },
      metadata: { records: [{ key: 'team', val: 'docs', type: 'string' }] },
    });
    expect(await over(made.id)).toMatchObject({
      type: 'JobSucceeded',
      data: { counts: { indexed: 6, failed: 0 } },
    });
    const pump = (await sources(made.id)).find(({ title }) => title === 'Pump');
    expect(pump!.metadata.records).toEqual([
      { key: 'created', val: expect.stringMatching(/^\d{4}-.*Z$/), type: 'datetime' },
      { key: 'modified', val: expect.stringMatching(/^\d{4}-.*Z$/), type: 'datetime' },
    ]);
    expect(await contents('impeller')).toMatchObject([
      {
        file_type: 'wiki_page',
        source_type: 'wiki',
        title: 'Pump',
        page_number: 0,
        url: `https://www.notion.so/Pump-${idOf('pump').replaceAll('-', '')}`,
        text: expect.stringContaining('| impeller | 2 |'),
      },
    ]);
    expect(await titles('shipped')).toEqual(['Order 7']);
    expect(await contents('sluice')).toMatchObject([{ file_type: 'txt', source_type: 'wiki' }]);
    expect(wiki.filesAsked.map(({ authorization }) => authorization)).toEqual([undefined]);

    expect(await synced(made.id)).toMatchObject({ data: { counts: { unchanged: 6, indexed: 0 } } });

    wiki.put('seal', { title: 'Seal', blocks: [paragraph('Mount the flange first.')] });
    wiki.trash('order 7');
    wiki.put('valve', { in: 'pump', title: 'Valve', blocks: [paragraph('Turn the spindle.')] });
    expect(await synced(made.id)).toMatchObject({ data: { counts: { seen: 6, failed: 0 } } });
    expect([
      await titles('flange'),
      await titles('gasket'),
      await titles('shipped'),
      await titles('spindle'),
    ]).toEqual([['Seal'], [], [], ['Valve']]);

    expect(await deleted(made.id)).toEqual({ type: 'DataSourceDeleted', left: [] });
    expect(await titles('flange')).toEqual([]);
  });
});
