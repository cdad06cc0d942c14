import { beforeAll, describe, expect, it } from 'vitest';
import { pdfFile, textPage } from '../adapters/extraction/pdf-files.ts';
import { crawl, ended, pathsOf } from '../support/crawls.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { manyPages, page, type PageAnswer, type Site } from '../support/site.ts';

describe('the parameters of a crawl', () => {
  const of =
    (mediaType: string, body: string | Buffer): PageAnswer =>
    (_, response) => {
      response.writeHead(200, { 'content-type': mediaType }).end(body);
    };

  const DOCUMENTS = {
    '/': page('Documents', 'all kinds', [
      '/a.pdf',
      '/b.txt',
      '/c.md',
      '/d.svg',
      '/g.rst',
      '/page',
      '/e.PDF?version=2',
    ]),
    '/a.pdf': of(
      'application/pdf',
      pdfFile({ pages: [textPage('the first leaf'), textPage('the second leaf, amaranth')] }),
    ),
    '/b.txt': of('text/plain', 'a plain text about basalt'),
    '/c.md': of('text/markdown', '# Heading\n\nmarked text about coral'),
    '/d.svg': of('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><text>Gneiss</text></svg>'),
    '/g.rst': of('text/prs.fallenstein.rst', 'Granite\n=======\n\nWords about granite'),
    '/e.PDF?version=2': of('application/pdf', pdfFile({ pages: [textPage('another about dolomite')] })),
    '/page': page('Page', 'a page about ebony', ['/f.txt']),
    '/f.txt': of('text/plain', 'found through the page: feldspar'),
  };

  const journey = openJourney();
  let service: Tenant;
  let tree: Site;
  let documents: Site;
  beforeAll(async () => {
    [tree, documents] = [await journey.site(manyPages(200)), await journey.site(DOCUMENTS)];
    service = await journey.tenant();
  }, 120_000);

  /** Crawls to the end; answers the id, and what was counted. */
  const crawled = async (site: Site, parameters: object) => {
    const { id } = await crawl(service, `${site.origin}/`, parameters);
    const last = (await ended(service, id)).at(-1);
    expect(last.type).toBe('JobSucceeded');
    return { id, counts: last.data.counts };
  };
  const search = async (query: string) =>
    (await service.api('POST', '/search', { query, limit: 1 })).body.results[0]?.content;

  describe('a crawl keeps to', { timeout: 180_000 }, () => {
    it('max_depth: pages further away are not asked for', async () => {
      const one = await crawled(tree, { max_depth: 1 });
      expect(one.counts).toMatchObject({ seen: 11, indexed: 11 });
      expect(tree.hits.get('/p11') ?? 0).toBe(0);
      const two = await crawled(tree, { max_depth: 2 });
      expect(two.counts).toMatchObject({ seen: 111, indexed: 111 });
    });

    it.each([1, 50])('max_num_files %i: so many documents are stored, and not one more', async (most) => {
      const { id, counts } = await crawled(tree, { max_num_files: most });
      expect(counts.indexed).toBe(most);
      expect(await pathsOf(service, tree, id)).toHaveLength(most);
    });

    it('path_filters: what an exclamation mark excludes is not asked for, even if included', async () => {
      tree.hits.clear();
      const { id } = await crawled(tree, { path_filters: ['/p[1-9]', '/p1?', '!/p3', '!/p1[5-9]'] });
      const expected = [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14].map((n) => `/p${n}`);
      expect(new Set(await pathsOf(service, tree, id))).toEqual(new Set(expected));
      expect(tree.hits.has('/p3')).toBe(false);
    });

    it('content_pattern: pages whose text no pattern matches are followed and left out', async () => {
      const { id } = await crawled(tree, { max_depth: 2, content_pattern: ['number1[0-3]\\b', 'number42'] });
      const expected = ['/p10', '/p11', '/p12', '/p13', '/p42'];
      expect(await pathsOf(service, tree, id)).toEqual(expected);
      expect((await pathsOf(service, tree, id, 'skipped')).length).toBe(106);
    });
  });

  describe('of the kinds of documents', { timeout: 180_000 }, () => {
    it('every one that can be read is indexed, a PDF by its pages, and the others are listed', async () => {
      const { id } = await crawled(documents, {});
      const indexed = ['/', '/a.pdf', '/b.txt', '/c.md', '/e.PDF?version=2', '/f.txt', '/g.rst', '/page'];
      expect(await pathsOf(service, documents, id)).toEqual(indexed);
      expect(await pathsOf(service, documents, id, 'skipped')).toEqual(['/d.svg']);
      const url = `${documents.origin}/a.pdf`;
      expect(await search('amaranth')).toMatchObject({ url, file_type: 'pdf', page_number: 2 });
      expect(await search('basalt')).toMatchObject({ file_type: 'txt', page_number: 0 });
      expect(await search('coral')).toMatchObject({ file_type: 'md', title: 'Heading' });
      expect(await search('feldspar')).toMatchObject({ file_type: 'txt' });
    });

    it('html_only leaves every body of another kind undownloaded', async () => {
      const { id } = await crawled(documents, { html_only: true });
      expect(await pathsOf(service, documents, id)).toEqual(['/', '/page']);
    });

    it('file_extensions names those that are stored; pages are visited for their links', async () => {
      documents.hits.clear();
      const { id } = await crawled(documents, { file_extensions: ['.pdf', '.txt'] });
      const expected = ['/a.pdf', '/b.txt', '/e.PDF?version=2', '/f.txt'];
      expect(await pathsOf(service, documents, id)).toEqual(expected);
      expect(documents.hits.has('/c.md')).toBe(false);
    });
  });
});

