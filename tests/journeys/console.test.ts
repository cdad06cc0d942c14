import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type InclusionProof, verifyProof } from '../../clients/typescript/src/index.ts';
import { chromiumHere } from '../support/chromium.ts';
import { type ConsolePage, openConsole } from '../support/console.ts';
import { openJourney } from '../support/journey.ts';
import {
  callsTools,
  chunk,
  type ModelProvider,
  openModelProvider,
  raw,
  refuses,
} from '../support/model-provider.ts';
import { openPush } from '../support/pushes.ts';
import type { Service } from '../support/service.ts';
import { crawl, record } from '../support/crawls.ts';
import type { Site } from '../support/site.ts';

const chromiumFound = await chromiumHere();
const journey = openJourney();

/** Among the columns of keys. */
const LAST_USED = 3;

let service: Service;
let site: Site;
/** Of the runs that name PROVIDER_A_DIRECT; others have no language model. */
let provider: ModelProvider;
beforeAll(async () => {
  const links = Array.from({ length: 12 }, (_, i) => `<a href="/p${i}">page ${i}</a>`).join(' ');
  site = await journey.site({
    '/': `<title>Birds</title><h1>Birds</h1><p>All birds of the region.</p>${links}`,
    '/p0': '<title>Herons</title><h1>Herons</h1><p>A heron stands in reeds.</p>',
  });
  provider = await openModelProvider();
  journey.closing(provider.close);
  service = await journey.service({
    KNOWLEDGER_CONSOLE: 'on',
    KNOWLEDGER_ALLOW_ADDRESSES: site.host,
    LLM_A_URL: provider.baseUrl,
    LLM_A_MODEL: 'stand-in',
  });
}, 120_000);

describe('the TypeScript client', () => {
  it('proves an event, and refuses one of which anything was changed', async () => {
    const client = createClient({ url: service.base, key: service.key });
    await client.post('/tags', { body: { name: 'guides' } });
    const { events } = await client.get('/events', { query: { order: 'desc', limit: 1 } });
    const { stream, revision, position } = events[0]!;
    const headers = { 'x-min-position': position };
    const proof = await client.get('/audit/proofs/inclusion', { query: { stream, revision }, headers });
    // The first proof of a log makes its first signature, and with it the list of keys.
    const keys = await client.get('/audit/keys');
    expect(await verifyProof(proof, keys)).toEqual({ leaf: true, tree: true, note: true });
    const { checkpoint, event, leaf, hashes } = proof;
    const swapped = (text: string): string => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
    const changes: readonly [Partial<InclusionProof>, object][] = [
      [{ leaf: leaf.replace('guides', 'guide5') }, { leaf: false, tree: false }],
      [{ event: { ...event!, data: { ...event!.data, name: 'others' } } }, { leaf: false, tree: true }],
      [{ event: { ...event!, revision: revision + 1 } }, { leaf: false }],
      [{ hashes: hashes.map(swapped) }, { leaf: true, tree: false }],
      [{ index: proof.index - 1 }, { tree: false }],
      [
        { checkpoint: { ...checkpoint, root_hash: swapped(checkpoint.root_hash) } },
        { tree: false, note: false },
      ],
      [{ checkpoint: { ...checkpoint, note: checkpoint.note.replace('/', '|') } }, { note: false }],
    ];
    for (const [change, found] of changes)
      expect(await verifyProof({ ...proof, ...change }, keys)).toMatchObject(found);
    expect(await verifyProof(proof, { keys: [] })).toEqual({ leaf: true, tree: true, note: false });
  });
});

