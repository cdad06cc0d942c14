import { patternCompiler } from '../../../../adapters/crawler/pattern-compiler.ts';
import type { PendingPage } from '../../../../application/ports/crawl-frontier.ts';
import type { ExtractionOutcome } from '../../../../application/ports/document-reader.ts';
import { pagesToSync } from '../../../../application/sources/crawl/connector.ts';
import type { CrawlDeps } from '../../../../application/sources/crawl/crawl-deps.ts';
import type { Fetched, WithPage } from '../../../../application/sources/crawl/fetch-stage.ts';
import { moveStart } from '../../../../application/sources/crawl/visit-all.ts';
import { reasonToSkip } from '../../../../application/sources/crawl/visit-of-page.ts';
import type { CrawlParameters } from '../../../../domain/ingestion-setting/index.ts';
import { crawlParameters } from '../../../support/crawl-parameters.ts';
import { START, crawlOf, on, pending } from './crawls-in-memory.ts';
import { type SitePage, openSiteInMemory } from './site-in-memory.ts';
import { describe, expect, it } from 'vitest';

type Site = ReturnType<typeof openSiteInMemory>;

const LEADS: SitePage = { text: 'start', links: [on('a'), on('b')] };

const open = (
  pages: Readonly<Record<string, SitePage>>,
  ...of: Parameters<typeof openSiteInMemory>
): Site => {
  const site = openSiteInMemory(...of);
  site.world.pages.set('', LEADS);
  for (const [path, page] of Object.entries(pages)) site.world.pages.set(path, page);
  return site;
};

const visitsOf = async (
  pages: Readonly<Record<string, SitePage>>,
  ...of: Parameters<typeof openSiteInMemory>
) => {
  const site = open(pages, ...of);
  await site.run(1);
  return site.outcomes();
};

