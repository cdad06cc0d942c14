import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { pdfFile, textPage } from '../adapters/extraction/pdf-files.ts';
import { chromiumHere } from '../support/chromium.ts';
import { type ConsolePage, openConsole } from '../support/console.ts';
import { openJourney } from '../support/journey.ts';
import { openPush } from '../support/pushes.ts';
import { openRepositoryHost, type RepositoryHost } from '../support/repository-host/repository-host.ts';
import type { Service } from '../support/service.ts';
import type { PageAnswer } from '../support/site.ts';

const chromiumFound = await chromiumHere();
const journey = openJourney();
const run = promisify(execFile);

let service: Service;
let host: RepositoryHost;
let start: string;

const HOSTILE = `<!doctype html><title>Herons</title><style>h1{color:red}</style>
  <body onload="document.title='run'"><h1 style="color:red">Herons</h1><script>document.title='run'</script>
  <img src="https://elsewhere.example/a.png"><a href="https://elsewhere.example/">away</a><a href="/torn.pdf">torn</a>
  <p>A heron stands in reeds.</p>`;

const REFUSED = { status: 403, json: { error: { type: 'insufficient_scope', message: 'not now' } } };

describe.skipIf(chromiumFound === null)('sources in the console', { timeout: 180_000 }, () => {
  let page: ConsolePage['page'];
  let told: string[];
  let accessible: ConsolePage['accessible'];
  beforeAll(async () => {
    host = await openRepositoryHost('acme/docs');
    journey.closing(host.close);
    const torn: PageAnswer = (_, response) =>
      void response.setHeader('content-type', 'application/pdf').end('%PDF-1.7 torn');
    const site = await journey.site({ '/': HOSTILE, '/torn.pdf': torn });
    start = `${site.origin}/`;
    service = await journey.service({
      KNOWLEDGER_CONSOLE: 'on',
      KNOWLEDGER_REPOSITORY_API_URL: host.url,
      KNOWLEDGER_ALLOW_ADDRESSES: site.host,
    });
    const opened = await openConsole(chromiumFound!, service);
    journey.closing(() => opened.browser.close());
    ({ page, told, accessible } = opened);
    await page.goto(`${service.base}/console#key=${service.key}`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  }, 120_000);
  const open = async (path: string): Promise<void> => {
    // Within the page: a reload would forget the key.
    const to = JSON.stringify(`/console${path}`);
    await page.evaluate(`history.pushState(null, '', ${to}); dispatchEvent(new PopStateEvent('popstate'))`);
  };

  it('are tested with their secret before they are saved', async () => {
    host.put('README.md', '# Docs');
    host.accepts = ['Bearer right'];
    await service.post('/secrets', { body: { name: 'The wrong one', type: 'token', value: 'wrong' } });
    await open('/sources/new?type=repo');
    await page.getByRole('textbox', { name: 'Repository' }).fill('acme/docs');
    const secret = page.getByLabel('Secret', { exact: true });
    const test = page.getByRole('button', { name: 'Test' });
    await secret.selectOption('The wrong one (Token)');
    await test.click();
    await page.getByRole('alert').getByText('Credentials rejected').waitFor();
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('The right one');
    await page.getByRole('dialog').getByLabel('Token', { exact: true }).fill('right');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => secret.locator('option:checked').textContent()).toBe('The right one (Token)');
    await page.getByText('before your last change').waitFor();
    await test.click();
    await page.getByText('Reached: 1 item, the first is README.md').waitFor();
    await accessible('A source that was tested');
    await page.getByLabel('Name').fill('Docs');
    await page.getByRole('button', { name: 'Create and start' }).click();
    await page.locator('.facts-line').getByText('Succeeded').waitFor({ timeout: 60_000 });

    await page.getByRole('link', { name: 'Settings' }).click();
    const save = page.getByRole('button', { name: 'Save' });
    const stored = async () => {
      const { repos } = await service.get('/repos', { query: {} });
      const path = { id: repos[0]!.ingestion_setting_id };
      const { reference_type, reference_param, path_filters } = await service.get('/repo-settings/{id}', {
        path,
      });
      return [reference_type, reference_param, path_filters];
    };
    await page.getByLabel('Version to read').selectOption('A branch');
    await save.click();
    await page.getByText('Fill this in').waitFor();
    await page.getByLabel('Branch, tag or commit').fill('main');
    await page.getByLabel('Paths').fill('docs/**\n\n!docs/old/**\n');
    await save.click();
    await expect.poll(stored).toEqual(['branch', 'main', ['docs/**', '!docs/old/**']]);
    // The form is that of the record anew.
    await expect.poll(() => page.getByLabel('Paths').inputValue()).toBe('docs/**\n!docs/old/**');
    await secret.selectOption('The wrong one (Token)');
    await test.click();
    await page.getByRole('alert').getByText('Credentials rejected').waitFor();
    await page.getByLabel('Version to read').selectOption('Default branch');
    await page.getByLabel('Paths').fill('');
    await save.click();
    await expect.poll(stored).toEqual(['default', '', []]);
    expect(told).toEqual([]);
  });

  it('tell of their jobs in a time that is chosen, and lead to what each did', async () => {
    const body = await service.post('/crawls', {
      body: {
        name: 'Birds',
        start_url: start,
        max_depth: 1,
        max_num_files: 5,
      },
    });
    await open(`/sources/crawl/${body.id}`);
    await page.locator('.facts-line').getByText('Succeeded').waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Sync now' }).click();
    await expect.poll(() => page.locator('.gantt-row').count()).toBe(2);
    await page.locator('.gantt-row').first().getByText('1 unchanged').waitFor({ timeout: 60_000 });
    await accessible('Timeline with two jobs');
    await page.getByLabel('Time shown').selectOption('From … to …');
    await page.getByLabel('To', { exact: true }).fill('2020-01-01T00:00');
    await page.getByText('No job ran in this time.').waitFor();
    await page.getByLabel('Time shown').selectOption('Last 24 hours');
    await page.locator('.gantt-row').last().getByRole('link', { name: 'All that it did' }).click();
    await page.getByRole('row').filter({ hasText: 'Source indexed' }).waitFor();
    await page.goBack();
    const claimed = page.getByRole('table', { name: 'Timeline' }).getByRole('row', { name: 'Job claimed' });
    await claimed.last().click();
    await page.locator('.row.marked').getByText('Job claimed').waitFor();
    expect(new URL(page.url()).searchParams.get('stream')).toBe(`dataSource-${body.id}`);
    expect(told).toEqual([]);
  });

  it('show a document with its passages marked, as text, and as stored without what runs or loads', async () => {
    const body = await service.get('/source-groups', { query: { name: 'Birds' } });
    await open(`/sources/crawl/${body.source_groups[0]!.id}?tab=documents`);
    await page.getByRole('row').filter({ hasText: 'Herons' }).click();
    await page.locator('.passages mark').getByText('A heron stands in reeds.').waitFor();
    await page.getByRole('button', { name: /^Passage 1: \d+ characters, [0-9a-f-]{36}$/ }).focus();
    await accessible('Passages of a document');
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    await page.locator('pre.document-text').getByText('A heron stands in reeds.').waitFor();
    await page.getByRole('button', { name: 'As stored' }).click();
    await page.getByText('redaction policies hide nothing in it').waitFor();
    const frame = page.frameLocator('iframe[sandbox=""]');
    await frame.getByText('A heron stands in reeds.').waitFor();
    expect(await frame.locator('script, style, [style], [onload], [src], [href]').count()).toBe(0);
    expect(await page.title()).not.toBe('run');
    expect(told).toEqual([]);
    await accessible('A stored page');
    // It asks frames, of which this one does not answer.
    told.length = 0;
    await page.getByLabel('Source', { exact: true }).check();
    await page.locator('pre.stored').getByText('elsewhere.example').waitFor();
    expect(told).toEqual([]);
  });

  it('show a PDF as stored where the browser has a viewer, and say where it has none', async () => {
    const push = await openPush(service, 'Papers');
    const pages = [textPage('A grebe dives.')];
    await push.put('grebe.pdf', { text: new Uint8Array(pdfFile({ pages })), type: 'application/pdf' });
    for (const [hasViewer, shown] of [
      [true, page.locator('iframe.stored[src^="blob:"]')],
      [false, page.getByText('This browser does not show PDFs')],
    ] as const) {
      await page.evaluate(
        `Object.defineProperty(navigator, 'pdfViewerEnabled', { value: ${hasViewer}, configurable: true })`,
      );
      await open(`/sources/push/${push.id}?tab=documents`);
      await page.getByRole('row').filter({ hasText: 'grebe' }).click();
      await page.getByRole('button', { name: 'As stored' }).click();
      await shown.waitFor();
      await page.locator('.document').getByRole('button', { name: 'Close' }).click();
    }
    // The browser would tell of a frame that the policy of the page forbids.
    expect(told).toEqual([]);
  });

  it('open a long document at the passage that is sought, with a part of those before it', async () => {
    const push = await openPush(service, 'Long');
    const paragraphs = Array.from(
      { length: 6_000 },
      (_, i) => `Paragraph ${i} tells of the wren ${i} in a hedge.`,
    );
    await push.put('long.txt', { text: paragraphs.join('\n\n'), type: 'text/plain' });
    const list = () => service.get('/sources', { query: { source_group_id: push.id, status: ['indexed'] } });
    await expect.poll(async () => (await list()).sources.length, { timeout: 30_000 }).toBe(1);
    const { sources } = await list();
    const read = (after?: string) =>
      service.get('/sources/{id}/contents', {
        path: { id: sources[0]!.id },
        query: { limit: 100, ...(after !== undefined && { after }) },
      });
    const first = await read();
    const second = await read(first.pagination.next_id);
    const [behind, sought] = [second.contents.length, second.contents.at(-1)!];
    expect(behind).toBeGreaterThan(60);
    await open(`/sources/push/${push.id}?tab=documents&document=${sources[0]!.id}&passage=${sought.id}`);
    const mark = page.locator('.passages mark.marked').first();
    await mark.waitFor();
    const shown = () =>
      mark.evaluate((one) => {
        const [inner, outer] = [one, one.closest('.document')!].map((each) => each.getBoundingClientRect());
        return inner!.bottom > outer!.top && inner!.top < outer!.bottom;
      });
    await expect.poll(shown).toBe(true);
    const before = 100 + behind - 1 - 50;
    await page.getByRole('button', { name: `Show some of the ${before} passages before` }).click();
    await page.getByRole('button', { name: `Show some of the ${before - 50} passages before` }).waitFor();
    const { length } = `${before + 51}`;
    expect((await mark.textContent())!.slice(0, length)).toBe(`${before + 51}`);
    expect(told).toEqual([]);
  });

  it('list their documents by state, name and title, and read one again that failed', async () => {
    const body = await service.get('/source-groups', { query: { name: 'Birds' } });
    await open(`/sources/crawl/${body.source_groups[0]!.id}?tab=documents`);
    const names = async () =>
      page.getByRole('row').locator('[role=cell]:first-child > :first-child').allTextContents();
    await expect.poll(names).toHaveLength(2);
    await page.getByRole('columnheader', { name: 'newest first' }).waitFor();
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
    await expect.poll(names).toEqual([`${start}torn.pdf`, 'Herons']);
    await page.getByRole('searchbox', { name: 'Filter by a part' }).fill('hERO');
    await expect.poll(names).toEqual(['Herons']);
    await page.getByRole('searchbox', { name: 'Filter by a part' }).fill('');
    await expect.poll(names).toHaveLength(2);
    await page.getByRole('combobox', { name: 'State' }).selectOption('Failed');
    await expect.poll(names).toEqual([`${start}torn.pdf`]);
    await page.locator('[role=cell] .reason.extra').getByText(/\w/).waitFor();
    await accessible('Documents that failed');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('1 item is tried again').waitFor();
    await expect
      .poll(async () => (await service.get('/crawls')).crawls[0], { timeout: 60_000 })
      .toMatchObject({ status: 'success', progress: { seen: 1, failed: 1, named_items: true } });
    expect(told).toEqual([]);
  });

  it('send files of which some, or all, are cancelled, and those that failed once more', async () => {
    await open('/sources/new?type=local_file');
    const files = ['kites', 'terns', 'smews'].map((name) => ({
      name: `${name}.md`,
      mimeType: 'text/markdown',
      buffer: Buffer.from(`# ${name}`),
    }));
    const choose = () => page.getByLabel('Choose files').setInputFiles(files);
    await choose();
    await page.getByRole('button', { name: 'Cancel all 3' }).click();
    expect(await page.getByRole('cell', { name: 'Cancelled' }).count()).toBe(3);
    expect(await page.getByRole('button', { name: 'Create and start' }).isDisabled()).toBe(true);
    await choose();
    await page.getByRole('button', { name: 'Create and start' }).click();
    await page.getByText('Fill this in').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Waders');
    await page.getByRole('button', { name: 'Cancel terns.md' }).click();
    await page.route('**/api/v1/local-file-groups', (route) => route.fulfill(REFUSED), { times: 1 });
    await page.getByRole('button', { name: 'Create and start' }).click();
    await page
      .getByRole('cell', { name: /^Failed/ })
      .first()
      .waitFor();
    await accessible('Files that could not be sent');
    // The browser tells of the refusal, too.
    told.length = 0;
    await page.getByRole('button', { name: 'Try all 2 again' }).click();
    await page.locator('.facts-line').getByText('Succeeded').waitFor({ timeout: 60_000 });
    await page.getByRole('link', { name: 'Documents' }).click();
    await page.getByRole('row').filter({ hasText: 'smews smews.md' }).waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'terns' }).count()).toBe(0);

    await page.getByRole('link', { name: 'Add files' }).click();
    await choose();
    let answer = (): void => undefined;
    await page.route(
      '**/local-file-groups/*/files',
      (route) => (answer = () => void route.abort().catch(() => undefined)),
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'Cancel all 3' }).click();
    await page.getByText('Not sent, as you cancelled it: kites.md, terns.md, smews.md.').waitFor();
    answer();
    await page.getByRole('button', { name: 'Try all 3 again' }).click();
    await page.locator('.gantt-row').first().getByText('1 indexed').waitFor({ timeout: 60_000 });
    expect(told).toEqual([]);
  });

  it('say how documents are pushed, by requests that run as they are and hold no key', async () => {
    await open('/sources/new?type=push');
    await page.getByLabel('Name').fill('Feed');
    await page.getByRole('button', { name: 'Create and start' }).click();
    await page.getByText('The heron stands in reeds.').waitFor();
    await accessible('How to push');
    const [curl, typescript] = await page.locator('.card pre').allTextContents();
    expect(`${curl} ${typescript}`).not.toContain(service.key);
    const folder = await mkdtemp(join(tmpdir(), 'knowledger-push-'));
    journey.closing(() => rm(folder, { recursive: true }));
    const program = join(folder, 'push.ts');
    const client = new URL('../../clients/typescript/src/index.ts', import.meta.url).href;
    await writeFile(program, typescript!.replace('knowledger-client', client));
    const env = { ...process.env, KNOWLEDGER_API_KEY: service.key };
    const { stdout } = await run('sh', ['-ec', curl!], { env });
    expect(stdout).toContain('"status":"success"');
    await run(process.execPath, [program], { env });
    await page.getByRole('link', { name: 'Documents' }).click();
    await page.getByRole('row').filter({ hasText: 'Herons' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'Terns' }).waitFor();
    expect(told).toEqual([]);
  });

  it('fit a narrow screen', async () => {
    await page.setViewportSize({ width: 375, height: 800 });
    const body = await service.get('/source-groups', { query: { name: 'Birds' } });
    for (const tab of ['timeline', 'documents', 'problems', 'changes', 'settings']) {
      await open(`/sources/crawl/${body.source_groups[0]!.id}?tab=${tab}`);
      await page.locator('.tab[aria-current=page]').waitFor();
      await page.locator('.loading').first().waitFor({ state: 'detached' });
      const cut = await page.evaluate(`[
        document.documentElement.scrollWidth > innerWidth,
        ...[...document.querySelectorAll('.tab')].map((one) => one.getBoundingClientRect().right > innerWidth),
        new Set([...document.querySelectorAll('nav.tabs .tab')].map((one) => one.offsetTop)).size > 1,
      ].includes(true)`);
      expect([tab, cut]).toEqual([tab, false]);
    }
    // All of the bar is behind one button.
    const bar = page.locator('header.bar');
    expect((await bar.boundingBox())!.height).toBeLessThan(60);
    const menu = page.getByRole('button', { name: 'Menu' });
    await menu.click();
    await accessible('Menu of a narrow screen');
    await page.keyboard.press('Escape');
    await menu.and(page.locator('[aria-expanded=false]')).click();
    await bar.getByRole('link', { name: 'Problems' }).click();
    await page.getByRole('heading', { name: 'Problems' }).waitFor();
    await bar.getByRole('link', { name: 'Problems' }).waitFor({ state: 'hidden' });
  });
});
