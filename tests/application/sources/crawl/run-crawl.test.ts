import { patternCompiler } from '../../../../adapters/crawler/pattern-compiler.ts';
import { sourceStream } from '../../../../application/event-sourcing/streams.ts';
import { checkCrawlParameters } from '../../../../application/sources/crawl/connector.ts';
import { NO_COUNTS } from '../../../../domain/data-source/index.ts';
import { crawlParameters } from '../../../support/crawl-parameters.ts';
import { START, on } from './crawls-in-memory.ts';
import { type SitePage, failure, openSiteInMemory } from './site-in-memory.ts';
import { describe, expect, it } from 'vitest';

type Site = ReturnType<typeof openSiteInMemory>;

/** A start that leads to two pages, of which one leads on. */
const PAGES: Readonly<Record<string, SitePage>> = {
  '': { text: 'start', links: [on('a'), on('b')] },
  a: { text: 'page a', links: [on('c'), START, 'https://elsewhere.example/'] },
  b: { text: 'page b' },
  c: { text: 'page c' },
};

const set = ({ world }: Site, path: string, page: SitePage) => world.pages.set(path, page);

describe('run crawl', () => {
  const open = (
    pages: Readonly<Record<string, SitePage>> = PAGES,
    ...of: Parameters<typeof openSiteInMemory>
  ) => {
    const site = openSiteInMemory(...of);
    for (const [path, page] of Object.entries(pages)) site.world.pages.set(path, page);
    return site;
  };

  const crawled = async (...of: Parameters<typeof open>): Promise<Site> => {
    const site = open(...of);
    await site.run(1);
    site.asked.length = 0;
    site.documents.told.length = 0;
    return site;
  };

  describe('a crawl', () => {
    it('fetches no page while it waits for its slot', async () => {
      const site = open();
      const slot = Promise.withResolvers<void>();
      const waits = Promise.withResolvers<void>();
      site.documents.yieldSlot = async () => {
        if (site.askedFor().length < 2) return;
        waits.resolve();
        await slot.promise;
      };
      const run = site.run(1);
      await waits.promise;
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      expect(site.askedFor()).toEqual(['', 'a', 'b']);
      slot.resolve();
      expect(await run).toMatchObject({ kind: 'completed', counts: { seen: 4 } });
    });

    it('gives its slot away while all its pages wait for a host', async () => {
      const site = open();
      const host = Promise.withResolvers<void>();
      let times = 0;
      site.world.onFetch = () => host.promise;
      site.world.sleep = async () => {};
      site.documents.yieldSlot = async (idleUntil) => {
        if (idleUntil === undefined) return;
        times += 1;
        host.resolve();
        await idleUntil;
      };
      expect(await site.run(1)).toMatchObject({ kind: 'completed', counts: { seen: 4 } });
      expect(times).toBeGreaterThanOrEqual(1);
    });

    it('begins at the start, and visits what it leads to, each page once', async () => {
      const site = open();
      const bytes = 'startpage apage bpage c'.length;
      expect(await site.run(1)).toEqual({
        kind: 'completed',
        counts: { ...NO_COUNTS, seen: 4, indexed: 4, bytes },
        complete: true,
      });
      expect(site.askedFor()).toEqual(['', 'a', 'b', 'c']);
      expect(site.documents.told[0]).toEqual(['begin']);
      const [fact] = await site.documents.stored(sourceStream(site.documents.documents.idOf(on('a'))));
      expect(fact).toMatchObject({
        type: 'SourceIndexed',
        url: on('a'),
        media_type: 'text/html',
        locator: on('a'),
      });
      expect(site.documents.requests[0]).toMatchObject({
        mediaType: 'text/html',
        url: START,
        robotName: 'knowledger',
      });
      expect(site.documents.requests[0]).not.toHaveProperty('charset');
      expect(site.asked[0]).toMatchObject({ accept: 'any', useBrowser: false });
    });

    it('reads a file by the name that its server gives it', async () => {
      const site = open({ '': { text: 'start', answers: { fileName: 'birds.csv' } } });
      await site.run(1);
      expect(site.documents.requests[0]).toMatchObject({ fileName: 'birds.csv', url: START });
    });

    it('says what it lost where that is more than a twentieth of its pages, dead links aside', async () => {
      const names = Array.from({ length: 20 }, (_, i) => `p${i}`);
      const pages = Object.fromEntries(names.map((name) => [name, { text: name }]));
      const site = open({ '': { text: 'start', links: names.map(on) }, ...pages });
      set(site, 'p0', { outcome: failure(503) });
      set(site, 'p1', { outcome: failure(404) });
      expect(await site.run(1)).not.toHaveProperty('error');
      set(site, 'p2', { outcome: failure(503) });
      expect(await site.run(2)).toMatchObject({
        kind: 'completed',
        error: { title: 'Page not reachable', message: expect.stringContaining('2 of 21 pages') },
      });
      set(site, 'p2', { text: 'p2' });
      expect(await site.run(3)).not.toHaveProperty('error');
    });

    it('asks only whether pages have changed, and removes those that are there no more', async () => {
      const site = await crawled();
      set(site, '', { text: 'start', links: [on('b')] });
      set(site, 'b', { text: 'newer b' });
      expect(await site.run(2)).toMatchObject({ counts: { seen: 4, indexed: 1, unchanged: 3 } });
      expect(site.asked[0]).toMatchObject({ etag: '"start"' });
      site.world.pages.delete('c');
      set(site, 'a', { text: 'page a' });
      await site.run(3, { mode: 'full' });
      expect(site.asked.at(-1)!.etag).toBeUndefined();
      expect(await site.factsOf('b')).toEqual(['SourceIndexed', 'SourceIndexed']);
      expect(await site.factsOf('a')).toEqual(['SourceIndexed', 'SourceRemoved']);
      expect(await site.factsOf('c')).toEqual(['SourceIndexed', 'SourceRemoved']);
      expect(site.outcomes()).toEqual({ [START]: 'unchanged', [on('b')]: 'unchanged' });
    });

    it('goes by the content where a server does not tell, and reads afresh after a failure', async () => {
      const site = await crawled();
      set(site, 'b', { text: 'page b', answers: { etag: null } });
      await site.run(2, {});
      set(site, 'b', { outcome: failure(500) });
      expect(await site.run(3)).toMatchObject({ counts: { failed: 1, unchanged: 3 } });
      expect(site.visitOf(on('b'))).toMatchObject({ outcome: 'failed', code: 'http_status', attempt: 1 });
      site.documents.requests.length = 0;
      set(site, 'b', { text: 'page b' });
      await site.run(4, { attempt: 2 });
      expect(site.documents.requests).toHaveLength(1);
      expect(site.asked.findLast(({ url }) => url === on('b'))!.etag).toBeUndefined();
      expect(await site.factsOf('b')).toEqual(['SourceIndexed', 'SourceFailed', 'SourceIndexed']);
      expect(site.visitOf(on('b'))).toMatchObject({ outcome: 'indexed', attempt: 2 });
    });

    it('passes on the charset that a server names, and asks for what its setting says', async () => {
      const site = open(
        { '': { text: 'start', answers: { charset: 'latin1' } } },
        { htmlOnly: true, useBrowser: true },
      );
      await site.run(1);
      expect(site.documents.requests).toMatchObject([{ charset: 'latin1' }]);
      expect(site.asked).toMatchObject([{ accept: 'html', useBrowser: true }]);
      site.world.robots = (url) =>
        url === on('x') ? { allowed: false, reason: 'disallowed' } : { allowed: true };
      const { mayLoad } = site.asked[0]!;
      expect([await mayLoad!(on('x')), await mayLoad!(on('y'))]).toEqual([false, true]);
    });

    it('stops at so many documents, and removes those that are more than that, or gone', async () => {
      const site = await crawled();
      site.world.parameters = { ...site.world.parameters, maxNumFiles: 2 };
      expect(await site.run(2)).toMatchObject({ counts: { seen: 2, unchanged: 2 }, complete: false });
      const facts = await Promise.all(['', 'a', 'b', 'c'].map(site.factsOf));
      expect(facts.filter((types) => types.at(-1) === 'SourceRemoved')).toHaveLength(2);
    });

    it('removes documents of no page once it has looked at everything', async () => {
      const site = await crawled();
      await site.frontier.purge('');
      site.catalog.ids = ['a', 'b', 'c'].map((path) => site.documents.documents.idOf(on(path)));
      set(site, '', { text: 'start' });
      expect(await site.run(2)).toMatchObject({ complete: true });
      expect(await site.factsOf('c')).toEqual(['SourceIndexed', 'SourceRemoved']);
    });
  });

  describe('the start of a crawl', () => {
    it('is not asked for where robots.txt forbids it, or cannot be read', async () => {
      const site = open();
      site.world.robots = () => ({ allowed: false, reason: 'disallowed' });
      const blocked = { title: 'Blocked by robots.txt', message: `robots.txt does not allow ${START}` };
      expect(await site.run(1)).toEqual({ kind: 'failed', code: 'robots', error: blocked });
      const away = { reason: 'unreachable', code: 'dns_failed', message: 'there is no such host' } as const;
      site.world.robots = () => ({ allowed: false, ...away });
      const error = { title: 'Start URL not reachable', message: `${START}: there is no such host` };
      expect(await site.run(1)).toEqual({ kind: 'failed', code: 'dns_failed', error });
      expect([site.asked, site.documents.told]).toEqual([[], []]);
    });

    it('that cannot be had fails the job, under a title that says why', async () => {
      const site = open({ '': { outcome: failure(503) } });
      const message = `${START}: answered 503`;
      const error = { title: 'Start URL not reachable', message };
      expect(await site.run(1)).toEqual({ kind: 'failed', code: 'http_status', error });
      for (const code of ['parser_failed', 'out_of_memory', 'encrypted'] as const) {
        const broken = open({ '': { text: 'start' } });
        broken.documents.read = () => ({ kind: 'failed', code, message: 'it breaks off' });
        const title = 'Parser failed';
        expect(await broken.run(1)).toEqual({
          kind: 'failed',
          code,
          error: { title, message: `${START}: it breaks off` },
        });
      }
    });

    it('that leads nowhere the crawl may go is no failure, unless robots.txt forbids all', async () => {
      const filtered = open({ '': { text: 'start', says: { noindex: true } } });
      expect(await filtered.run(1)).toMatchObject({ kind: 'completed', counts: { seen: 1, skipped: 1 } });
      const site = open({ '': { text: 'start', says: { noindex: true }, links: [on('a')] } });
      site.world.robots = (url) =>
        url === on('a') ? { allowed: false, reason: 'disallowed' } : { allowed: true };
      expect(await site.run(1)).toMatchObject({ kind: 'completed', counts: { seen: 2, skipped: 2 } });
      let looks = 0;
      const late = open({ '': { text: 'start' } });
      late.world.robots = () =>
        (looks += 1) === 1 ? { allowed: true } : { allowed: false, reason: 'disallowed' };
      const error = { title: 'Blocked by robots.txt', message: `robots.txt does not allow ${START}` };
      expect(await late.run(1)).toEqual({ kind: 'failed', code: 'robots', error });
    });

    it('may lead to another site, which is then the site, also for an attempt that goes on', async () => {
      const moved = 'https://new.example.com/';
      const site = open({ '': { to: moved } });
      site.world.pages.set(moved, { text: 'home', links: [`${moved}a`, on('b')] });
      await site.run(1);
      expect(site.outcomes()).toEqual({
        [START]: 'skipped: redirected',
        [moved]: 'indexed',
        [`${moved}a`]: 'failed: http_status',
      });
      site.asked.length = 0;
      await site.run(1, { attempt: 2 });
      expect(site.asked).toEqual([]);
      await site.run(2, { locators: [`${moved}a`] });
      expect(site.asked.map(({ url }) => url)).toEqual([`${moved}a`]);
    });
  });

  describe('pages that sitemaps name', () => {
    it('are visited, as far as the crawl may, one level below the start', async () => {
      const site = open({ '': { text: 'start' }, x: { text: 'x' } }, { maxNumFiles: 30 });
      site.world.sitemaps = [on('sitemap.xml')];
      site.world.named = { urls: [on('x'), 'https://elsewhere.example/'], complete: true };
      expect(await site.run(1)).toMatchObject({ counts: { indexed: 2 }, complete: true });
      const [[names, { mayFetch, maxUrls }, signal]] = site.sitemapsAsked as [[unknown, never, unknown]];
      expect([names, maxUrls, signal]).toEqual([[on('sitemap.xml')], 60, site.stop.signal]);
      site.world.robots = (url) =>
        url === on('x') ? { allowed: false, reason: 'disallowed' } : { allowed: true };
      const may = mayFetch as (url: string) => Promise<boolean>;
      expect([await may(on('x')), await may(on('y'))]).toEqual([false, true]);
    });

    it('are looked for at the usual place where nobody names one', async () => {
      const site = open({ '': { text: 'start' }, x: { text: 'x' } });
      site.world.named = { urls: [on('x')], complete: true };
      expect(await site.run(1)).toMatchObject({ counts: { indexed: 2 }, complete: true });
      // No page is visited before it is there.
      const guess = { guessed: true, patienceMs: 120_000 };
      expect(site.sitemapsAsked).toMatchObject([[[on('sitemap.xml')], guess, {}]]);
    });

    it('are not asked for where the start is all, or pages are told', async () => {
      const site = open();
      site.world.sitemaps = [on('sitemap.xml')];
      await site.run(2, { locators: [on('a')] });
      site.world.parameters = { ...site.world.parameters, maxDepth: 0 };
      await site.run(3);
      expect(site.sitemapsAsked).toEqual([]);
      site.world.parameters = { ...site.world.parameters, maxDepth: 1, maxNumFiles: 90_000 };
      await site.run(4);
      expect(site.sitemapsAsked).toMatchObject([[[on('sitemap.xml')], { maxUrls: 50_000 }, {}]]);
    });

    it('are visited as they are known where a sitemap cannot be had, and none is taken for gone', async () => {
      const site = open({ '': { text: 'start' }, x: { text: 'x' } });
      site.world.sitemaps = [on('sitemap.xml')];
      site.world.named = { urls: [on('x')], complete: true };
      await site.run(1);
      site.world.named = { urls: [], complete: false };
      site.catalog.ids = [site.documents.documents.idOf('stray')];
      expect(await site.run(2)).toMatchObject({ counts: { seen: 2, unchanged: 2 }, complete: true });
      expect(await site.factsOf('x')).toEqual(['SourceIndexed']);
    });
  });

  describe('a crawl of pages that it was told', () => {
    it('looks at these alone, goes nowhere from there, and leaves all others', async () => {
      const site = await crawled();
      set(site, 'a', { text: 'newer a', links: [on('new')] });
      set(site, 'b', { outcome: failure(404) });
      expect(await site.run(2, { locators: [on('a'), on('b')] })).toMatchObject({
        kind: 'completed',
        counts: { seen: 2, indexed: 1, failed: 1 },
        complete: false,
      });
      expect(site.askedFor()).toEqual(['a', 'b']);
      expect(await site.factsOf('b')).toEqual(['SourceIndexed', 'SourceRemoved']);
      expect(await site.factsOf('c')).toEqual(['SourceIndexed']);
    });

    it('succeeds where every one of them fails, for it says nothing of the others', async () => {
      const site = await crawled();
      set(site, 'b', { outcome: failure(500) });
      expect(await site.run(2, { locators: [on('b')] })).toEqual({
        kind: 'completed',
        counts: expect.objectContaining({ seen: 1, failed: 1 }),
        complete: false,
      });
    });
  });
});

