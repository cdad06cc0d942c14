import { describe, expect, it } from 'vitest';
import { commit } from '../../../../application/sources/crawl/visit-all.ts';
import { visited } from '../../../../application/sources/crawl/visit.ts';
import { sourceStream } from '../../../../application/event-sourcing/streams.ts';
import { documentOf } from '../ingestion/documents-in-memory.ts';
import { crawlOf, on, START } from './crawls-in-memory.ts';
import { failure, openSiteInMemory, type SitePage } from './site-in-memory.ts';

type Site = ReturnType<typeof openSiteInMemory>;
const open = (
  pages: Readonly<Record<string, SitePage>>,
  ...of: Parameters<typeof openSiteInMemory>
): Site => {
  const site = openSiteInMemory(...of);
  for (const [path, page] of Object.entries(pages)) site.world.pages.set(path, page);
  return site;
};
/** What the frontier is asked for when a pass is over, with what it is asked by. */
const sweepsOf = (site: Site): readonly (readonly unknown[])[] => {
  const asked: (readonly unknown[])[] = [];
  const { unseen, surplus, strays } = site.frontier;
  Object.assign(site.frontier, {
    unseen: (...of: Parameters<typeof unseen>) => {
      asked.push(['unseen', of[1], of[2]]);
      return unseen(...of);
    },
    surplus: (...of: Parameters<typeof surplus>) => {
      asked.push(['surplus', of[1], of[2]]);
      return surplus(...of);
    },
    strays: (...of: Parameters<typeof strays>) => {
      asked.push(['strays', of[1], of[2]]);
      return strays(...of);
    },
  });
  return asked;
};

describe('what a pass has not come by', () => {
  it('is asked for by how much of the site was looked at', async () => {
    const site = open({ '': { text: 'start', links: [on('a')] }, a: { text: 'page a' } });
    const asked = sweepsOf(site) as (readonly unknown[])[];
    const after = async (work: () => Promise<unknown>) => {
      asked.length = 0;
      await work();
      return [...asked];
    };
    expect(await after(() => site.run(1))).toEqual([
      ['unseen', 'whole', 100],
      ['strays', null, 100],
    ]);
    expect(await after(() => site.run(2, { locators: [on('a')] }))).toEqual([['unseen', 'cut', 100]]);
    site.world.sitemaps = [on('sitemap.xml')];
    site.world.named = { urls: [], complete: false };
    expect(await after(() => site.run(3))).toEqual([['unseen', 'whole', 100]]);
    site.world.parameters = { ...site.world.parameters, maxNumFiles: 1 };
    site.world.named = { urls: [], complete: true };
    const cut = await after(() => site.run(4));
    expect(cut.slice(0, 2)).toEqual([
      ['unseen', 'cut', 100],
      ['surplus', 1, 100],
    ]);
    expect(new Set(cut.map(([what]) => what))).toEqual(new Set(['unseen', 'surplus']));
  });

  it('is removed as not seen, strays page by page, also where the start is all of the crawl', async () => {
    const site = open({ '': { text: 'start', links: [on('a')] }, a: { text: 'page a' } });
    await site.run(1);
    const { documents } = site.documents;
    site.catalog.ids = Array.from({ length: 101 }, (_, i) => documents.idOf(`stray ${i}`));
    site.world.parameters = { ...site.world.parameters, maxDepth: 0 };
    const asked = sweepsOf(site);
    await site.run(2);
    const facts = await site.documents.stored(sourceStream(documents.idOf(on('a'))));
    expect(facts.at(-1)).toMatchObject({ type: 'SourceRemoved', reason: 'not_seen', generation: 2 });
    const from = asked.flatMap(([what, after]) => (what === 'strays' ? [after] : []));
    expect(from).toEqual([null, site.catalog.ids.toSorted()[99]]);
  });

  it('is gone where a sitemap that could be had names it no more', async () => {
    const site = open({ '': { text: 'start' }, x: { text: 'x' } });
    site.world.sitemaps = [on('sitemap.xml')];
    site.world.named = { urls: [on('x')], complete: true };
    await site.run(1);
    site.world.named = { urls: [], complete: true };
    await site.run(2);
    expect(await site.factsOf('x')).toEqual(['SourceIndexed', 'SourceRemoved']);
  });
});

describe('a crawl of which little was new', () => {
  it('has not failed where as many pages are new as are unchanged, and one could not be had', async () => {
    const links = [on('a'), on('b')];
    const site = open({ '': { text: 'start', links }, a: { text: 'page a' }, b: { text: 'page b' } });
    await site.run(1);
    site.world.pages.set('a', { text: 'newer a' });
    site.world.pages.set('b', { outcome: failure(500) });
    const counts = { indexed: 1, unchanged: 1, failed: 1 };
    expect(await site.run(2)).toMatchObject({ kind: 'completed', counts });
  });

  it('has not failed for an error that nobody knows', async () => {
    const site = open({ '': { outcome: failure(500) } });
    const limits: unknown[] = [];
    Object.assign(site.frontier, {
      errors: async (_: string, page: object) => {
        limits.push(page);
        return { rows: [], hasMore: false, total: 0 };
      },
    });
    expect(await site.run(1)).toMatchObject({ kind: 'completed', counts: { failed: 1 } });
    expect(limits).toEqual([{ limit: 1 }]);
  });

  it('says of a told page what broke it', async () => {
    const site = open({ a: { text: 'page a' } });
    site.documents.read = () => ({ kind: 'failed', code: 'encrypted', message: 'needs a password' });
    const error = { title: 'Parser failed', message: `${on('a')}: needs a password` };
    expect(await site.run(1, { locators: [on('a')] })).toMatchObject({ code: 'encrypted', error });
  });
});