describe.skipIf(chromiumFound === null)('the console in a browser', { timeout: 180_000 }, () => {
  let browser: ConsolePage['browser'];
  let page: ConsolePage['page'];
  let told: string[];
  let accessible: ConsolePage['accessible'];
  beforeAll(async () => {
    ({ browser, page, told, accessible } = await openConsole(chromiumFound!, service));
  }, 120_000);
  afterAll(() => browser?.close());

  it('refuses a key that the service does not know', async () => {
    await page.goto(`${service.base}/console`);
    await page.getByLabel('API key').fill('kn_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('does not know this key');
    await page.goto('about:blank');
    await page.goto(`${service.base}/console#key=kn_wrong`);
    await page.getByRole('alert').getByText('does not know this key').waitFor();
    told.length = 0;
  });

  it('leads from the link of the start to a crawl that is created, watched, found, rewound and proved', async () => {
    await page.goto('about:blank');
    await page.goto(`${service.base}/console#key=${service.key}`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(page.url()).toBe(`${service.base}/console`);
    await page.getByText('This tab keeps the key').waitFor();
    await page.getByRole('button', { name: 'Understood' }).click();
    await page.getByText('No source is failed now.').waitFor();

    await page.getByRole('link', { name: 'New source' }).first().click();
    await page.getByLabel('Name').fill('Birds');
    await page.getByLabel('Start address').fill(`${site.origin}/`);
    await page.getByRole('button', { name: 'Create and start' }).click();
    await page.locator('.facts-line').getByText('Succeeded').waitFor({ timeout: 60_000 });
    await page.getByRole('table', { name: 'Timeline' }).getByText('Job succeeded').waitFor();

    await page.getByText('Last job:').waitFor();
    const source = page.getByRole('navigation', { name: 'Birds' });
    await source.getByRole('link', { name: 'Problems' }).click();
    await page.getByText(`${site.origin}/p1`).first().waitFor();
    await page.getByRole('link', { name: 'Try all again …' }).click();
    await page.getByRole('button', { name: 'Source Birds ✕' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Documents' }).click();
    await page.getByRole('row').filter({ hasText: 'Herons' }).click();
    await page.getByText('A heron stands in reeds.').waitFor();

    await source.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Depth').fill('2');
    const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
    await source.getByRole('link', { name: 'Documents' }).click();
    await leaving.waitFor();
    await accessible('Unsaved settings');
    await page.keyboard.press('Escape');
    await leaving.waitFor({ state: 'detached' });
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Overview' }).click();
    await leaving.waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('Depth').inputValue()).toBe('2');
    await page.getByLabel('Schedule').selectOption('By a rule of my own');
    await page.getByLabel('Recurrence rule').fill('FREQ=MINUTELY');
    await page.getByText('FREQ=MINUTELY is too frequent').waitFor();
    // The browser tells of the refusal, too.
    expect(told.splice(0)).toEqual([expect.stringContaining('400')]);
    await page.getByLabel('Schedule').selectOption('Every day');
    await page.getByLabel('at', { exact: false }).last().fill('03:30');
    await expect.poll(() => page.locator('.next-times time').count(), { timeout: 30_000 }).toBe(5);
    const planned = await page.locator('.next-times time').first().textContent();
    expect(planned).toMatch(/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), .*(UTC|GMT)/);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved').waitFor();
    await page.getByRole('cell', { name: '1 Succeeded' }).waitFor();
    await page.getByRole('button', { name: 'The month after' }).click();
    await page.getByRole('cell', { name: '15 1 Planned' }).waitFor();

    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Overview' }).click();
    await page.getByText('Latest events').waitFor();
    await page.getByRole('link', { name: 'Job succeeded' }).first().waitFor();
    // The source was created with a key of idempotency, which is no event of the knowledge.
    expect(await page.getByText('Idempotency key claimed').count()).toBe(0);
    await page.getByRole('link', { name: /^\d+ items? failed$/ }).click();
    site.pages.set('/p1', '<title>Owls</title><h1>Owls</h1><p>An owl hunts at night.');
    const missing = page.getByRole('row').filter({ hasText: `${site.origin}/p1` });
    await missing.first().waitFor();
    const failures = await page.getByRole('row').filter({ hasText: '404' }).count();
    const untilThen = page.waitForRequest(/errors\?.*to=\d{9,}/);
    await page.getByLabel('To').fill('2020-01-01T00:00');
    await untilThen;
    expect(new URL(page.url()).searchParams.get('to')).toBe(new Date('2020-01-01T00:00').toISOString());
    expect(await page.getByLabel('To').inputValue()).toBe('2020-01-01T00:00');
    await page.getByText('Nothing has failed.').waitFor();
    await page.getByLabel('To').fill('');
    await page.getByRole('button', { name: 'Try all again …' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^\d+ items of 1 source that fit/)
      .waitFor();
    await accessible('Try all again');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await missing.first().getByText('404').last().click();
    await page.getByRole('dialog').getByText('Attempts').waitFor();
    await accessible('A problem');
    await page.getByRole('button', { name: 'Close' }).click();
    await missing.first().getByRole('button', { name: 'Try again' }).click();
    await page.getByText('1 item is tried again').waitFor();
    await expect
      .poll(() => page.getByRole('row').filter({ hasText: '404' }).count(), { timeout: 30_000 })
      .toBe(failures - 1);
    await page.goBack();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goBack();
    await page.getByText('Last job, of chosen items alone:').waitFor();

    await source.getByRole('link', { name: 'Changes' }).click();
    const rewritten = page
      .locator('.diff li')
      .filter({ hasText: /^status.*→/ })
      .first();
    expect(await rewritten.textContent()).toMatch(/^status[A-Z].*→Succeeded$/);
    await page.getByRole('slider').press('Home');
    const status = page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: 'status', exact: true }) });
    await status.filter({ hasText: 'Succeeded' }).waitFor();
    expect(await status.getByRole('cell').allTextContents()).toEqual([
      'Not started',
      'Succeeded',
      'Job succeeded first by Job queued',
    ]);
    expect(await page.locator('.counts').count()).toBe(0);
    await page.reload();
    await status.waitFor();

    await page.getByRole('link', { name: 'Events' }).click();
    await page.getByRole('row').filter({ hasText: 'Job succeeded' }).first().click();
    await page
      .getByRole('cell', { name: /^[0-9a-f]{6} Data source$/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Prove it' }).click();
    await page.getByText('Proved: it is one of').waitFor();
    await page.getByText('Your tracing').click();
    await page.getByLabel('Address of a trace').fill(`${site.origin}/p0?trace={trace_id}`);
    const trace = await page.getByRole('link', { name: 'Open in your tracing' }).getAttribute('href');
    expect(trace).toMatch(/\/p0\?trace=[0-9a-f]{32}$/);
    await page.getByRole('link', { name: 'The record then and today' }).click();
    await page.locator('.changes .marked').getByText('Job succeeded').waitFor();
    await page.goBack();
    const event = page.getByRole('region', { name: 'Job succeeded' });
    await page.getByRole('searchbox').fill('tag-');
    await page.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'Tag created' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'Job succeeded' }).waitFor({ state: 'detached' });
    await page.getByRole('searchbox').fill('dataSource-');
    await page.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'Job succeeded' }).first().waitFor();
    await accessible('Event');
    const cause = event.getByRole('button', { name: /^Caused by: Job/ });
    const name = (await cause.textContent())!.replace('Caused by: ', '');
    await cause.click();
    await page.getByRole('region', { name }).waitFor();
    await page.goBack();
    await event.getByRole('listitem').filter({ hasText: 'trace_id' }).getByRole('button').click();
    await page.getByRole('button', { name: /^Trace [0-9a-f]{32}/ }).waitFor();
    await page.locator('h1').click();
    await page.keyboard.press('u');
    const rows = page.locator('.rows-body .row');
    const size = rows.getByRole('listitem').filter({ hasText: /^counts\.bytes/ });
    expect(await size.first().textContent()).toMatch(/^counts\.bytes \d+ [\d.]+ k?B$/);
    await accessible('Events, unfolded');
    await rows.first().getByRole('listitem').filter({ hasText: 'job_id' }).getByRole('button').click();
    await page.getByRole('button', { name: /^job_id .* ✕$/ }).waitFor();
    await page.keyboard.press('u');
    await rows.getByRole('listitem').first().waitFor({ state: 'detached' });
    await page.getByLabel('Format').selectOption('NDJSON');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^events-dataSource-[0-9a-f]{32}-.*Z\.ndjson$/);
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
    const found = lines.map((line) => JSON.parse(line));
    const both = new Set(found.map((line) => `${line.trace_id} ${line.event.data.job_id}`));
    expect([lines.length > 1, both.size]).toEqual([true, 1]);

    await page.getByRole('link', { name: 'Search and ask' }).click();
    await page.getByRole('searchbox', { name: 'Search, or ask a question' }).fill('heron reeds');
    await page.keyboard.press('Enter');
    await page.locator('.hit').getByRole('link', { name: /^http/ }).first().waitFor();
    await page.locator('.hit').getByRole('link', { name: 'Birds' }).first().waitFor();
    await page.getByText(/^\d+ passages? .* The best come? first\.$/).waitFor();
    await page.getByText('Why it is here').first().click();
    await page.getByText('Words of the question in the title').first().waitFor();
    await page.getByRole('heading', { name: 'Herons' }).first().getByRole('button').click();
    const passage = page.locator('.passages .marked');
    await passage.getByText('A heron stands in reeds.').waitFor();
    expect(await passage.locator('mark').allTextContents()).toEqual(expect.arrayContaining(['heron']));
    await accessible('Hit');
    await page.getByRole('link', { name: 'Show it in its source' }).click();
    await page.getByRole('navigation', { name: 'Birds' }).waitFor();
    await passage.getByText('A heron stands in reeds.').waitFor();
    await page.goBack();
    await page.keyboard.press('Escape');
    await passage.waitFor({ state: 'detached' });
    const [narrowed] = await Promise.all([
      page.waitForRequest((asked) => /"file_types":/.test(asked.postData() ?? '')),
      page.getByTitle('Only of the type html').first().click(),
    ]);
    expect(narrowed.postDataJSON()).toMatchObject({ file_types: ['html'] });
    await page.getByRole('button', { name: 'Type html ✕' }).click();
    const failed = { type: 'RUN_ERROR', code: 'provider_error', message: 'no' };
    const body = `data: ${JSON.stringify(failed)}\n\n`;
    await page.route('**/completions', (asked) => asked.fulfill({ contentType: 'text/event-stream', body }), {
      times: 1,
    });
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByText('The provider of the model refused the request or failed.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Cited').waitFor();
    const citesBeside = async (): Promise<void> => {
      await page.locator('.answer-text').getByRole('link', { name: '[1]' }).first().click();
      await passage.getByText('A heron stands in reeds.').waitFor();
      await page.keyboard.press('Escape');
      await passage.waitFor({ state: 'detached' });
    };
    await citesBeside();

    await page.getByRole('link', { name: 'Go on with this conversation' }).click();
    await citesBeside();
    await page.getByRole('heading', { level: 1, name: 'heron reeds' }).waitFor();
    await page
      .getByRole('navigation', { name: 'Pages' })
      .locator('[aria-current]', { hasText: 'Search' })
      .waitFor();
    await page.getByLabel('Ask on').fill('Where do they stand?');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await expect.poll(() => page.locator('.talk > li').count()).toBe(4);
    await page.getByRole('button', { name: 'Edit' }).first().click();
    await page.locator('textarea').fill('heron lake');
    await page.keyboard.press('Enter');
    await page.getByText('2 of 2').waitFor();
    await expect.poll(() => page.locator('.talk > li').count()).toBe(2);
    await page.getByRole('button', { name: 'The one before' }).click();
    await page.getByRole('button', { name: 'Edit' }).last().click();
    await page.locator('textarea').fill('Where are reeds?');
    await page.locator('.talk form').getByRole('button', { name: 'Ask' }).click();
    await page.getByText('2 of 2').waitFor();
    await page.getByRole('button', { name: 'The one before' }).last().click();
    await page.getByText('Where do they stand?').waitFor();
    await page.getByRole('button', { name: 'Answer again' }).last().click();
    await expect.poll(() => page.getByText(/[12] of 2/).count()).toBe(3);
    await accessible('Conversation');
    await page.getByRole('main').getByRole('link', { name: 'Conversations' }).click();
    await page.getByRole('row').getByRole('link', { name: 'heron reeds' }).click();
    await page.locator('.talk > li').first().waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nobody has asked anything yet.').waitFor();
    expect(told).toEqual([]);
  });

  it('starts a run of an agent, goes on from it, branches, replays it and deletes its thread', async () => {
    const runs = page.getByRole('navigation', { name: 'Runs of this thread' });
    const run = page.getByRole('region', { name: 'Run', exact: true });
    const asks = async (message: string): Promise<void> => {
      await page.getByLabel('Message').fill(message);
      await page.getByRole('button', { name: 'Start' }).click();
      await runs.getByRole('link', { name: message }).waitFor();
      await run.getByText('Succeeded').waitFor();
    };
    await page.getByRole('link', { name: 'Agents' }).click();
    await page.getByText('No agent has run yet').waitFor();
    await accessible('Agents, none yet');
    await page.getByRole('button', { name: 'New run' }).click();
    await page.getByText('More settings').waitFor();
    await accessible('New run');
    await asks('Where does a heron stand?');
    await run.locator('.answer-text').getByText('A heron stands in reeds.').first().waitFor();
    await page.getByRole('button', { name: 'Go on from here' }).click();
    await asks('And what of all birds?');
    await page.getByRole('button', { name: 'Ask differently' }).click();
    expect(await page.getByLabel('Message').inputValue()).toBe('And what of all birds?');
    await asks('And what of the region?');
    const { threads } = await createClient({ url: service.base, key: service.key }).get('/agent/threads');
    const { runs: tree } = await createClient({ url: service.base, key: service.key }).get(
      '/agent/threads/{thread_id}',
      { path: { thread_id: threads[0]!.thread_id } },
    );
    const [first] = tree;
    expect(tree.map(({ title, parent_run_id: parent }) => [title, parent])).toEqual([
      ['Where does a heron stand?', null],
      ['And what of all birds?', first!.run_id],
      ['And what of the region?', first!.run_id],
    ]);
    await runs.getByRole('link', { name: 'And what of all birds?' }).click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The thread goes on from this run').waitFor();
    await accessible('Restore');
    await asks('And of reeds?');
    const thread = await createClient({ url: service.base, key: service.key }).get(
      '/agent/threads/{thread_id}',
      { path: { thread_id: threads[0]!.thread_id } },
    );
    expect(thread.runs.at(-1)!.parent_run_id).toBe(tree[1]!.run_id);

    await runs.getByRole('link', { name: 'And what of all birds?' }).focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await run.getByText('Where does a heron stand?').first().waitFor();
    await run.getByText('Step 1').waitFor();
    await accessible('Thread');
    await page.getByRole('slider').press('Home');
    await run.getByText('No step has begun yet.').waitFor();
    expect(await run.getByRole('heading', { name: 'Answer' }).count()).toBe(0);
    await run.getByRole('button', { name: 'Next' }).press('Enter');
    await run.getByText(', event 2 of').waitFor();
    await page.getByRole('slider').press('End');
    await run.getByRole('heading', { name: 'Answer' }).waitFor();
    await run.getByText('Step 1').waitFor();

    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('slider').press('Home');
    await page.getByRole('row', { name: /^status Waiting Succeeded/ }).waitFor();
    await page.getByRole('button', { name: 'Thread', exact: true }).click();
    await page.locator('.change-head').getByText('Agent thread started').waitFor();
    await accessible('History of a thread');
    await page.getByRole('button', { name: 'Delete thread' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete thread' }).click();
    await page.getByText('No agent has run yet').waitFor();
    expect(told).toEqual([]);
  });

  it('shows what a model thinks, calls and says while it does, cancels it, and tells in words why another failed', async () => {
    const run = page.getByRole('region', { name: 'Run', exact: true });
    const start = async (message: string): Promise<void> => {
      await page.getByLabel('Message').fill(message);
      await page.getByText('More settings').click();
      await page.getByLabel('Provider').selectOption('PROVIDER_A_DIRECT');
      await page.getByRole('button', { name: 'Start' }).click();
    };
    const call = { id: 'c1', name: 'search', arguments: '{"query":"heron reeds"}' };
    const said = [{ reasoning: 'It stands somewhere.' }, { content: 'In ' }, { content: 'reeds' }];
    provider.next.push(
      callsTools([call]),
      raw(
        said.map((delta) => chunk(delta)),
        { after: 'stay' },
      ),
    );
    await page.getByRole('button', { name: 'New run' }).click();
    await start('Where is the heron?');
    await run.getByText('Running').waitFor();
    await run.locator('.call').getByText('heron reeds').waitFor();
    await run.getByText('Answered', { exact: true }).click();
    await run.locator('.call').getByText('A heron stands in reeds.').waitFor();
    await run.getByText('It stands somewhere.').waitFor();
    await run.locator('.answer-text').getByText('In').waitFor();
    await accessible('Run that goes on');
    await run.getByRole('button', { name: 'Cancel run' }).click();
    await run.getByText('Cancelled', { exact: true }).waitFor();

    provider.next.push(refuses(400, { message: 'no', type: 'invalid_request_error' }));
    await page.getByRole('button', { name: 'Ask differently' }).click();
    expect(await page.getByLabel('Provider').inputValue()).toBe('PROVIDER_A_DIRECT');
    await start('Where is the lark?');
    await run.getByText('The provider of the model refused the request or failed.').waitFor();
    await accessible('Run that failed');
    expect(told).toEqual([]);
  });

  it('administers keys, tags, secrets, policies, redaction and checkpoints', async () => {
    const dialog = page.getByRole('dialog').last();
    const press = (name: string): Promise<void> => dialog.getByRole('button', { name }).click();
    const open = async (tab: string, button?: string): Promise<void> => {
      await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: tab }).click();
      await page.locator(`.tabs [aria-current=page]`).getByText(tab).waitFor();
      if (button !== undefined) await page.getByRole('button', { name: button }).click();
    };
    const row = (text: string) => page.getByRole('row').filter({ hasText: text });
    const name = dialog.getByLabel('Name', { exact: true });
    /** Of a value that is shown this once. */
    const closeUncopied = async (): Promise<void> => {
      await page.keyboard.press('Escape');
      await press('Close without copying');
    };
    await page.getByRole('link', { name: 'Administration' }).click();

    await open('API keys', 'New API key');
    await name.fill('dashboards');
    await dialog.getByLabel('knowledge:read').check();
    await dialog.getByLabel('Birds Website').check();
    await accessible('New API key');
    await press('Issue key');
    await dialog.getByText('It is shown this once').waitFor();
    const issued = await dialog.locator('pre').textContent();
    await page.locator('.backdrop').click({ position: { x: 1, y: 1 } });
    await dialog.getByText('nobody can read it again').waitFor();
    await accessible('A key that nobody has copied');
    await page.keyboard.press('Escape');
    await dialog.getByText('It is shown this once:').waitFor({ state: 'detached' });
    expect(await dialog.locator('pre').textContent()).toBe(issued);
    await closeUncopied();
    await row('dashboards').getByRole('cell').nth(LAST_USED).getByText('Never').waitFor();
    await row('dashboards').filter({ hasText: '1 only' }).click();
    await press('Rotate');
    await press('Rotate');
    await dialog.getByText('It is shown this once').waitFor();
    const rotated = await dialog.locator('pre').textContent();
    const statusWith = async (key: string | null): Promise<number> =>
      (await fetch(`${service.base}/api/v1/source-groups`, { headers: { 'x-api-key': key ?? '' } })).status;
    expect([issued === rotated, await statusWith(issued), await statusWith(rotated)]).toEqual([
      false,
      401,
      200,
    ]);
    await closeUncopied();

    await open('Tags', 'New tag');
    await name.fill('birds');
    await press('Save');
    await row('birds').click();
    await dialog.getByLabel('Birds Website').check();
    await accessible('Tag');
    await press('History');
    await dialog.getByRole('slider').press('Home');
    const count = dialog
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: 'source_group_count' }) });
    await count.filter({ hasText: '01Tag bound' }).waitFor();
    await accessible('History of a tag');
    await press('Back to today');
    await count.waitFor({ state: 'detached' });
    await press('Close');
    await row('birds').getByRole('cell', { name: '1', exact: true }).waitFor();

    await open('Secrets', 'New secret');
    await name.fill('Git host');
    await dialog.getByLabel('Type', { exact: true }).selectOption('basic');
    await dialog.getByLabel('User name').fill('ada');
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Password').fill('the-password-of-ada');
    await accessible('New secret');
    await press('Save');
    await row('Git host').click();
    await press('Delete');
    await press('Delete');
    await page.getByText('There is no secret yet').waitFor();

    await open('Access policies', 'New policy');
    await dialog.getByLabel('Name', { exact: true }).fill('Not A Name');
    await press('Save');
    await dialog.getByText('Type a name of lower-case letters').waitFor();
    await accessible('A policy whose name does not fit');
    await dialog.getByLabel('Name', { exact: true }).fill('readers');
    const conditions = dialog.getByLabel('Conditions on documents (JSON)');
    const example = await conditions.inputValue();
    await conditions.fill(example.replace('"in"', '"is"'));
    await press('Save');
    await dialog.getByRole('alert').getByText('(JSON), filters[0].operator: must be one of').waitFor();
    // The browser tells of the refusal, too.
    expect(told.splice(0)).toEqual([expect.stringContaining('422')]);
    await conditions.fill(example);
    await accessible('New access policy');
    await press('Save');
    await row('readers').waitFor();
    await page.getByLabel('Principal', { exact: true }).fill('jo');
    await page.locator('.bench select').selectOption('readers');
    const asked = page.waitForRequest(/\/sources\?.*try_policy=true&authz_policy=readers&principal_id=jo/);
    await page.getByRole('button', { name: 'Show' }).click();
    await asked;
    // Authorization is off, and nothing is known of this principal.
    await page.getByText('This principal sees nothing of it.').waitFor();
    await page.getByText('if it were on').waitFor();

    await open('Principals', 'New principal');
    await dialog.getByLabel('Principal', { exact: true }).fill('jo');
    await accessible('New principal');
    await press('Save');
    await row('jo').filter({ hasText: 'sales' }).waitFor();

    await open('Redaction', 'New policy');
    await dialog.getByLabel('Name', { exact: true }).first().fill('persons');
    await dialog.getByLabel('Text', { exact: true }).fill('Write to jo@example.com today.');
    await press('Try the rules');
    await dialog.getByText('Write to [email] today.').waitFor();
    await dialog.getByText('can open its stored file, as it was fetched').waitFor();
    const access = await dialog.getByRole('link', { name: /^An access policy/ }).getAttribute('href');
    expect(access).toContain('tab=policies');
    await accessible('New redaction policy');
    await press('Save');
    await row('persons').click();
    await press('Add a rule');
    await dialog.getByLabel('Text', { exact: true }).fill('Write to jo@example.com today.');
    await press('Try the rules');
    await dialog.getByText('Fill this in').first().waitFor();
    await dialog.getByLabel('Name', { exact: true }).last().fill('day');
    await dialog.getByLabel('Pattern', { exact: true }).fill('to(day|morrow)');
    await press('Try the rules');
    await dialog.getByText('Write to [email] [day].').waitFor();
    await dialog.getByRole('button', { name: 'Remove this rule' }).last().click();
    await press('Try the rules');
    await dialog.getByText('Write to [email] today.').waitFor();
    expect(await dialog.locator('mark').allTextContents()).toEqual(['jo@example.com']);
    await press('Add a rule');
    await page.keyboard.press('Escape');
    await press('Leave without saving');
    await dialog.waitFor({ state: 'detached' });

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open('Webhooks', 'New webhook');
    const address = `${site.origin}/never-sent-to`;
    await dialog.getByLabel('Address', { exact: true }).fill(address);
    await press('Save');
    await dialog.getByText('It is shown this once').waitFor();
    const secret = await dialog.locator('pre').textContent();
    await press('Copy');
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const { webhooks } = await service.get('/webhooks', { query: {} });
    await service.delete('/webhooks/{id}', { path: { id: webhooks[0]!.id } });

    const hook = await service.post('/webhooks', {
      body: { url: `${site.origin}/no-receiver`, categories: ['tag'] },
    });
    await service.post('/tags', { body: { name: 'sent nowhere' } });
    await expect
      .poll(async () => (await service.get('/webhooks/{id}', { path: { id: hook.id } })).failing, {
        timeout: 30_000,
      })
      .toBeDefined();
    await open('Webhooks');
    await page.getByRole('cell', { name: /^Fails since .*the receiver answered 404$/ }).waitFor();
    await accessible('A webhook that fails');
    await page.getByRole('button', { name: 'New webhook' }).click();
    await dialog.getByText('More settings').click();
    await dialog.getByLabel('Events', { exact: true }).fill('tag');
    await dialog.getByRole('group', { name: 'Tag' }).getByLabel('Tag bound').check();
    expect(await dialog.getByLabel('Job queued').count()).toBe(0);
    await dialog.getByLabel('Events', { exact: true }).fill('queued');
    await dialog.getByRole('group', { name: 'Data source' }).getByLabel('Job queued').check();
    expect(await dialog.getByLabel('Tag bound').isChecked()).toBe(true);
    await accessible('New webhook');
    await press('Close');
    await service.delete('/webhooks/{id}', { path: { id: hook.id } });

    await open('Models');
    await page.getByText('stand-in').waitFor();
    const card = page.locator('.card').filter({ hasText: 'Embeddings' });
    await card.getByText('Not set up').waitFor();
    await card.getByText('EMBEDDINGS_MODEL=local:<name>').waitFor();
    await accessible('Models');

    await open('Checkpoints');
    await page.getByRole('button', { name: 'Copy note' }).waitFor();
    const checkpoint = await createClient({ url: service.base, key: service.key }).get('/audit/keys');
    await page.getByText(checkpoint.keys[0]!.key).waitFor();
    await page.getByRole('table', { name: 'All checkpoints' }).getByRole('row').nth(1).waitFor();
    await accessible('Checkpoints');
    expect(told).toEqual([]);

    const reader = createClient({ url: service.base, key: service.key });
    const { events: oldest } = await reader.get('/events', { query: { limit: 1 } });
    await page.goto(`${service.base}/console/events?event=${oldest[0]!.position}`);
    await page.locator('.row.marked').waitFor();
    await page.locator('.document').getByText(oldest[0]!.position).waitFor();
    const newer = page.getByRole('button', { name: 'Newer events' });
    await newer.click();
    await expect
      .poll(
        async () => {
          await newer.click({ timeout: 500 }).catch(() => undefined);
          return newer.count();
        },
        { timeout: 30_000 },
      )
      .toBe(0);
    await page.getByRole('row').nth(1).and(page.locator(':not(.marked)')).waitFor();

    const { key: issuing } = await createClient({ url: service.base, key: service.key }).post('/api-keys', {
      body: { name: 'issuing', scopes: ['apikeys:issue', 'audit:read'] },
    });
    const own = await browser.newPage();
    await own.goto(`${service.base}/console#key=${issuing}`);
    await own.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    await own.getByRole('link', { name: 'Administration' }).click();
    const ownKey = own.getByRole('row').filter({ hasText: 'issuing' });
    await ownKey.getByRole('cell').nth(LAST_USED).locator('time').waitFor();
    // The form comes once its rules are read, which no page before has done.
    await own.getByRole('button', { name: 'New API key' }).click();
    await own.getByLabel('Name', { exact: true }).and(own.locator(':focus')).waitFor();
    await own.keyboard.press('Escape');
    await ownKey.click();
    await own.getByRole('button', { name: 'Rotate' }).click();
    await own.getByRole('dialog').last().getByRole('button', { name: 'Rotate' }).click();
    await own.getByText('It is shown this once').waitFor();
    await own.keyboard.press('Escape');
    await own.getByRole('button', { name: 'Close without copying' }).click();
    await own.getByRole('row').filter({ hasText: 'issuing' }).click();
    await own.getByRole('link', { name: 'What it has changed' }).click();
    await own.getByRole('row').filter({ hasText: 'API key rotated' }).getByText('issuing').waitFor();
    await own.close();

    const limited = await browser.newPage();
    await limited.goto(`${service.base}/console/administration#key=${rotated}`);
    const tabs = limited.getByRole('navigation', { name: 'Administration' }).getByRole('link');
    await tabs.first().waitFor();
    expect(await tabs.allTextContents()).toEqual(['Tags', 'Models']);
    await limited.goto(`${service.base}/console/administration?tab=keys`);
    await limited.getByText('this needs a key with the scope apikeys:issue').waitFor();
    await limited.close();
  });

  it('is accessible on every page, and goes anywhere by the keyboard', async () => {
    const pages: readonly [key: string, title: string][] = [
      ['1', 'Overview'],
      ['2', 'Sources'],
      ['3', 'Problems'],
      ['4', 'Search and ask'],
      ['5', 'Events'],
      ['6', 'Agents'],
      ['7', 'Administration'],
    ];
    for (const [key, title] of pages) {
      await page.locator('h1').click();
      await page.keyboard.press(key);
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      if ('235'.includes(key)) await page.locator('.rows-body .row').first().waitFor();
      await accessible(title);
    }
    await page.keyboard.press('2');
    await page.locator('.rows-body .row').first().waitFor();
    await page.getByText('Columns').click();
    await page.getByLabel('Passages').focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByLabel('Passages').focus();
    await page.keyboard.press('Escape');
    await page.getByLabel('Passages').waitFor({ state: 'hidden' });
    await page.locator('h1').click();
    await page.keyboard.press('j');
    await page.locator('.rows-body .row:focus').waitFor();
    await page.keyboard.press('Enter');
    for (const tab of ['Timeline', 'Documents', 'Problems', 'Changes', 'Settings']) {
      await page.getByRole('navigation', { name: 'Birds' }).getByRole('link', { name: tab }).click();
      await page.locator('.loading').first().waitFor({ state: 'detached' });
      await accessible(tab);
    }
    await page.getByRole('link', { name: 'Documents' }).click();
    await page.getByRole('row').filter({ hasText: 'Herons' }).click();
    await page.locator('.document').waitFor();
    await page.getByText('Columns').click();
    const menu = page.locator('.menu[open]');
    await menu.waitFor();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    expect(await page.locator('.document').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.locator('.document').waitFor({ state: 'detached' });

    await page.locator('h1').click();
    await page.keyboard.press('5');
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    await page.locator('.rows-body .row').nth(1).waitFor();
    // The arrows scroll the page until a row has the focus.
    await page.locator('h1').click();
    await page.keyboard.press('ArrowDown');
    const rowWithFocus = (index: number) => page.locator(`.rows-body .row:focus[data-index="${index}"]`);
    await page.keyboard.press('j');
    await rowWithFocus(0).waitFor();
    await page.keyboard.press('ArrowDown');
    await rowWithFocus(1).waitFor();
    await page.keyboard.press('k');
    await rowWithFocus(0).waitFor();
    await page.keyboard.press('?');
    await page.getByText('Into the list').waitFor();
    await accessible('Keyboard');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('bIR');
    await page.getByRole('option', { name: 'Birds' }).waitFor();
    await page.getByRole('combobox').fill('new source');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'New source' }).waitFor();
    await page.getByLabel('Start address').waitFor();
    await accessible('New source');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await accessible('Sign in');
    expect(told).toEqual([]);
  });

  it('tries an address, uploads files with their progress, and does things to several sources at once', async () => {
    await page.goto('about:blank');
    await page.goto(`${service.base}/console#key=${service.key}`);
    await page.getByRole('link', { name: 'New source' }).first().click();
    await page.getByLabel('Start address').fill(`${site.origin}/p0`);
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByRole('blockquote').getByText('A heron stands in reeds.').waitFor();
    await page.getByText('Files', { exact: true }).click();
    await page.getByLabel('Name').fill('Notes');
    await page.getByLabel('Choose files').setInputFiles([
      { name: 'kites.md', mimeType: 'text/markdown', buffer: Buffer.from('# Kites\n\nA kite soars.') },
      { name: 'terns.txt', mimeType: 'text/plain', buffer: Buffer.from('A tern dives.') },
    ]);
    await page.getByText('2 files').waitFor();
    const folder = await mkdtemp(join(tmpdir(), 'knowledger-ducks-'));
    journey.closing(() => rm(folder, { recursive: true }));
    await mkdir(join(folder, 'diving'));
    await writeFile(join(folder, 'diving', 'smew.md'), '# Smews');
    const drop = (await page.locator('.drop').boundingBox())!;
    const hand = await page.context().newCDPSession(page);
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await hand.send('Input.dispatchDragEvent', {
        type,
        x: drop.x + drop.width / 2,
        y: drop.y + 10,
        data: { items: [], files: [folder], dragOperationsMask: 1 },
      });
    await page.getByText('3 files').waitFor();
    await page.getByRole('button', { name: 'Create and start' }).click();
    await page.locator('.facts-line').getByText('Succeeded').waitFor({ timeout: 60_000 });

    await page.getByRole('link', { name: 'Sources' }).first().click();
    const names = () => page.locator('.rows-body [role=row] a').allTextContents();
    await expect.poll(names, { timeout: 30_000 }).toEqual(['Notes', 'Birds']);
    await page.getByRole('button', { name: 'Name' }).click();
    await expect.poll(names).toEqual(['Birds', 'Notes']);
    await page.getByText('Columns').click();
    await page.getByLabel('Passages').uncheck();
    await page.reload();
    await expect.poll(names, { timeout: 30_000 }).toEqual(['Birds', 'Notes']);
    expect(await page.getByRole('columnheader').allTextContents()).not.toContain('Passages');
    for (const name of ['Birds', 'Notes']) await page.getByRole('checkbox', { name }).check();
    await page
      .getByRole('group', { name: '2 sources chosen' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect
      .poll(() => page.getByRole('checkbox', { name: /Birds|Notes/ }).count(), { timeout: 60_000 })
      .toBe(0);

    await page.getByRole('button', { name: 'Rewind' }).click();
    await page.getByRole('slider').focus();
    const gone = page.getByRole('row').filter({ hasText: 'Deleted sinceBirds' });
    await expect
      .poll(
        async () => {
          await page.keyboard.press('ArrowLeft');
          return gone.count();
        },
        // Longer than the slider waits for the next press.
        { timeout: 30_000, interval: 500 },
      )
      .toBe(1);
    await accessible('Sources as of a moment');
    await page.reload();
    await gone.click();
    await page.getByText('It has been deleted since.').waitFor();
    // The browser tells that there is no such source today, too.
    expect(told.splice(0).filter((line) => !line.includes('404'))).toEqual([]);
  });

  it('marks what has become of the rows of a list as it was', async () => {
    const client = createClient({ url: service.base, key: service.key });
    const { id: renamed } = await client.post('/tags', { body: { name: 'herons' } });
    const { id: dropped } = await client.post('/tags', { body: { name: 'gulls' } });
    const { events } = await client.get('/events', { query: { order: 'desc', limit: 1 } });
    const then = events[0]!.time;
    await expect.poll(() => Math.floor(Date.now() / 1_000), { timeout: 5_000 }).toBeGreaterThan(then);
    await client.put('/tags/{id}', { path: { id: renamed }, body: { name: 'grey herons' } });
    await client.delete('/tags/{id}', { path: { id: dropped } });
    await client.post('/tags', { body: { name: 'terns' } });
    const moment = new Date(then * 1_000).toISOString();
    await page.goto(`${service.base}/console/administration?tab=tags&as_of=${moment}`);
    await page.getByText('Since then: 1 changed, 1 deleted, 1 new.').waitFor();
    await page.getByRole('row').filter({ hasText: 'Changed sinceherons' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'Deleted sincegulls' }).waitFor();
    await accessible('Tags as of a moment');
    await page.getByRole('button', { name: 'Back to today' }).click();
    await page.getByRole('row').filter({ hasText: 'grey herons' }).waitFor();
    expect(await page.getByText(/(Since then|Changed since)/).count()).toBe(0);
    // The page before went on to ask for what is deleted.
    expect(told.splice(0).filter((line) => !line.includes('404'))).toEqual([]);
  });

  it('shows documents to a key that may only read, and nothing that it may not do', async () => {
    await record(service, (await crawl(service, `${site.origin}/p0`)).id);
    const push = await openPush(service, 'Feed');
    await push.put('heron.md', { text: '# Herons\n\nA heron stands in reeds.', query: { title: 'Herons' } });
    const body = await service.post('/api-keys', { body: { name: 'reader', scopes: ['knowledge:read'] } });
    await page.goto('about:blank');
    await page.goto(`${service.base}/console#key=${body.key}`);
    const held = page.getByRole('table').getByRole('row');
    await held.filter({ hasText: 'Push' }).getByText('Fed by its program').waitFor();
    await held.filter({ hasText: 'Website' }).locator('time').first().waitFor();
    await page.getByText('Have read everything').waitFor();
    told.length = 0;
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByText('Latest events').count()).toBe(0);
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    expect(await links.allTextContents()).toEqual([
      'Overview',
      'Sources',
      'Search and ask',
      'Administration',
    ]);
    const offers = page.getByText(/^New (source|tag)$/);
    expect(await offers.count()).toBe(0);
    await accessible('Overview of a reader');
    // It shows the next one without a reload.
    const pushes = held.filter({ hasText: 'Push' }).getByRole('cell').first();
    const before = Number(await pushes.textContent());
    await openPush(service, 'Warehouse');
    await pushes.getByText(String(before + 1), { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Sources' }).first().click();
    await page.getByRole('row').filter({ hasText: 'Feed' }).first().click();
    await page.getByRole('heading', { name: 'Feed', level: 1 }).waitFor();
    await page.getByRole('row').filter({ hasText: 'Herons' }).first().click();
    await page.getByText('A heron stands in reeds.').waitFor();
    const tabs = page.getByRole('navigation', { name: 'Feed' }).getByRole('link');
    expect(await tabs.allTextContents()).toEqual(['Documents']);
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await page.locator('.document').getByRole('button', { name: 'Close' }).click();
    await page.locator('.document').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Sources' }).first().click();
    await page.getByRole('row').filter({ hasText: 'Feed' }).first().waitFor();
    expect([await offers.count(), await page.getByRole('checkbox').count()]).toEqual([0, 0]);
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.getByRole('row').filter({ hasText: 'grey herons' }).click();
    await page.getByRole('dialog').getByText('This needs a key with the scope knowledge:write.').waitFor();
    expect(await page.getByRole('dialog').getByRole('button').allTextContents()).toEqual(['✕', 'History']);
    await accessible('Tag that may only be read');
    await page.keyboard.press('Escape');
    expect(await offers.count()).toBe(0);
    await page.goto(`${service.base}/console/search?q=heron`);
    await page.getByRole('button', { name: 'Search' }).waitFor();
    await page.locator('.hits').getByText('heron').first().waitFor();
    await page.getByRole('searchbox', { name: 'Search for words or phrases' }).waitFor();
    expect(await page.getByText(/^(Conversations|Ask)$/).count()).toBe(0);
    await page.keyboard.press('Control+k');
    const named = page.getByRole('dialog').getByRole('option');
    expect((await named.allTextContents()).filter((name) => /New|Problems|keys/.test(name))).toEqual([]);
    await page.keyboard.press('Escape');
    for (const [path, scope] of [
      ['sources/new', 'ingestion:manage'],
      ['problems', 'ingestion:manage'],
      ['events', 'audit:read'],
      ['conversations', 'inference:run'],
      ['agents', 'inference:run'],
    ]) {
      await page.goto(`${service.base}/console/${path}`);
      await page.getByText(`This needs a key with the scope ${scope}.`).waitFor();
    }
    await page.goto(`${service.base}/console/nowhere`);
    await page.getByText('There is no such page.').waitFor();
    // Nothing was asked for that is refused.
    expect(told).toEqual([]);
  });

  it('signs out whose key is revoked', async () => {
    const scopes = ['knowledge:read', 'knowledge:write', 'audit:read'] as const;
    const body = await service.post('/api-keys', { body: { name: 'guest', scopes } });
    const guest = createClient({ url: service.base, key: body.key! });
    await guest.post('/tags', { body: { name: 'by a guest' } });
    await page.goto('about:blank');
    await page.goto(`${service.base}/console/events#key=${body.key}`);
    // Names of other keys are for whoever may list them.
    await page.getByRole('row').filter({ hasText: 'Tag created' }).getByText('guest').first().waitFor();
    const issued = page.getByRole('row').filter({ hasText: 'API key issued' }).first();
    await issued.getByText(/^API key …[0-9a-f]{6}$/).waitFor();
    expect(told).toEqual([]);
    await service.delete('/api-keys/{id}', { path: { id: body.id } });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByLabel('API key').inputValue()).toBe('');
    await page.getByRole('alert').getByText('You were signed out').waitFor();
    await page.getByLabel('API key').fill(service.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    await page.getByRole('row').filter({ hasText: 'API key revoked' }).first().waitFor();

    await page.goto('about:blank');
    await page.goto(`${service.base}/console/events?actor=${body.id}#key=${service.key}`);
    const done = page.getByRole('row').filter({ hasText: 'Tag created' });
    expect(await done.getByText('guest').getAttribute('title')).toBe(body.id);
    await page.getByRole('button', { name: 'Actor guest ✕' }).click();
    await page.getByRole('row').filter({ hasText: 'API key revoked' }).first().click();
    await page
      .locator('.document')
      .getByRole('button', { name: /^Actor / })
      .click();
    await page.getByRole('button', { name: /^Actor .* ✕/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('actor')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('creates over plain HTTP too, and says where a proof can be checked', async () => {
    const plain = await browser.newPage();
    await plain.addInitScript(() => {
      Object.defineProperties(globalThis, { isSecureContext: { value: false } });
      Object.defineProperties(crypto, { randomUUID: { value: undefined }, subtle: { value: undefined } });
    });
    await plain.goto(`${service.base}/console/sources/new?type=push#key=${service.key}`);
    await plain.getByLabel('Name').fill('Larks');
    await plain.getByRole('button', { name: 'Create and start' }).click();
    await plain.getByRole('heading', { name: 'Larks' }).waitFor();
    await plain.getByRole('link', { name: 'Events' }).click();
    await plain.getByRole('row').filter({ hasText: 'Job queued' }).first().click();
    const hint = plain.getByText('only on pages that come over HTTPS');
    await hint.waitFor();
    expect(await hint.isVisible()).toBe(true);
    await plain.close();
  });

  it('says that the service is away, and changes pages meanwhile', async () => {
    const alone = await browser.newPage();
    await alone.clock.install();
    const agents = alone.waitForResponse(/assets\/agents-.*\.js/);
    await alone.goto(`${service.base}/console#key=${service.key}`);
    await alone.getByRole('heading', { name: 'Overview' }).waitFor();
    // Pushes, which are always ready to be fed, are not jobs that run.
    await alone.locator('.figure', { hasText: 'Running' }).getByText('0', { exact: true }).waitFor();
    await (await agents).finished();
    const away = alone.getByRole('alert').getByText(/^The service has not answered since .*:/);
    await alone.route('**', () => undefined);
    // Health is asked for within 10 s, and may take as long to be answered, twice.
    await alone.clock.runFor(31_000);
    await away.waitFor();
    expect(await alone.locator('main.old .figure').count()).toBe(4);
    await alone.unrouteAll({ behavior: 'ignoreErrors' });
    await alone.clock.runFor(6_000);
    await away.waitFor({ state: 'detached' });
    await alone.route('**', (route) => route.abort());
    await alone.getByRole('link', { name: 'Agents' }).click();
    await alone.getByRole('heading', { name: 'Agents' }).waitFor();
    await alone.clock.runFor(6_000);
    await away.waitFor();
    expect(alone.url()).toBe(`${service.base}/console/agents`);
    await alone.context().setOffline(true);
    await alone.getByRole('alert').getByText('This browser is offline').waitFor();
    await alone.getByRole('link', { name: 'Sources', exact: true }).click();
    await alone.getByRole('heading', { name: 'Sources' }).waitFor();
    await alone.getByRole('alert').getByText('The service does not answer.').first().waitFor();
    await alone.close();
  });

  it('leads on from the address of a source that never was', async () => {
    const alone = await browser.newPage();
    await alone.goto(`${service.base}/console/sources/crawl/${crypto.randomUUID()}#key=${service.key}`);
    await alone.getByText('There is no such source').waitFor();
    expect(await alone.getByRole('link', { name: 'Changes' }).count()).toBe(0);
    await alone.getByRole('link', { name: 'All sources' }).click();
    await alone.getByRole('row').filter({ hasText: 'Larks' }).waitFor();
    await alone.close();
  });

  it('reads lists to their end while the log goes on', async () => {
    const admin = createClient({ url: service.base, key: service.key });
    const watching = await browser.newPage();
    await watching.clock.install();
    await watching.goto(`${service.base}/console/sources#key=${service.key}`);
    await watching.getByRole('row').filter({ hasText: 'Larks' }).waitFor();
    // The first request is answered after the writes, and one that replaces it never is.
    const asked: (() => void)[] = [];
    await watching.route('**/source-groups?*', async (route) => {
      await new Promise<void>((answer) => asked.push(answer));
      await route.continue().catch(() => undefined);
    });
    await admin.post('/pushes', { body: { name: 'Swans' } });
    await expect.poll(() => asked.length, { timeout: 30_000 }).toBe(1);
    const { events } = await admin.get('/events', { query: { order: 'desc', limit: 1 } });
    const over = new AbortController();
    const writes = admin.follow('/events', {
      query: { types: ['TagCreated'] },
      after: events[0]!.position,
      signal: over.signal,
    });
    for (let n = 0; n < 6; n += 1) {
      await admin.post('/tags', { body: { name: `busy ${n}` } });
      await writes.next();
      await watching.clock.fastForward(1_000);
    }
    over.abort();
    asked[0]!();
    await watching.getByRole('row').filter({ hasText: 'Swans' }).waitFor();
    await watching.unrouteAll({ behavior: 'ignoreErrors' });
    await watching.close();
  });
});
