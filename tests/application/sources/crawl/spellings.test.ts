import { sourceStream } from '../../../../application/event-sourcing/streams.ts';
import { pagesToSync } from '../../../../application/sources/crawl/connector.ts';
import type { CrawlParameters } from '../../../../domain/ingestion-setting/index.ts';
import { START, on } from './crawls-in-memory.ts';
import { type SitePage, failure, openSiteInMemory } from './site-in-memory.ts';
import { describe, expect, it } from 'vitest';

const open = (pages: Readonly<Record<string, SitePage>>, parameters: Partial<CrawlParameters> = {}) => {
  const site = openSiteInMemory(parameters);
  for (const [path, page] of Object.entries(pages)) site.world.pages.set(path, page);
  return site;
};
const startWith = (...paths: readonly string[]): SitePage => ({ text: 'start', links: paths.map(on) });
const documents = async (site: ReturnType<typeof open>, ...paths: readonly string[]) => {
  const last = await Promise.all(
    paths.map(async (path) => {
      const facts = await site.documents.stored(sourceStream(site.documents.documents.idOf(on(path))));
      return facts.at(-1)?.type === 'SourceIndexed' ? [path] : [];
    }),
  );
  return last.flat();
};

describe('spellings of one page in a crawl', () => {
  it('are asked for once where they differ in marks of a click, of a session, or in their encoding', async () => {
    const site = open({
      '': startWith('a?utm_source=x', 'a?gclid=2', 'a;jsessionid=1', 'a', '%7ebob', '%7Ebob', '~bob'),
      a: { text: 'page a', links: [on(';jsessionid=3'), on('a;jsessionid=4')] },
      '~bob': { text: 'bob' },
    });
    expect(await site.run(1)).toMatchObject({ counts: { seen: 3, indexed: 3 }, complete: true });
    expect(site.askedFor().toSorted()).toEqual(['', 'a', '~bob']);
  });

  it('become one document where they have the same text: with a slash, without, by an index file', async () => {
    const docs = { text: 'the docs' };
    const home = startWith('docs', 'docs/', 'docs/index.html', 'index.html');
    const site = open({ '': home, 'index.html': home, docs, 'docs/': docs, 'docs/index.html': docs });
    expect(await site.run(1)).toMatchObject({ counts: { indexed: 2, skipped: 3 } });
    const first = await documents(site, 'docs', 'docs/', 'docs/index.html');
    expect(first).toHaveLength(1);
    expect(await site.run(2)).toMatchObject({ counts: { indexed: 0, unchanged: 2, skipped: 3 } });
    expect(await site.run(3, { mode: 'full' })).toMatchObject({ counts: { unchanged: 2, skipped: 3 } });
    expect(await documents(site, 'docs', 'docs/', 'docs/index.html')).toEqual(first);
  });

  it('become one document where only marks in their markup differ, that change with each answer', async () => {
    const site = open({ '': startWith('docs', 'docs/', 'docs/index.html') });
    let asked = 0;
    site.world.onFetch = () => {
      for (const path of ['docs', 'docs/', 'docs/index.html']) {
        const body = new TextEncoder().encode(`the docs<!-- nonce ${(asked += 1)} -->`);
        site.world.pages.set(path, { text: 'the docs', answers: { body, etag: null } });
      }
    };
    expect(await site.run(1)).toMatchObject({ counts: { indexed: 2, skipped: 2 } });
    const first = await documents(site, 'docs', 'docs/', 'docs/index.html');
    expect(await site.run(2)).toMatchObject({ counts: { indexed: 1, unchanged: 1, skipped: 2 } });
    expect(await documents(site, 'docs', 'docs/', 'docs/index.html')).toEqual(first);
  });

  it('stay two documents where they have other texts', async () => {
    const site = open({
      '': startWith('docs', 'docs/'),
      docs: { text: 'a file' },
      'docs/': { text: 'a folder' },
    });
    expect(await site.run(1)).toMatchObject({ counts: { indexed: 3 } });
  });

  it('give the place of a document that is gone to another', async () => {
    const docs = { text: 'the docs' };
    const site = open({ '': startWith('docs', 'docs/'), docs, 'docs/': docs });
    await site.run(1);
    const [first = ''] = await documents(site, 'docs', 'docs/');
    const other = first === 'docs' ? 'docs/' : 'docs';
    site.world.pages.set(first, { outcome: failure(404) });
    await site.run(2);
    expect(await documents(site, first, other)).toEqual([other]);
  });

  it('are never two documents where the query of a link was spelt in another encoding before', async () => {
    const [inUtf8, inGbk] = ['find?q=%E4%B8%AD', 'find?q=%D6%D0'];
    const found = { text: 'what was found' };
    const site = open({ '': startWith(inUtf8), [inUtf8]: found, [inGbk]: found });
    await site.run(1);
    site.world.pages.set('', startWith(inGbk));
    await site.run(2);
    expect(await documents(site, inUtf8, inGbk)).toEqual([inUtf8]);
    // The start is read again.
    site.world.pages.set('', { ...startWith(inGbk), text: 'new start' });
    await site.run(3);
    expect(await documents(site, inUtf8, inGbk)).toEqual([inGbk]);
  });

  it('are pages of their own with no_canonical_check', async () => {
    const pages = { '': startWith('a', 'a/', 'a?utm_source=x'), a: {}, 'a/': {}, 'a?utm_source=x': {} };
    expect(await open(pages, { noCanonicalCheck: true }).run(1)).toMatchObject({ counts: { indexed: 4 } });
  });

  describe('in a crawl that knew them as written', () => {
    const OLD = ['%7Ebob', 'a?utm_source=x', 'p;jsessionid=1'];
    const crawled = async (more: Partial<CrawlParameters> = {}) => {
      const pages = OLD.map((path) => [path, { text: `text of ${path}` }] as const);
      const site = open(
        { '': startWith(...OLD), ...Object.fromEntries(pages) },
        { noCanonicalCheck: true, ...more },
      );
      await site.run(1);
      site.world.parameters = { ...site.world.parameters, noCanonicalCheck: false };
      site.world.pages.set('', startWith('~bob', 'a?utm_source=y', 'p;jsessionid=2'));
      site.asked.length = 0;
      return site;
    };

    it.each([
      ['a sync', {}],
      ['a full sync', { mode: 'full' }],
    ] as const)('keep their documents in %s', async (_, job) => {
      const site = await crawled();
      expect(await site.run(2, job)).toMatchObject({ counts: { seen: 4, failed: 0 }, complete: true });
      expect(site.askedFor().toSorted()).toEqual(['', ...OLD].toSorted());
      expect(await documents(site, ...OLD, '~bob', 'a', 'p')).toEqual(OLD);
    });

    it('keep their documents in a sync that a limit cuts', async () => {
      const site = await crawled();
      site.world.parameters = { ...site.world.parameters, maxNumFiles: 2 };
      await site.run(2);
      expect(await documents(site, '~bob', 'a', 'p')).toEqual([]);
    });

    it('are found by a sync that names them in another spelling', async () => {
      const site = await crawled();
      const of = { dataSourceId: 'x', parameters: site.world.parameters };
      expect(
        await pagesToSync(site.deps, of, [on('~bob'), on('%7ebob'), `${START}new?utm_source=1`]),
      ).toEqual([on('%7Ebob'), on('new')]);
    });
  });
});