describe('the site of told pages', () => {
  const moved = 'https://new.example.com/';
  it('is that to which the start led last, while a whole crawl begins at the start again', async () => {
    const site = open({ '': { to: moved }, [moved]: { text: 'home' } });
    await site.run(1);
    site.world.pages.set(`${moved}a`, { to: `${moved}b` }).set(`${moved}b`, { text: 'page b' });
    await site.run(2, { locators: [`${moved}a`] });
    expect(site.outcomes()).toMatchObject({ [`${moved}a`]: 'skipped: redirected', [`${moved}b`]: 'indexed' });
    site.asked.length = 0;
    await site.run(3);
    expect(site.asked[0]!.url).toBe(START);
  });

  it('is not left by a page that it leads away from', async () => {
    const site = open({ a: { to: moved }, [moved]: { text: 'home' } });
    await site.run(1, { locators: [on('a')] });
    expect(site.outcomes()).toEqual({ [on('a')]: 'skipped: redirected_out' });
  });
});

describe('a page that is asked for again', () => {
  it('is not read again where its bytes are the same, though its server does not tell', async () => {
    const lastModified = 'yesterday';
    const site = open({ '': { text: 'start', answers: { etag: null, lastModified } } });
    await site.run(1);
    site.documents.requests.length = 0;
    await site.run(2);
    expect([site.documents.requests, site.outcomes()]).toEqual([[], { [START]: 'unchanged' }]);
    expect(site.asked.at(-1)).toMatchObject({ lastModified });
  });

  it('is another one where it redirects to the very same bytes', async () => {
    const site = open({ '': { text: 'start', links: [on('a')] }, a: { text: 'same' }, x: { text: 'same' } });
    await site.run(1);
    site.world.pages.set('a', { to: on('x') });
    // Its validators are not those of the target.
    site.world.pages.set('x', { text: 'same', answers: { etag: null } });
    const { fetcher } = site.deps;
    const fetchPage = fetcher.fetchPage.bind(fetcher);
    Object.assign(fetcher, {
      fetchPage: (request: Parameters<typeof fetchPage>[0], signal: AbortSignal) =>
        fetchPage({ ...request, etag: undefined }, signal),
    });
    await site.run(2);
    expect(site.outcomes()).toMatchObject({ [on('a')]: 'skipped: redirected', [on('x')]: 'indexed' });
  });

  it('is never asked for by more requests at once than a job may make', async () => {
    const links = Array.from({ length: 12 }, (_, i) => on(`p${i}`));
    const site = open({ '': { text: 'start', links } });
    let [now, most] = [0, 0];
    const { fetcher } = site.deps;
    const fetchPage = fetcher.fetchPage.bind(fetcher);
    Object.assign(fetcher, {
      fetchPage: async (...of: Parameters<typeof fetchPage>) => {
        most = Math.max(most, (now += 1));
        await new Promise((resolve) => setImmediate(resolve));
        now -= 1;
        return fetchPage(...of);
      },
    });
    await site.run(1);
    expect(most).toBe(4);
  });
});

describe('what is kept of a page', () => {
  it('has no document where its content lies elsewhere, and no facts of a page where it is none', async () => {
    const twin = { text: 'page b', says: { canonical: on('a') } };
    const site = open({ '': { text: 'start', links: [on('a'), on('b')] }, a: { text: 'page a' }, b: twin });
    await site.run(1);
    expect(site.visitOf(on('b'))).toMatchObject({ code: 'duplicate', sourceId: null });
    const plain = open({ '': { text: 'start' } });
    plain.documents.read = documentOf;
    expect(await plain.run(1)).toMatchObject({ counts: { indexed: 1 } });
  });

  it('admits no link where enough is remembered', async () => {
    const { frontier, documents } = openSiteInMemory();
    const crawl = Object.assign(crawlOf(), { job: documents.job, documents: documents.documents });
    Object.assign(crawl, { run: { dataSourceId: 'd', generation: 1 } });
    const visit = {
      page: visited(on('a'), 'skipped', 1, 1),
      document: null,
      links: [{ url: on('b'), depth: 1 }],
    };
    const linksOf = (withLinks: boolean) => commit({ frontier } as never, crawl, [visit], withLinks);
    expect(await linksOf(false)).toEqual([]);
    expect(await linksOf(true)).toEqual([{ url: on('b'), depth: 1 }]);
  });
});
