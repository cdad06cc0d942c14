import { describe, expect, it } from 'vitest';

import { failedRender, type RenderOutcome } from '../../../../adapters/crawler/browser/messages.ts';
import { createCookieJars } from '../../../../adapters/crawler/cookies.ts';
import { createRenderingFetcher } from '../../../../adapters/crawler/browser/rendering-fetcher.ts';
import type { FetchOutcome, PageRequest } from '../../../../application/ports/page-fetcher.ts';
import { neverAborted } from '../loopback.ts';

const SITE = 'https://site.example';
const SCRIPTED = '<p>shell</p><script src=app.js></script>';

const pageOf = (finalUrl: string, text: string, mediaType = 'text/html'): FetchOutcome => ({
  kind: 'page',
  finalUrl,
  status: 200,
  mediaType,
  charset: 'iso-8859-1',
  body: Buffer.from(text, 'latin1'),
  bytes: text.length,
  etag: '"1"',
  lastModified: 'Mon, 23 Nov 2026 00:00:00 GMT',
  robots: { noindex: true, nofollow: false },
});
const rendered = (html: string, leadsTo: string | null = null): RenderOutcome => ({
  kind: 'rendered',
  html: Buffer.from(html),
  leadsTo,
});

/** A fetcher over pages by their address, and over what a browser makes of each. */
const fetcherOf = (
  pages: { readonly [url: string]: FetchOutcome },
  renders: { readonly [url: string]: RenderOutcome } = {},
) => {
  const [fetched, opened]: [PageRequest[], string[]] = [[], []];
  const loads: { mayLoad?: (url: string) => Promise<boolean> } = {};
  const fetcher = createRenderingFetcher(
    {
      fetchPage: async (request) => {
        fetched.push(request);
        return pages[request.url]!;
      },
    },
    async (source, mayLoad) => {
      opened.push(`${source.url} ${source.contentType}`);
      loads.mayLoad = mayLoad;
      return renders[source.url]!;
    },
  );
  return { fetcher, fetched, opened, loads };
};
const textOf = (outcome: FetchOutcome): string =>
  outcome.kind === 'page' ? Buffer.from(outcome.body).toString() : outcome.kind;

