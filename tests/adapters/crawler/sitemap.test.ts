import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createSitemapReader } from '../../../adapters/crawler/sitemap.ts';
import { failedWith, fakePages, page } from './fake-pages.ts';
import { neverAborted } from './loopback.ts';

const HOME = 'https://example.com';
const locs = (tag: 'url' | 'sitemap', urls: readonly string[]): string =>
  urls.map((url) => `<${tag}><loc>${url}</loc></${tag}>`).join('');
const urlset = (...urls: readonly string[]): string =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locs('url', urls)}</urlset>`;
const index = (...urls: readonly string[]): string => `<sitemapindex>${locs('sitemap', urls)}</sitemapindex>`;

const read = async (files: Readonly<Record<string, string | Uint8Array>>, maxUrls?: number) => {
  const { pages, asked } = fakePages(({ url }) => {
    const body = files[url.slice(HOME.length)];
    return body === undefined ? undefined : page(url, body);
  });
  const start = [`${HOME}${Object.keys(files)[0]}`];
  const limits = maxUrls === undefined ? {} : { maxUrls };
  const { urls, complete } = await createSitemapReader(pages).readSitemaps(start, limits, neverAborted());
  return { urls, complete, asked: asked.map((url) => url.slice(HOME.length)) };
};

describe('readSitemaps', () => {
  it('reads URLs once each, canonical, blanks and entities undone', async () => {
    const { urls } = await read({
      '/s.xml': urlset(
        `\n ${HOME}/a?x=1&amp;y=2#z \n`,
        `${HOME}/b`,
        `${HOME}/b`,
        '/c',
        'ftp://x/',
        '<![CDATA[/d]]>',
      ),
    });
    expect(urls).toEqual([`${HOME}/a?x=1&y=2`, `${HOME}/b`, `${HOME}/c`, `${HOME}/d`]);
  });

  it('does not take the image of a page for a page', async () => {
    const body =
      '<urlset><url><loc>/a</loc><image:image><image:loc>/a.png</image:loc></image:image></url></urlset>';
    expect((await read({ '/s.xml': body })).urls).toEqual([`${HOME}/a`]);
    const prefixed = '<s:urlset><s:url><s:loc>/a</s:loc></s:url></s:urlset>';
    expect((await read({ '/s.xml': prefixed })).urls).toEqual([`${HOME}/a`]);
  });

  it('reads a text file and a gzip file', async () => {
    expect((await read({ '/s.txt': `\uFEFF${HOME}/a\r\nnoise\n${HOME}/b` })).urls).toEqual([
      `${HOME}/a`,
      `${HOME}/b`,
    ]);
    expect((await read({ '/s.xml.gz': gzipSync(urlset('/a')) })).urls).toEqual([`${HOME}/a`]);
  });

  it('follows index files two levels down, each file once', async () => {
    const { urls, asked } = await read({
      '/0': index('/1', '/gone', '/1'),
      '/1': index('/2', '/0'),
      '/2': `${index('/3')}${urlset('/page')}`,
      '/3': urlset('/too-deep'),
    });
    expect(asked).toEqual(['/0', '/1', '/gone', '/2']);
    expect(urls).toEqual([`${HOME}/page`]);
  });

  it('fetches at most 50 files', async () => {
    const many = Array.from({ length: 80 }, (_, at) => `/s${at}`);
    expect((await read({ '/index': index(...many) })).asked).toHaveLength(50);
  });

  it('asks before it fetches', async () => {
    const { pages, asked } = fakePages(({ url }) => page(url, index('/no', '/yes')));
    const mayFetch = (url: string): boolean => !url.endsWith('/no');
    await createSitemapReader(pages).readSitemaps([`${HOME}/s`], { mayFetch }, neverAborted());
    expect(asked).toEqual([`${HOME}/s`, `${HOME}/yes`]);
  });

  it.each([
    ['a gzip bomb', gzipSync(Buffer.alloc(64 * 1024 * 1024), { level: 1 })],
    ['broken gzip', Buffer.from([0x1f, 0x8b, 1, 2, 3])],
    ['bottomless nesting', '<a>'.repeat(300_000)],
    ['a page', '<html><body>Not found</body></html>'],
  ])('passes over %s', async (_name, body) => {
    expect((await read({ '/s': body })).urls).toEqual([]);
  });

  it.each([
    ['whole', { '/s': urlset('/a') }, true],
    ['whole though empty', { '/s': '<?xml version="1.0"?><!-- none --><urlset/>' }, true],
    ['whole without a part that is gone', { '/s': index('/gone') }, true],
    ['in part when a page is sent in its place', { '/s': index('/t'), '/t': '<html>Maintenance' }, false],
    ['in part when it is broken', { '/s': Buffer.from([0x1f, 0x8b, 1, 2, 3]) }, false],
  ])('says that it was read %s', async (_, files, expected) => {
    expect((await read(files)).complete).toBe(expected);
  });

  it('does not expand entities that the file declares', async () => {
    const laughs = `<!DOCTYPE x [<!ENTITY a "${'ha'.repeat(100)}"><!ENTITY b "&a;&a;&a;&a;">]>`;
    expect((await read({ '/s': `${laughs}${urlset('/&b;')}` })).urls).toEqual([`${HOME}/&b;`]);
  });

  it('keeps what stands before the damage', async () => {
    const body = `<urlset>${locs('url', ['/a'])}${'<deep>'.repeat(100)}${locs('url', ['/b'])}`;
    expect((await read({ '/s': body })).urls).toEqual([`${HOME}/a`]);
  });

  it('ends with the reason of the signal', async () => {
    const gone = new Error('cancelled');
    const { pages } = fakePages(({ url }) => page(url, urlset('/a')));
    const reading = createSitemapReader(pages).readSitemaps([`${HOME}/s`], {}, AbortSignal.abort(gone));
    await expect(reading).rejects.toBe(gone);
  });

  it.each([
    ['a sitemap', page(`${HOME}/sitemap.xml`, urlset('/a')), true],
    ['a page for everything that is not there', page(`${HOME}/sitemap.xml`, '<h1>Oh no</h1>'), true],
    ['a refusal for good', failedWith(`${HOME}/sitemap.xml`, 403), true],
    ['an error that passes', { ...failedWith(`${HOME}/sitemap.xml`, 503), transient: true }, false],
  ])('where nobody named it, is complete or not with %s', async (_, outcome, complete) => {
    const { pages } = fakePages(() => outcome);
    const options = { guessed: true };
    const named = await createSitemapReader(pages).readSitemaps(
      [`${HOME}/sitemap.xml`],
      options,
      neverAborted(),
    );
    expect(named.complete).toBe(complete);
  });
});
