import { beforeAll, describe, expect, it } from 'vitest';
import { pdfFile, textPage } from '../adapters/extraction/pdf-files.ts';
import { crawl, ended, pathsOf } from '../support/crawls.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { page, type PageAnswer, type Site } from '../support/site.ts';

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
  let documents: Site;
  beforeAll(async () => {
    documents = await journey.site(DOCUMENTS);
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
    (await service.post('/search', { body: { query, limit: 1 } })).results[0]?.content;

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
    return { id: id, last };
  };

  const withHeader =
    (name: string, value: string, body: string): PageAnswer =>
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', [name]: value }).end(body);
    };
  const withHead = (head: string, body: string): string => `<!doctype html><head>${head}</head>${body}`;

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