describe('a page that is fetched with a browser', () => {
  const START = `${SITE}/`;
  const wanted = { url: START, useBrowser: true };

  it('is what its scripts made, in UTF-8, without validators of what the server sent', async () => {
    const { fetcher, opened } = fetcherOf(
      { [START]: pageOf(START, SCRIPTED) },
      { [START]: rendered('<p>made: ü</p>') },
    );
    const outcome = await fetcher.fetchPage(wanted, neverAborted());
    expect(textOf(outcome)).toBe('<p>made: ü</p>');
    expect(outcome).toMatchObject({ finalUrl: START, charset: 'utf-8', etag: null, lastModified: null });
    expect(outcome).toMatchObject({ robots: { noindex: true } });
    expect(opened).toEqual([`${START} text/html; charset=iso-8859-1`]);
  });

  it.each([
    ['that asks for none', { url: START }, pageOf(START, SCRIPTED)],
    ['without scripts', wanted, pageOf(START, '<p>text</p>')],
    ['that is another file', wanted, pageOf(START, SCRIPTED, 'text/plain')],
    ['that is unchanged', wanted, { kind: 'not_modified', finalUrl: START } as const],
  ])('is opened in none %s', async (_, request, page) => {
    const { fetcher, opened } = fetcherOf({ [START]: page });
    expect(await fetcher.fetchPage(request, neverAborted())).toBe(page);
    expect(opened).toEqual([]);
  });

  it('fails as the browser says, and may be asked for again unless it is too large', async () => {
    const outcomeOf = async (outcome: RenderOutcome) =>
      fetcherOf({ [START]: pageOf(START, SCRIPTED) }, { [START]: outcome }).fetcher.fetchPage(
        wanted,
        neverAborted(),
      );
    expect(await outcomeOf(failedRender('out_of_memory', 'too much'))).toMatchObject({
      kind: 'failed',
      code: 'out_of_memory',
      message: 'too much',
      transient: true,
    });
    expect(await outcomeOf(failedRender('too_large', 'too long'))).toMatchObject({ transient: false });
  });

  describe('whose scripts lead elsewhere', () => {
    const NEXT = `${SITE}/next`;
    const PAGES = { [START]: pageOf(START, SCRIPTED), [NEXT]: pageOf(NEXT, SCRIPTED) };
    const leading = { [START]: rendered('start', NEXT), [NEXT]: rendered('next') };

    it('is the page there, which is fetched as any redirect, without validators of another', async () => {
      const { fetcher, fetched } = fetcherOf(PAGES, leading);
      const asked: string[] = [];
      const mayFollow = (target: string): boolean => asked.push(target) > 0;
      const outcome = await fetcher.fetchPage({ ...wanted, etag: '"0"', mayFollow }, neverAborted());
      expect([textOf(outcome), asked]).toEqual(['next', [NEXT]]);
      expect(outcome).toMatchObject({ finalUrl: NEXT });
      expect(fetched.map(({ url, etag }) => [url, etag])).toEqual([
        [START, '"0"'],
        [NEXT, undefined],
      ]);
    });

    it('stands as it is where that may not be followed', async () => {
      const { fetcher, fetched } = fetcherOf(PAGES, leading);
      const outcome = await fetcher.fetchPage({ ...wanted, mayFollow: () => false }, neverAborted());
      expect([textOf(outcome), fetched.length]).toEqual(['start', 1]);
    });

    it.each(['file:///etc/passwd', 'data:text/html,x', 'https://a:b@site.example/', START])(
      'stands as it is where they lead to %s',
      async (target) => {
        const { fetcher, fetched } = fetcherOf(PAGES, { [START]: rendered('start', target) });
        const outcome = await fetcher.fetchPage(wanted, neverAborted());
        expect([textOf(outcome), fetched.length]).toEqual(['start', 1]);
      },
    );

    it('comes to an end where they lead ever on', async () => {
      const urls = Array.from({ length: 20 }, (_, i) => `${SITE}/${i === 0 ? '' : i}`);
      const { fetcher, opened } = fetcherOf(
        Object.fromEntries(urls.map((url) => [url, pageOf(url, SCRIPTED)])),
        Object.fromEntries(urls.map((url, i) => [url, rendered(String(i), urls[i + 1] ?? null)])),
      );
      expect(textOf(await fetcher.fetchPage(wanted, neverAborted()))).toBe('5');
      expect(opened).toHaveLength(6);
    });
  });

  describe('whose scripts set a cookie and load it again', () => {
    const cookie = { name: 'seen', path: '/', secure: false, httpOnly: false, expiresAt: null };
    const openWall = (values: () => string) => {
      const jarOf = createCookieJars();
      const given: string[] = [];
      const fetcher = createRenderingFetcher(
        {
          fetchPage: async ({ url, session }) =>
            pageOf(url, `${jarOf(session).headerFor(new URL(url)) ?? 'wall'} <script></script>`),
        },
        async ({ url, body, cookies = [] }) => {
          given.push(cookies.map(({ name, value }) => `${name}=${value}`).join());
          const after = [{ ...cookie, value: values() }];
          return { kind: 'rendered', html: body, leadsTo: url, cookies: after };
        },
        jarOf,
      );
      return { fetcher, given };
    };

    it('is what it is then, for its session', async () => {
      const { fetcher, given } = openWall(() => '1');
      const outcome = await fetcher.fetchPage({ ...wanted, session: {} }, neverAborted());
      expect([textOf(outcome), given]).toEqual(['seen=1 <script></script>', ['', 'seen=1']]);
      const other = `${SITE}/other`;
      const session = {};
      await fetcher.fetchPage({ ...wanted, session }, neverAborted());
      await fetcher.fetchPage({ ...wanted, url: other, session }, neverAborted());
      expect(given.slice(2)).toEqual(['', 'seen=1', 'seen=1']);
      await fetcher.fetchPage(wanted, neverAborted());
      expect(given.slice(5)).toEqual(['', 'seen=1']);
    });

    it('comes to an end where each load sets another', async () => {
      let count = 0;
      const { fetcher, given } = openWall(() => String((count += 1)));
      await fetcher.fetchPage(wanted, neverAborted());
      expect(given).toHaveLength(6);
    });
  });

  it('loads from its own site what it may, and from others what it wants', async () => {
    const { fetcher, loads } = fetcherOf({ [START]: pageOf(START, SCRIPTED) }, { [START]: rendered('made') });
    const asked: string[] = [];
    await fetcher.fetchPage({ ...wanted, mayLoad: (url) => asked.push(url) < 0 }, neverAborted());
    const may = await Promise.all(
      [`${SITE}/api`, 'https://www.site.example/app.js', 'https://cdn.example/lib.js'].map((url) =>
        loads.mayLoad!(url),
      ),
    );
    expect(may).toEqual([false, false, true]);
    expect(asked).toEqual([`${SITE}/api`, 'https://www.site.example/app.js']);
  });
});
