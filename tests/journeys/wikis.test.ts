import { beforeAll, describe, expect, it } from 'vitest';
import { all } from '../support/crawls.ts';
import { follow, type StreamedEvent } from '../support/event-stream.ts';
import { eventually } from '../support/eventually.ts';
import { openJourney } from '../support/journey.ts';
import type { Service } from '../support/service.ts';
import { fileBlock, idOf, paragraph, said, table } from '../support/wiki-host/blocks.ts';
import { openWikiHost, refuse, type WikiHost } from '../support/wiki-host/wiki-host.ts';

const OVER = ['JobSucceeded', 'JobFailed', 'JobCanceled', 'DataSourceDeleted'];
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
  const secret = { name: 'wiki', type: 'token', value: TOKEN };
  secretId = (await service.api('POST', '/secrets', secret)).body.id;
}, 120_000);

const create = async (page: string, more: object = {}) => {
  const body = { name: 'Handbook', page_id: idOf(page), secret_id: secretId, ...more };
  const answer = await service.api('POST', '/wikis', body);
  expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ status: 'queued' })]);
  return answer.body;
};
/** The event that ended the job, or the data source, after this revision. */
const over = async (id: string, after = -1) => {
  const comes = ({ data }: StreamedEvent): boolean => data.revision > after && OVER.includes(data.type);
  return (await follow(service, `/wikis/${id}/events`, comes)).at(-1)!.data;
};
const newest = async (id: string): Promise<number> =>
  (await service.api('GET', `/wikis/${id}/events?limit=100`)).body.events.at(-1).revision;
const synced = async (id: string, body: object = {}) => {
  const revision = await newest(id);
  expect((await service.api('POST', `/wikis/${id}/sync`, body)).status).toBe(202);
  return over(id, revision);
};
const sources = (id: string) => all(service, `/sources?source_group_id=${id}`, 'sources');
/** Those that hold this very word: a search finds what is like it too. */
const contents = async (word: string): Promise<readonly { title: string; text: string }[]> => {
  const { body } = await service.api('POST', '/search', { query: word });
  return body.results
    .map(({ content }: { content: { text: string } }) => content)
    .filter(({ text }: { text: string }) => text.includes(word));
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
    expect(pump.metadata.records).toEqual([
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

    const last = await newest(made.id);
    expect((await service.api('DELETE', `/wikis/${made.id}`)).status).toBe(202);
    expect(await over(made.id, last)).toMatchObject({ type: 'DataSourceDeleted' });
    await eventually(
      () => service.api('GET', `/wikis/${made.id}`),
      (answer) => answer.status === 404,
    );
    expect(await sources(made.id)).toEqual([]);
    expect(await titles('flange')).toEqual([]);
  });

  it('goes by its setting from the next job on', async () => {
    wiki.put('tree', { title: 'Tree', blocks: [paragraph('The kestrel.')] });
    wiki.put('leaf', { in: 'tree', title: 'Leaf', blocks: [paragraph('The osprey.')] });
    const made = await create('tree', { include_children: false, rrule: 'FREQ=DAILY' });
    expect(await over(made.id)).toMatchObject({ type: 'JobSucceeded', data: { counts: { indexed: 1 } } });
    const setting = `/wiki-settings/${made.ingestion_setting_id}`;
    const whole = {
      id: made.ingestion_setting_id,
      name: 'Handbook',
      page_id: idOf('tree'),
      include_children: false,
      rrule: 'FREQ=DAILY',
      secret_id: secretId,
    };
    expect((await service.api('GET', setting)).body).toEqual(whole);
    const { rrule: _, ...without } = whole;
    const changed = await service.api('PUT', setting, { name: 'Birds', include_children: true, rrule: null });
    expect(changed.body).toEqual({ ...without, name: 'Birds', include_children: true });
    expect((await service.api('GET', '/wikis?limit=1')).body).toMatchObject({
      wikis: [{ id: made.id, name: 'Birds', page_id: idOf('tree') }],
      pagination: { limit: 1 },
    });
    expect(await synced(made.id)).toMatchObject({ type: 'JobSucceeded', data: { counts: { seen: 2 } } });
    expect(await titles('osprey')).toEqual(['Leaf']);
    await service.api('PUT', setting, { include_children: false });
    await synced(made.id);
    expect([await titles('osprey'), await titles('kestrel')]).toEqual([[], ['Tree']]);
  });

  it('comes back after the time that the wiki asks for, and holds no worker until then', async () => {
    wiki.put('slow', { title: 'Slow', blocks: [paragraph('The sloth.')] });
    let left = 1;
    wiki.hook = (response, { path }) => {
      if (left === 0 || !path.includes('children')) return false;
      left -= 1;
      refuse(response, 429, 'rate_limited', { 'retry-after': '6' });
      return true;
    };
    const made = await create('slow');
    const ends = await over(made.id);
    wiki.hook = () => false;
    expect(ends).toMatchObject({ type: 'JobSucceeded', data: { counts: { indexed: 1 } } });
    const trail = await all(service, `/wikis/${made.id}/events`, 'events');
    expect(trail.map(({ type }) => type).filter((type) => type !== 'JobProgressed')).toEqual([
      'DataSourceRegistered',
      'JobQueued',
      'JobClaimed',
      'JobStarted',
      'JobRequeued',
      'JobClaimed',
      'JobStarted',
      'JobSucceeded',
    ]);
    const waited = { title: expect.any(String) as string, message: 'the wiki asks to wait for 6 s' };
    expect(trail.filter(({ type }) => type === 'JobRequeued')).toMatchObject([
      { attempt: 1, data: { error: waited } },
    ]);
  });

  it('lists what is not shared, and goes on', async () => {
    wiki.put('top', { title: 'Top', blocks: [paragraph('The lynx.')] });
    wiki.unshared.add(wiki.putDatabase('secret table', { in: 'top' }));
    const made = await create('top');
    expect(await over(made.id)).toMatchObject({
      type: 'JobSucceeded',
      data: { counts: { indexed: 1, failed: 1 } },
    });
    expect((await service.api('GET', `/wikis/${made.id}/errors`)).body.errors).toMatchObject([
      { locator: idOf('secret table'), code: 'not_shared', attempt: 1 },
    ]);
  });

  it('fails with what to do where its secret was taken away', async () => {
    wiki.put('alone', { title: 'Alone' });
    const made = await create('alone');
    expect(await over(made.id)).toMatchObject({ type: 'JobSucceeded' });
    await service.api('PUT', `/wiki-settings/${made.ingestion_setting_id}`, { secret_id: null });
    const failed = { code: 'credentials_rejected', error: { title: 'Credentials rejected' } };
    expect(await synced(made.id)).toMatchObject({ type: 'JobFailed', data: failed });
  });
});
