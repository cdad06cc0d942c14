import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPolitenessGate } from '../../../adapters/crawler/politeness.ts';
import type { FetchOutcome } from '../../../application/ports/page-fetcher.ts';
import { createEagerTimer } from './fake-timer.ts';
import { fetcherFor, neverAborted, startSite, startSockets, visit } from './loopback.ts';

const textOf = (outcome: FetchOutcome): string =>
  outcome.kind === 'page' ? new TextDecoder().decode(outcome.body) : `no page: ${JSON.stringify(outcome)}`;

describe('fetchPage', () => {
  it('answers the page with what the loop needs to know about it', async () => {
    const site = await startSite((_request, response) => {
      response.setHeader('content-type', 'Text/HTML; Charset="ISO-8859-1"');
      response.setHeader('etag', '"v1"');
      response.setHeader('last-modified', 'Wed, 21 Oct 2015 07:28:00 GMT');
      response.setHeader('x-robots-tag', ['otherbot: noindex', 'knowledgerbot: nofollow']);
      response.end('<p>hello</p>');
    });
    const outcome = await fetcherFor(site).fetchPage({ url: `${site.origin}/a?b=1#c` }, neverAborted());
    expect(outcome).toMatchObject({
      kind: 'page',
      finalUrl: `${site.origin}/a?b=1`,
      status: 200,
      mediaType: 'text/html',
      charset: 'ISO-8859-1',
      bytes: 12,
      etag: '"v1"',
      lastModified: 'Wed, 21 Oct 2015 07:28:00 GMT',
      robots: { noindex: false, nofollow: true },
    });
    expect(textOf(outcome)).toBe('<p>hello</p>');
    expect(site.asked).toEqual(['/a?b=1']);
  });

  it('introduces itself, and sends no cookie back', async () => {
    const headers: unknown[] = [];
    const site = await startSite((request, response) => {
      headers.push({ agent: request.headers['user-agent'], cookie: request.headers.cookie });
      response.setHeader('set-cookie', 'session=1; Path=/');
      response.end('x');
    });
    const fetcher = fetcherFor(site);
    await fetcher.fetchPage({ url: site.origin }, neverAborted());
    await fetcher.fetchPage({ url: site.origin }, neverAborted());
    const expected = { agent: 'knowledgerbot/test (+https://example.com/bot)', cookie: undefined };
    expect(headers).toEqual([expected, expected]);
  });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['identity', (body: Buffer) => body],
    ['gzip, br', (body: Buffer) => brotliCompressSync(gzipSync(body))],
  ])('undoes the content coding %s', async (coding, encode) => {
    const plain = Buffer.from('Füße '.repeat(1000));
    const encoded = encode(plain);
    const site = await startSite((_request, response) => {
      response.setHeader('content-encoding', coding);
      response.end(encoded);
    });
    const outcome = await visit(site);
    expect(textOf(outcome)).toBe(plain.toString());
    expect(outcome).toMatchObject({ bytes: encoded.length });
  });

  it.each([
    ['<!DOCTYPE html><title>x</title>', 'text/html'],
    ['%PDF-1.7\n', 'application/pdf'],
    ['just words', 'text/plain'],
    ['\u0000\u0001\u0002', 'application/octet-stream'],
  ])('judges %j without a media type as %s', async (body, mediaType) => {
    const site = await startSite((_request, response) => response.end(body));
    expect(await visit(site)).toMatchObject({
      mediaType,
    });
  });

  describe('asked for html only', () => {
    it('does not download anything else', async () => {
      let sent = 0;
      const site = await startSite((_request, response) => {
        response.setHeader('content-type', 'application/pdf');
        const piece = Buffer.alloc(64 * 1024);
        const pour = (): void => {
          while (!response.destroyed && sent < 1e9 && response.write(piece)) sent += piece.length;
        };
        response.on('drain', pour);
        pour();
      });
      const outcome = await fetcherFor(site).fetchPage({ url: site.origin, accept: 'html' }, neverAborted());
      expect(outcome).toMatchObject({ kind: 'skipped', reason: 'not_html', mediaType: 'application/pdf' });
      expect(sent).toBeLessThan(32 * 1024 * 1024);
    });

    it('takes html in both its forms, and a body without a media type that looks like it', async () => {
      const site = await startSite((request, response) => {
        if (request.url !== '/none') response.setHeader('content-type', 'application/xhtml+xml');
        response.end('<html></html>');
      });
      const fetcher = fetcherFor(site);
      for (const path of ['/typed', '/none']) {
        const outcome = await fetcher.fetchPage({ url: site.origin + path, accept: 'html' }, neverAborted());
        expect(outcome.kind).toBe('page');
      }
    });
  });

  it('skips an answer without content', async () => {
    const site = await startSite((_request, response) => response.writeHead(204).end());
    expect(await visit(site)).toMatchObject({ kind: 'skipped', reason: 'no_content' });
  });

  it.each([400, 401, 403, 404, 410, 451, 501, 206, 300])('fails for good on status %i', async (status) => {
    const site = await startSite((_request, response) => response.writeHead(status).end('sorry'));
    const outcome = await fetcherFor(site).fetchPage({ url: `${site.origin}/x` }, neverAborted());
    expect(outcome).toMatchObject({ kind: 'failed', code: 'http_status', status, transient: false });
    expect(site.asked).toHaveLength(1);
  });

  describe('with validators', () => {
    const url = '/page';
    const conditional = async (known: { etag?: string; lastModified?: string; validatedUrl?: string }) => {
      const seen: unknown[] = [];
      const site = await startSite((request, response) => {
        const { 'if-none-match': etag, 'if-modified-since': since } = request.headers;
        seen.push({ path: request.url, etag, since });
        if (request.url === '/old') return response.writeHead(301, { location: url }).end();
        return response.writeHead(304).end();
      });
      const { validatedUrl, ...validators } = known;
      const request = {
        url: `${site.origin}${validatedUrl === undefined ? url : '/old'}`,
        ...validators,
        ...(validatedUrl !== undefined && { validatedUrl: site.origin + validatedUrl }),
      };
      const outcome = await fetcherFor(site).fetchPage(request, neverAborted());
      return { outcome, seen, finalUrl: site.origin + url };
    };

    it('tells that the page did not change', async () => {
      const since = 'Wed, 21 Oct 2015 07:28:00 GMT';
      const { outcome, seen, finalUrl } = await conditional({ etag: '"v1"', lastModified: since });
      expect(outcome).toEqual({ kind: 'not_modified', finalUrl });
      expect(seen).toEqual([{ path: url, etag: '"v1"', since }]);
    });

    it('sends them only to the URL that gave them', async () => {
      const { outcome, seen, finalUrl } = await conditional({ etag: '"v1"', validatedUrl: url });
      expect(outcome).toEqual({ kind: 'not_modified', finalUrl });
      expect(seen).toEqual([
        { path: '/old', etag: undefined, since: undefined },
        { path: url, etag: '"v1"', since: undefined },
      ]);
    });

    it('takes 304 for a failure when it sent none, or none that may stand in a header', async () => {
      const { outcome, seen } = await conditional({ etag: 'a\r\nx: y' });
      expect(outcome).toMatchObject({ kind: 'failed', code: 'http_status', status: 304 });
      expect(seen).toEqual([{ path: url, etag: undefined, since: undefined }]);
    });
  });

  describe('redirected', () => {
    it.each([301, 302, 303, 307, 308])('follows %i to a relative location', async (status) => {
      const site = await startSite((request, response) => {
        if (request.url === '/a/b') return response.writeHead(status, { location: '../c#part' }).end();
        return response.end('there');
      });
      const outcome = await fetcherFor(site).fetchPage({ url: `${site.origin}/a/b` }, neverAborted());
      expect(outcome).toMatchObject({ kind: 'page', finalUrl: `${site.origin}/c` });
    });

    it('asks before it follows, and does not visit a target that is not wanted', async () => {
      const site = await startSite((_request, response) =>
        response.writeHead(302, { location: '/out' }).end(),
      );
      const asked: string[] = [];
      const mayFollow = async (target: string): Promise<boolean> => {
        asked.push(target);
        return false;
      };
      const outcome = await fetcherFor(site).fetchPage(
        { url: `${site.origin}/in`, mayFollow },
        neverAborted(),
      );
      expect(outcome).toEqual({
        kind: 'redirected_out',
        finalUrl: `${site.origin}/in`,
        target: `${site.origin}/out`,
      });
      expect(asked).toEqual([`${site.origin}/out`]);
      expect(site.asked).toEqual(['/in']);
    });

    it.each([
      ['/straße', 'utf8', '/stra%C3%9Fe'],
      ['/straße', 'latin1', '/stra%DFe'],
      ['/stra%C3%9Fe?q=中', 'utf8', '/stra%C3%9Fe?q=%E4%B8%AD'],
    ] as const)('goes to the bytes of the location %s in %s', async (location, encoding, path) => {
      const site = await startSockets((socket) => {
        socket.once('data', (request) => {
          const head = request.toString().startsWith('GET / ')
            ? Buffer.from(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n`, encoding)
            : Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n');
          socket.end(Buffer.concat([head, Buffer.from('Connection: close\r\n\r\nx')]));
        });
      });
      expect(await visit(site)).toMatchObject({ kind: 'page', finalUrl: `${site.origin}${path}` });
    });

    it('fails without a location', async () => {
      const site = await startSite((_request, response) => response.writeHead(302).end());
      expect(await visit(site)).toMatchObject({ kind: 'failed', code: 'http_status', status: 302 });
    });
  });

  describe('after a passing failure', () => {
    it.each([429, 500, 502, 503, 504])('tries again on status %i', async (status) => {
      const site = await startSite((_request, response) => {
        if (site.asked.length < 3) return response.writeHead(status).end();
        return response.end('at last');
      });
      const timer = createEagerTimer();
      const outcome = await visit(site, { timer });
      expect(textOf(outcome)).toBe('at last');
      expect(timer.slept).toEqual([250, 500]);
    });

    it('gives up after the third try', async () => {
      const site = await startSite((_request, response) => response.writeHead(503).end());
      expect(await visit(site)).toMatchObject({
        kind: 'failed',
        code: 'http_status',
        status: 503,
        transient: true,
      });
      expect(site.asked).toHaveLength(3);
    });

    it('waits as long as Retry-After says, and holds back other requests to the host', async () => {
      const site = await startSite((_request, response) => {
        if (site.asked.length > 1) return response.end('again');
        return response.writeHead(429, { 'retry-after': '7' }).end();
      });
      const timer = createEagerTimer();
      const gate = createPolitenessGate({ maxConcurrency: 1, minDelayMs: 0, maxDelayMs: 60_000, timer });
      const postponed: unknown[] = [];
      const spy = { ...gate, postpone: (...call: [string, number]) => void postponed.push(call) };
      const outcome = await visit(site, { timer, gate: spy });
      expect(textOf(outcome)).toBe('again');
      expect(timer.slept).toEqual([7000]);
      expect(postponed).toEqual([[site.host, 7000]]);
    });

    it.each([
      ['3600', 3_600_000],
      ['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
      ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
      ['soon', null],
      ['-5 days', null],
    ])('tells the caller of a Retry-After of %s', async (header, retryAfterMs) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1, 12) });
      onTestFinished(() => void vi.useRealTimers());
      const site = await startSite((_request, response) =>
        response.writeHead(503, { 'retry-after': header }).end(),
      );
      expect(await visit(site)).toMatchObject({ transient: true, retryAfterMs });
      expect(site.asked).toHaveLength(
        header === '3600' ? 1 : retryAfterMs === 30_000 ? 2 : retryAfterMs === 0 ? 7 : 3,
      );
    });

    it('waits for all the pauses that a host asks for, as long as the page has patience', async () => {
      const site = await startSite((_request, response) =>
        site.asked.length > 4
          ? response.end('at last')
          : response.writeHead(503, { 'retry-after': '3600' }).end(),
      );
      const timer = createEagerTimer();
      const gate = createPolitenessGate({ maxConcurrency: 1, minDelayMs: 0, maxDelayMs: 60_000, timer });
      const postponed: number[] = [];
      const spy = { ...gate, postpone: (_host: string, ms: number) => void postponed.push(ms) };
      const fetcher = fetcherFor(site, { timer, gate: spy });
      const outcome = await fetcher.fetchPage({ url: site.origin, patienceMs: 86_400_000 }, neverAborted());
      expect(textOf(outcome)).toBe('at last');
      expect(timer.slept).toEqual([3_600_000, 3_600_000, 3_600_000, 3_600_000]);
      expect(postponed).toEqual(timer.slept);
    });

    it('keeps asking a busy host for a page while that host answers others', async () => {
      let refused = 0;
      const site = await startSite((request, response) => {
        if (request.url === '/other' || refused === 20) return response.end('here');
        refused += 1;
        return response.writeHead(429, { 'retry-after': '1' }).end();
      });
      const eager = createEagerTimer();
      const other = async (): Promise<void> => {
        await fetcher.fetchPage({ url: `${site.origin}/other` }, neverAborted());
      };
      const fetcher = fetcherFor(site, {
        timer: { ...eager, sleep: async (ms, signal) => (await eager.sleep(ms, signal), await other()) },
        gate: { acquire: async () => () => undefined, setDelay: () => undefined, postpone: () => undefined },
      });
      const page = { url: `${site.origin}/busy`, patienceMs: 86_400_000 };
      expect(textOf(await fetcher.fetchPage(page, neverAborted()))).toBe('here');
    });

    it('takes a 429 without Retry-After for a pause that grows, for all requests to the host', async () => {
      const site = await startSite((_request, response) =>
        site.asked.length > 9 ? response.end('at last') : response.writeHead(429).end(),
      );
      const timer = createEagerTimer();
      const gate = createPolitenessGate({ maxConcurrency: 1, minDelayMs: 0, maxDelayMs: 60_000, timer });
      const postponed: number[] = [];
      const spy = { ...gate, postpone: (_host: string, ms: number) => void postponed.push(ms) };
      const fetcher = fetcherFor(site, { timer, gate: spy });
      const outcome = await fetcher.fetchPage({ url: site.origin, patienceMs: 86_400_000 }, neverAborted());
      expect(textOf(outcome)).toBe('at last');
      expect(timer.slept).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000]);
      expect(postponed).toEqual(timer.slept);
    });

    it('gives up a page that alone is refused, time and again', async () => {
      const site = await startSite((request, response) =>
        request.url === '/other' ? response.end('here') : response.writeHead(429).end(),
      );
      const eager = createEagerTimer();
      const other = async (): Promise<void> => {
        await fetcher.fetchPage({ url: `${site.origin}/other` }, neverAborted());
      };
      const fetcher = fetcherFor(site, {
        timer: { ...eager, sleep: async (ms, signal) => (await eager.sleep(ms, signal), await other()) },
      });
      const page = { url: `${site.origin}/refused`, patienceMs: 86_400_000 };
      expect(await fetcher.fetchPage(page, neverAborted())).toMatchObject({ status: 429 });
      expect(site.asked.filter((path) => path === '/refused')).toHaveLength(51);
    });

    it.each([{}, { 'retry-after': '1' }, { 'retry-after': '900' }])(
      'gives up a host that refuses everybody for an hour, and then lets no other page wait: %j',
      async (headers) => {
        let isRefusing = true;
        const site = await startSite((_request, response) =>
          isRefusing ? response.writeHead(429, headers).end() : response.end('here'),
        );
        const timer = createEagerTimer();
        const gate = {
          acquire: async () => () => undefined,
          setDelay: () => undefined,
          postpone: () => undefined,
        };
        const fetcher = fetcherFor(site, { timer, gate });
        const page = { url: site.origin, patienceMs: 86_400_000 };
        expect(await fetcher.fetchPage(page, neverAborted())).toMatchObject({ status: 429 });
        expect(timer.slept.reduce((sum, ms) => sum + ms)).toBeGreaterThanOrEqual(3_600_000);
        const tries = site.asked.length;
        expect(tries).toBeGreaterThanOrEqual(6);
        expect(await fetcher.fetchPage(page, neverAborted())).toMatchObject({ status: 429 });
        expect(site.asked).toHaveLength(tries + 1);
        isRefusing = false;
        expect(textOf(await fetcher.fetchPage(page, neverAborted()))).toBe('here');
        isRefusing = true;
        await fetcher.fetchPage(page, neverAborted());
        expect(site.asked.length).toBeGreaterThan(tries + 3);
      },
    );
  });

  it('keeps its connections for pages, redirects and errors', async () => {
    const ports = new Set<number | undefined>();
    const site = await startSite((request, response) => {
      ports.add(request.socket.remotePort);
      if (request.url === '/moved') return response.writeHead(302, { location: '/page' }).end('moved');
      return response.writeHead(request.url === '/page' ? 200 : 404).end('text');
    });
    const fetcher = fetcherFor(site);
    for (const path of ['/page', '/moved', '/gone', '/page', '/moved', '/gone', '/page', '/moved']) {
      await fetcher.fetchPage({ url: site.origin + path }, neverAborted());
    }
    // Two, since a connection is still finishing one answer when the next request is made.
    expect(ports.size).toBeLessThanOrEqual(2);
  });
});
