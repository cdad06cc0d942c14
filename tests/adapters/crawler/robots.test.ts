import { describe, expect, it } from 'vitest';
import { createPolitenessGate } from '../../../adapters/crawler/politeness.ts';
import { createRobotsPolicy } from '../../../adapters/crawler/robots.ts';
import type { FetchOutcome, PageRequest } from '../../../application/ports/page-fetcher.ts';
import { failedWith, fakePages, page } from './fake-pages.ts';
import { createFakeTimer } from './fake-timer.ts';
import { fetcherFor, neverAborted, startSite } from './loopback.ts';

const HOME = 'https://example.com/';

const policyOver = (answer: (request: PageRequest) => FetchOutcome | undefined) => {
  const timer = createFakeTimer();
  const { pages, asked } = fakePages(answer);
  const delays: unknown[] = [];
  const gate = {
    ...createPolitenessGate({ maxConcurrency: 1, minDelayMs: 0, maxDelayMs: 1000, timer }),
    setDelay: (...call: [string, number]) => void delays.push(call),
  };
  const policy = createRobotsPolicy({ pages, gate, timer, userAgent: 'knowledgerbot/1' });
  return { policy, asked, timer, delays };
};

describe('createRobotsPolicy', () => {
  it('reads the robots.txt of each origin once, whoever asks at the same time', async () => {
    const { policy, asked } = policyOver(({ url }) => page(url, 'user-agent: *\ndisallow: /private'));
    const urls = ['https://example.com/a', 'https://example.com/private/x?y', 'http://example.com:8080/a'];
    const verdicts = await Promise.all(urls.map((url) => policy.check(url, neverAborted())));
    expect(verdicts).toEqual([
      { allowed: true },
      { allowed: false, reason: 'disallowed' },
      { allowed: true },
    ]);
    expect(asked).toEqual(['https://example.com/robots.txt', 'http://example.com:8080/robots.txt']);
  });

  it.each([400, 401, 403, 404, 410, 451])('allows everything where it answers %i', async (status) => {
    const { policy } = policyOver(({ url }) => failedWith(url, status));
    expect(await policy.check(HOME, neverAborted())).toEqual({ allowed: true });
  });

  it.each([429, 500, 503, null])('disallows everything where it answers %s', async (status) => {
    const { policy } = policyOver(({ url }) => failedWith(url, status));
    const code = status === null ? 'connect_failed' : 'http_status';
    const verdict = {
      allowed: false,
      reason: 'unreachable',
      code,
      message: expect.stringMatching(/^robots.txt of its site .*: it failed$/),
    };
    expect(await policy.check(HOME, neverAborted())).toEqual(verdict);
    expect(await policy.sitemaps(HOME, neverAborted())).toEqual([]);
  });

  it('asks again after an hour, and after a minute where it was unreachable', async () => {
    let status: number | null = 503;
    const { policy, asked, timer } = policyOver(({ url }) => failedWith(url, status));
    const check = () => policy.check(HOME, neverAborted());
    await check();
    await timer.advance(59_000);
    await check();
    expect(asked).toHaveLength(1);
    status = 404;
    await timer.advance(1000);
    expect(await check()).toEqual({ allowed: true });
    await timer.advance(3_599_000);
    await check();
    expect(asked).toHaveLength(2);
    await timer.advance(1000);
    await check();
    expect(asked).toHaveLength(3);
  });

  it('tells the gate the crawl delay, and the caller the sitemaps', async () => {
    const lines = [
      'user-agent: *',
      'crawl-delay: 2',
      'sitemap: /s.xml',
      'sitemap: ftp://x/',
      'sitemap: https://cdn.example/t.xml',
    ];
    const { policy, delays } = policyOver(({ url }) => page(url, lines.join('\n')));
    const sitemaps = await policy.sitemaps('https://example.com/a/b', neverAborted());
    expect(sitemaps).toEqual(['https://example.com/s.xml', 'https://cdn.example/t.xml']);
    expect(delays).toEqual([['example.com', 2000]]);
  });

  it('reads the first 500 KiB, and no rule that is cut there', async () => {
    const head = 'user-agent: *\ndisallow: /early\n';
    const padding = `#${'x'.repeat(500 * 1024 - head.length - 12)}\n`;
    const { policy } = policyOver(({ url }) => page(url, `${head}${padding}disallow: /late`));
    expect((await policy.check('https://example.com/early', neverAborted())).allowed).toBe(false);
    expect((await policy.check('https://example.com/', neverAborted())).allowed).toBe(true);
  });

  it('learns nothing from an aborted request', async () => {
    const { policy, asked } = policyOver(({ url }) => page(url, ''));
    const gone = new Error('cancelled');
    await expect(policy.check(HOME, AbortSignal.abort(gone))).rejects.toBe(gone);
    expect(await policy.check(HOME, neverAborted())).toEqual({ allowed: true });
    expect(asked).toHaveLength(1);
  });

  it('reads a real file over HTTP, redirects included, and allows all behind endless ones', async () => {
    const site = await startSite((request, response) => {
      if (request.url === '/robots.txt') return response.writeHead(302, { location: '/real' }).end();
      return response.end('user-agent: knowledgerbot\ndisallow: /no');
    });
    const circle = await startSite((_request, response) => response.writeHead(302, { location: '/x' }).end());
    const timer = createFakeTimer();
    const gate = createPolitenessGate({ maxConcurrency: 1, minDelayMs: 0, maxDelayMs: 1000, timer });
    const policyFor = (target: typeof site) =>
      createRobotsPolicy({ pages: fetcherFor(target), gate, timer, userAgent: 'knowledgerbot/1' });
    const verdict = await policyFor(site).check(`${site.origin}/no/way`, neverAborted());
    expect(verdict).toEqual({ allowed: false, reason: 'disallowed' });
    expect(await policyFor(circle).check(circle.origin, neverAborted())).toEqual({ allowed: true });
  });
});