describe('a page that is visited', () => {
  it('leads where a refresh does, before its links', async () => {
    const site = open({ '': { text: 'start', links: [on('a')], says: { refresh: on('b') } } });
    await site.run(1);
    expect(site.visitOf(START)?.links).toEqual([on('b'), on('a')]);
  });

  it('is indexed under the address that it redirects to, once, and by what that one leads to', async () => {
    const site = open({ a: { to: on('x') }, b: { to: on('x') }, x: { text: 'page x', links: [on('y')] } });
    await site.run(1);
    expect(site.outcomes()).toEqual({
      [START]: 'indexed',
      [on('a')]: 'skipped: redirected',
      [on('b')]: 'skipped: redirected',
      [on('x')]: 'indexed',
      [on('y')]: 'failed: http_status',
    });
    expect(site.visitOf(on('a'))).toMatchObject({ message: on('x'), links: [on('x')], sourceId: null });
    expect(await site.factsOf('x')).toEqual(['SourceIndexed']);
    expect(await site.factsOf('a')).toEqual([]);
  });

  it('is read behind a detour that leads out of the crawl, names the page and comes back', async () => {
    const site = openSiteInMemory();
    const ask = (back: string): string => `https://consent.example/ask?x=1&back=${encodeURIComponent(back)}`;
    site.world.pages.set('', { text: 'start', links: ['a', 'b', 'c', 'd'].map(on) });
    for (const [path, to] of [
      ['a', ask(on('a'))],
      ['b', ask('/b')],
      ['c', ask(on('c'))],
      ['d', ask(on('e'))],
    ] as const) {
      site.world.pages.set(path, { to });
      site.world.pages.set(to, {
        text: `page ${path}`,
        ...(path < 'c' && { answers: { finalUrl: on(path) } }),
      });
    }
    await site.run(1);
    expect(site.outcomes()).toEqual({
      [START]: 'indexed',
      [on('a')]: 'indexed',
      [on('b')]: 'indexed',
      [on('c')]: 'skipped: redirected_out',
      [on('d')]: 'skipped: redirected_out',
    });
  });

  it('is left out where its redirect leads away, or to where robots.txt forbids', async () => {
    const site = open({ a: { to: 'https://elsewhere.example/' }, b: { to: on('x') }, x: { text: 'x' } });
    site.world.robots = (url) =>
      url === on('x') ? { allowed: false, reason: 'disallowed' } : { allowed: true };
    await site.run(1);
    expect(site.outcomes()).toMatchObject({
      [on('a')]: 'skipped: redirected_out',
      [on('b')]: 'robots: robots',
    });
    const away = { reason: 'unreachable', code: 'dns_failed', message: 'there is no such host' } as const;
    site.world.robots = (url) => (url === on('a') ? { allowed: false, ...away } : { allowed: true });
    set(site, 'b', { text: 'b' });
    await site.run(2);
    expect(site.visitOf(on('a'))).toMatchObject({
      outcome: 'failed',
      code: 'dns_failed',
      message: away.message,
    });
  });

  it('is visited in place of one that names it as canonical, and stands alone where that leads to nothing', async () => {
    const twin = { text: 'page b', says: { canonical: on('a') } };
    const both = await visitsOf({ a: { text: 'page a' }, b: twin });
    expect(both).toEqual({ [START]: 'indexed', [on('a')]: 'indexed', [on('b')]: 'skipped: duplicate' });
    const alone = await visitsOf({ '': { text: 'start', links: [on('b')] }, b: twin });
    expect(alone).toEqual({ [START]: 'indexed', [on('a')]: 'failed: http_status', [on('b')]: 'indexed' });
    const told = open({ a: { text: 'page a' }, b: twin });
    await told.run(1, { locators: [on('b')] });
    expect(told.outcomes()).toEqual({ [on('a')]: 'indexed', [on('b')]: 'skipped: duplicate' });
  });

  it('that could not be read leads where it led before, and keeps its document', async () => {
    const site = open({ a: { text: 'page a', links: [on('c')] }, c: { text: 'page c' } });
    await site.run(1);
    const { read } = site.documents;
    const broken = { kind: 'failed', code: 'parser_failed', message: 'it breaks off' } as const;
    site.documents.read = (text) => (text === 'newer a' ? broken : read(text));
    set(site, 'a', { text: 'newer a' });
    await site.run(2);
    expect(site.visitOf(on('a'))).toMatchObject({
      outcome: 'failed',
      code: 'parser_failed',
      message: 'it breaks off',
    });
    expect(await site.factsOf('c')).toEqual(['SourceIndexed']);
    expect(site.outcomes()[on('c')]).toBe('unchanged');
  });

  it('says that next to nothing was read where its scripts were not run', async () => {
    const page = { '': { text: 'start', says: { needsScripts: true } } };
    const site = open(page);
    await site.run(1);
    expect(site.visitOf(START)).toMatchObject({
      outcome: 'indexed',
      code: 'partly_read',
      message:
        'this page has almost no text without its scripts: set use_browser to true in the crawl setting, then sync',
      rawSha256: site.documents.hash.sha256('start'),
    });
    expect(await visitsOf(page, { useBrowser: true })).toEqual({ [START]: 'indexed' });
  });

  it('is read again in the next job where something is missing, but not for a rest that is never read', async () => {
    const missing = { code: 'not_configured', message: 'set up a transcriber' } as const;
    const unread = { code: 'partly_read', message: '9 of 10 pages' } as const;
    const site = open({ a: { text: 'page a', links: [on('c')] } });
    const { read } = site.documents;
    const more: Readonly<Record<string, object>> = { 'page a': { missing }, start: { unread } };
    site.documents.read = (text) => ({ ...read(text), ...more[text] });
    await site.run(1);
    const nothing = { etag: null, lastModified: null, rawSha256: null };
    expect(site.visitOf(on('a'))).toMatchObject({ ...missing, ...nothing, bytes: 6, links: [on('c')] });
    expect(site.visitOf(START)).toMatchObject({ ...unread, etag: '"start"' });
  });
});

function set({ world }: Site, path: string, page: SitePage): void {
  world.pages.set(path, page);
}

interface Page {
  readonly parameters?: Partial<CrawlParameters>;
  readonly pending?: Partial<PendingPage>;
  readonly purpose?: 'index' | 'links_only';
  readonly noindex?: boolean;
  /** What the page says of itself. */
  readonly says?: { readonly noindex?: boolean; readonly canonical?: string } | null;
  readonly outcome?: object;
  readonly answersFor?: string;
}

const reason = ({
  parameters,
  pending: more,
  purpose = 'index',
  noindex = false,
  says = {},
  ...rest
}: Page) => {
  const outcome = { kind: 'page', finalUrl: on('a'), robots: { noindex } };
  const fetched = { pending: pending('a', more), purpose, outcome } as unknown as WithPage;
  const chunkSet = { chunks: [{ text: 'first' }, { text: 'second' }] };
  const read = rest.outcome ?? { kind: 'extracted', chunkSet, page: says };
  return reasonToSkip(
    crawlOf(parameters),
    fetched,
    { outcome: read as ExtractionOutcome, raw: { sha256: 'a'.repeat(64), bytes: 1 }, textSha256: '' },
    rest.answersFor ?? null,
  );
};

