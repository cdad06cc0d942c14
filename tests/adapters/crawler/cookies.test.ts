import { describe, expect, it } from 'vitest';
import { fetcherFor, neverAborted, startSite } from './loopback.ts';

/** Sets what `set` says for each path, and writes down the cookies of each request. */
const start = async (set: (path: string, cookie: string) => { cookies?: readonly string[]; to?: string }) => {
  const sent: string[] = [];
  const site = await startSite((request, response) => {
    const cookie = request.headers.cookie ?? '';
    sent.push(`${request.url} ${cookie}`);
    const { cookies = [], to } = set(request.url ?? '', cookie);
    response.setHeader('set-cookie', [...cookies]);
    if (to !== undefined) return response.writeHead(302, { location: to }).end();
    return response.end('page');
  });
  return { site, sent };
};

describe('the cookies of a crawl', () => {
  it('lead through a wall that sets one and redirects to the same page', async () => {
    const { site } = await start((path, cookie) =>
      cookie.includes('seen=1') ? {} : { cookies: ['seen=1; Path=/'], to: path },
    );
    const outcome = await fetcherFor(site).fetchPage({ url: `${site.origin}/a` }, neverAborted());
    expect(outcome).toMatchObject({ kind: 'page', finalUrl: `${site.origin}/a` });
  });

  it('lead through a wall that sets one and refreshes itself, once', async () => {
    let isWall = true;
    const site = await startSite((request, response) => {
      const cookie = request.headers.cookie ?? '';
      response.setHeader('content-type', 'text/html').setHeader('set-cookie', `seen=${cookie.length}`);
      const refresh = `<meta http-equiv="refresh" content="0; url=${request.url?.replaceAll('&', '&amp;')}">`;
      return response.end(isWall && cookie !== '' ? 'page' : refresh);
    });
    const fetcher = fetcherFor(site);
    const fetch = () => fetcher.fetchPage({ url: `${site.origin}/a?b=1&c=2` }, neverAborted());
    const outcome = await fetch();
    expect(outcome.kind === 'page' && Buffer.from(outcome.body).toString()).toBe('page');
    expect(site.asked).toHaveLength(2);
    isWall = false;
    expect(await fetch()).toMatchObject({ kind: 'page' });
    expect(site.asked).toHaveLength(5);
  });

  it('lead through a detour that asks for consent and back', async () => {
    const { site } = await start((path, cookie) => {
      if (path.startsWith('/consent')) return { cookies: ['consent=yes; Path=/; HttpOnly'], to: '/a' };
      return cookie === 'consent=yes' ? {} : { to: '/consent?back=/a' };
    });
    const outcome = await fetcherFor(site).fetchPage({ url: `${site.origin}/a` }, neverAborted());
    expect(outcome).toMatchObject({ kind: 'page', finalUrl: `${site.origin}/a` });
  });

  it('lead through a detour that sets one and refreshes to the page', async () => {
    const site = await startSite((request, response) => {
      response.setHeader('content-type', 'text/html');
      if (request.url?.startsWith('/gate')) {
        response.setHeader('set-cookie', 'passed=1; Path=/');
        return response.end('<meta http-equiv="refresh" content="0; url=/a">');
      }
      if (request.headers.cookie === 'passed=1') return response.end('page');
      return response.writeHead(302, { location: '/gate?u=/a' }).end();
    });
    const outcome = await fetcherFor(site).fetchPage({ url: `${site.origin}/a` }, neverAborted());
    expect(outcome).toMatchObject({ kind: 'page', finalUrl: `${site.origin}/a` });
    expect(site.asked).toHaveLength(3);
  });

  it('still leave a circle a circle', async () => {
    const { site, sent } = await start((path) => ({ cookies: ['a=1'], to: path }));
    const outcome = await fetcherFor(site).fetchPage({ url: `${site.origin}/a` }, neverAborted());
    expect(outcome).toMatchObject({ kind: 'failed', code: 'redirect_loop' });
    expect(sent).toHaveLength(2);
  });

  it('are kept for its later pages, and for no other crawl', async () => {
    const { site, sent } = await start((path) =>
      path === '/' ? { cookies: ['a=1', 'b=2; Path=/docs'] } : {},
    );
    const fetcher = fetcherFor(site);
    const [session, other] = [{}, {}];
    for (const [path, of] of [
      ['/', session],
      ['/docs/x', session],
      ['/docsy', session],
      ['/docs/x', other],
    ] as const) {
      await fetcher.fetchPage({ url: site.origin + path, session: of }, neverAborted());
    }
    expect(sent).toEqual(['/ ', '/docs/x b=2; a=1', '/docsy a=1', '/docs/x ']);
  });

  it('go to no other host, not even where their domain or a redirect would have it', async () => {
    const other = await start(() => ({}));
    const { site } = await start(() => ({
      cookies: ['a=1; Domain=127.0.0.1'],
      to: `${other.site.origin}/x`,
    }));
    const fetcher = fetcherFor(site, {}, { allowAddresses: [site.host, other.site.host] });
    await fetcher.fetchPage({ url: site.origin, session: {} }, neverAborted());
    expect(other.sent).toEqual(['/x ']);
  });

  it.each([
    ['a=1; Max-Age=0'],
    ['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
    ['a=1; Secure'],
    ['a=1; Domain=elsewhere.example'],
    ['a=1; Path=/other'],
    [`a=${'x'.repeat(5_000)}`],
  ])('are not sent where they say so: %s', async (cookie) => {
    const { site, sent } = await start((path) => (path === '/' ? { cookies: [cookie] } : {}));
    const fetcher = fetcherFor(site);
    const session = {};
    await fetcher.fetchPage({ url: site.origin, session }, neverAborted());
    await fetcher.fetchPage({ url: `${site.origin}/a`, session }, neverAborted());
    expect(sent).toEqual(['/ ', '/a ']);
  });

  it('are taken back by an answer that ends them', async () => {
    const ends = { '/': ['a=1; Path=/'], '/end': ['a=; Path=/; Max-Age=0'] };
    const { site, sent } = await start((path) => ({ cookies: ends[path as '/'] ?? [] }));
    const fetcher = fetcherFor(site);
    const session = {};
    for (const path of ['/', '/end', '/x']) {
      await fetcher.fetchPage({ url: site.origin + path, session }, neverAborted());
    }
    expect(sent).toEqual(['/ ', '/end a=1', '/x ']);
  });
});
