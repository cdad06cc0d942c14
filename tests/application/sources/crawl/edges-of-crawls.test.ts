import { describe, expect, it } from 'vitest';
import { commit } from '../../../../application/sources/crawl/visit-all.ts';
import { visited } from '../../../../application/sources/crawl/visit.ts';
import { sourceStream } from '../../../../application/event-sourcing/streams.ts';
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
});

describe('a crawl of which little was new', () => {
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
});

describe('what is kept of a page', () => {
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