const refusal = (code: string, message: string | null, document = true, instead: readonly string[] = []) => ({
  code,
  message,
  document,
  instead,
});

describe('a page that was read', () => {
  it('is left out where nobody reads its type, or it is visited for its links alone', () => {
    const outcome = { kind: 'unsupported', message: 'video' };
    expect(reason({ outcome })).toEqual(refusal('unsupported_file_type', 'video'));
    expect(reason({ purpose: 'links_only' })).toEqual(refusal('extension_not_listed', null, false));
  });

  it('is indexed only with a text that a pattern matches, across its passages', () => {
    expect(reason({ parameters: { contentPattern: ['first\nsecond'] } })).toBeNull();
    expect(reason({ parameters: { contentPattern: ['third'] } })).toEqual(
      refusal('content_pattern', 'no content_pattern matches its text'),
    );
  });
});

describe('a page that names another as its canonical one', () => {
  const says = { canonical: on('b') };

  it.each<[string, Page]>([
    ['that one answered with it', { answersFor: on('b') }],
    ['that one led to nothing', { pending: { ignoresCanonical: true } }],
    ['nobody is to look at that', { parameters: { noCanonicalCheck: true } }],
    ['it names itself', { says: { canonical: on('a') } }],
    ['that one lies outside of the crawl', { says: { canonical: 'https://x.example/' } }],
    [
      'that one is not to be indexed',
      { says: { canonical: on('b.pdf') }, parameters: { fileExtensions: ['.html'] } },
    ],
  ])('is indexed all the same where %s', (_, more) => {
    expect(reason({ says, ...more })).toBeNull();
  });
});

describe('the site of a crawl', () => {
  const fetched = (url: string, depth: number, outcome: object): Fetched =>
    ({ pending: pending('', { url, depth }), purpose: 'index', outcome }) as Fetched;
  const moved = 'https://new.example.com/home';

  it('is that to which its start URL leads', () => {
    const crawl = crawlOf();
    moveStart(crawl, [fetched(START, 0, { kind: 'page', finalUrl: moved })]);
    expect(crawl.scope.start.href).toBe(moved);
    expect(crawl.scope.maxDepth).toBe(3);
  });
});

describe('pages that a sync shall look at', () => {
  const sync = async (urls: readonly string[], redirect: string | null = null, more = {}) => {
    const frontier = {
      documents: async () => [],
      lastRedirectOf: async () => redirect,
    } as unknown as CrawlDeps['frontier'];
    const of = { dataSourceId: 'd', parameters: crawlParameters(more) };
    return pagesToSync({ frontier, patterns: patternCompiler }, of, urls).catch(
      ({ code, message }: { readonly code: string; readonly message: string }) => [code, message],
    );
  };

  it('lie on the site to which the start URL led last', async () => {
    const moved = 'https://new.example.org/';
    expect(await sync([`${moved}a`], moved)).toEqual([`${moved}a`]);
    expect(await sync([`${moved}a`])).toEqual([
      'invalid_request',
      'urls[0] is not a page of this crawl: it is on another site than the start URL',
    ]);
  });

  it.each([
    ['no url', 'it is not a URL', {}],
    ['ftp://docs.example.com/', 'it is neither http nor https', {}],
    ['https://jo:pw@docs.example.com/', 'it has a user name or a password', {}],
    [on('x'.repeat(2_001)), 'it has more than 2000 characters', {}],
    [on('a'), 'it is too deep', { maxDepth: 0 }],
    [on('a'), 'path_filters exclude it', { pathFilters: ['/docs/**'] }],
    [on('a.pdf'), 'file_extensions does not list its extension', { fileExtensions: ['.html'] }],
    [on('a'), 'max_num_files is reached', { maxNumFiles: 0 }],
    [on('a/b/'.repeat(4)), 'its path repeats segments', {}],
    [on(Array.from({ length: 60 }, (_, i) => i).join('/')), 'its path has too many segments', {}],
    [on(`?${Array.from({ length: 60 }, (_, i) => `p${i}=1`).join('&')}`), 'it has too many parameters', {}],
  ])('are refused with the first that is none: %s', async (url, why, more) => {
    expect(await sync([START, url], null, { maxDepth: 1, ...more })).toEqual([
      'invalid_request',
      why === 'max_num_files is reached'
        ? `urls[0] is not a page of this crawl: ${why}`
        : `urls[1] is not a page of this crawl: ${why}`,
    ]);
  });
});