/** What the frontier is asked for when a pass is over, with what it is asked by. */
const sweepsOf = (site: Site): readonly (readonly unknown[])[] => {
  const asked: (readonly unknown[])[] = [];
  const { unseen, surplus, orphans } = site.frontier;
  Object.assign(site.frontier, {
    unseen: (...of: Parameters<typeof unseen>) => {
      asked.push(['unseen', of[1], of[2]]);
      return unseen(...of);
    },
    surplus: (...of: Parameters<typeof surplus>) => {
      asked.push(['surplus', of[1], of[2]]);
      return surplus(...of);
    },
    orphans: (...of: Parameters<typeof orphans>) => {
      asked.push(['orphans', of[1], of[2]]);
      return orphans(...of);
    },
  });
  return asked;
};

describe('edges of crawls', () => {
  const open = (
    pages: Readonly<Record<string, SitePage>>,
    ...of: Parameters<typeof openSiteInMemory>
  ): Site => {
    const site = openSiteInMemory(...of);
    for (const [path, page] of Object.entries(pages)) site.world.pages.set(path, page);
    return site;
  };

  describe('what a pass has not come by', () => {
    it('is removed as not seen, orphans page by page, also where the start is all of the crawl', async () => {
      const site = open({ '': { text: 'start', links: [on('a')] }, a: { text: 'page a' } });
      await site.run(1);
      const { documents } = site.documents;
      site.catalog.ids = Array.from({ length: 101 }, (_, i) => documents.idOf(`stray ${i}`));
      site.world.parameters = { ...site.world.parameters, maxDepth: 0 };
      const asked = sweepsOf(site);
      await site.run(2);
      const facts = await site.documents.stored(sourceStream(documents.idOf(on('a'))));
      expect(facts.at(-1)).toMatchObject({ type: 'SourceRemoved', reason: 'not_seen', generation: 2 });
      const from = asked.flatMap(([what, after]) => (what === 'orphans' ? [after] : []));
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
  });
});

const deps = (missing: string | null) => ({ patterns: patternCompiler, browser: { missing: () => missing } });

describe('parameters of a crawl', () => {
  it('are refused where its start cannot be crawled, or a pattern cannot be read', () => {
    const refusalOf = (more: Parameters<typeof crawlParameters>[0]) => {
      try {
        return checkCrawlParameters(deps(null), crawlParameters(more));
      } catch (error) {
        return (error as { readonly code: string }).code;
      }
    };
    expect(refusalOf({ startUrl: 'ftp://docs.example.com/' })).toBe('invalid_request');
    expect(refusalOf({ pathFilters: ['/docs/['] })).toBe('pattern_invalid');
    expect(refusalOf({ contentPattern: ['('] })).toBe('pattern_invalid');
  });
});

describe('parameters of a crawl that want a browser', () => {
  const wanted = crawlParameters({ useBrowser: true });

  it('are refused where there is none, with what to do', () => {
    expect(() => checkCrawlParameters(deps('none was found: install one'), wanted)).toThrow(
      expect.objectContaining({
        code: 'not_configured',
        message: 'use_browser needs a headless browser: none was found: install one',
      }),
    );
  });
});