describe('what pages say of themselves', { timeout: 180_000 }, () => {
  const journey = openJourney();
  let service: Tenant;
  beforeAll(async () => {
    service = await journey.tenant();
  }, 120_000);

  const open = journey.site;
  const crawled = async (site: Site, parameters: object = {}) => {
    const { id } = await crawl(service, `${site.origin}/`, parameters);
    const last = (await ended(service, id)).at(-1);
    return { id: id as string, last };
  };

  const withHeader =
    (name: string, value: string, body: string): PageAnswer =>
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', [name]: value }).end(body);
    };
  const withHead = (head: string, body: string): string => `<!doctype html><head>${head}</head>${body}`;
  const canonical = (href: string, text: string): string =>
    withHead(`<link rel="canonical" href="${href}">`, page('Copy', text));

  const COPIES = {
    '/': page('Start', 'all copies', ['/a?ref=1', '/a?ref=2', '/a?ref=3', '/far']),
    '/a': canonical('/a', 'one text under four addresses'),
    '/a?ref=1': canonical('/a', 'one text under four addresses'),
    '/a?ref=2': canonical('/a', 'one text under four addresses'),
    '/a?ref=3': canonical('/a', 'one text under four addresses'),
    '/far': canonical('https://example.com/far', 'claims to be a page of another site'),
  };

  it('rel=canonical makes one source of all copies; that of another site is not believed', async () => {
    const site = await open(COPIES);
    const { id } = await crawled(site);
    expect(await pathsOf(service, site, id)).toEqual(['/', '/a', '/far']);
  });

  it('no_canonical_check stores every address by itself', async () => {
    const site = await open(COPIES);
    const { id } = await crawled(site, { no_canonical_check: true });
    expect(await pathsOf(service, site, id)).toEqual(['/', '/a?ref=1', '/a?ref=2', '/a?ref=3', '/far']);
  });

  it('noindex leaves a page out and follows its links, nofollow the other way round', async () => {
    const meta = (content: string): string => `<meta name="robots" content="${content}">`;
    const site = await open({
      '/': page('Start', 'directives', ['/noindex', '/nofollow', '/none', '/header', '/marked']),
      '/noindex': withHead(meta('noindex'), page('No', 'unseen', ['/behind-noindex'])),
      '/nofollow': withHead(meta('nofollow'), page('Yes', 'seen', ['/behind-nofollow'])),
      '/none': withHead(meta('none'), page('No', 'unseen', ['/behind-none'])),
      '/header': withHeader('x-robots-tag', 'noindex', page('No', 'unseen', ['/behind-header'])),
      '/marked':
        '<title>Marked</title><p>one link is marked</p><a rel="nofollow" href="/behind-marked">x</a>',
      '/behind-noindex': page('Behind', 'behind noindex'),
      '/behind-header': page('Behind', 'behind the header'),
      '*': page('Wrong', 'nobody should come here'),
      '/robots.txt': (_, response) => void response.writeHead(404).end(),
    });
    const { id } = await crawled(site);
    const indexed = ['/', '/behind-header', '/behind-noindex', '/marked', '/nofollow'];
    expect(await pathsOf(service, site, id)).toEqual(indexed);
    expect(await pathsOf(service, site, id, 'skipped')).toEqual(['/header', '/noindex', '/none']);
  });
});
