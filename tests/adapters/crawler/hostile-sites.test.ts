import type { ServerResponse } from 'node:http';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PageFailed, FetchOutcome } from '../../../application/ports/page-fetcher.ts';
import { fetcherFor, neverAborted, startAgent, startSite, startSockets, visit } from './loopback.ts';

const MIB = 1024 * 1024;

const failure = (outcome: FetchOutcome): Pick<PageFailed, 'kind' | 'code' | 'transient'> | string =>
  outcome.kind === 'failed'
    ? { kind: outcome.kind, code: outcome.code, transient: outcome.transient }
    : outcome.kind;
const failed = (code: PageFailed['code'], transient = false) => ({ kind: 'failed', code, transient });

const endless = (response: ServerResponse, bytes: number): { readonly sent: () => number } => {
  let sent = 0;
  const piece = Buffer.alloc(64 * 1024, 'a');
  const pour = (): void => {
    while (!response.destroyed && sent < bytes && response.write(piece)) sent += piece.length;
    if (sent >= bytes) response.end();
  };
  response.on('drain', pour);
  pour();
  return { sent: () => sent };
};

describe('a hostile site', () => {
  it('cannot redirect for ever', async () => {
    const site = await startSite((request, response) => {
      response.writeHead(302, { location: `/${Number(request.url?.slice(1)) + 1}` }).end();
    });
    const outcome = await fetcherFor(site).fetchPage({ url: `${site.origin}/0` }, neverAborted());
    expect(failure(outcome)).toEqual(failed('too_many_redirects'));
    expect(site.asked).toHaveLength(11);
  });

  it.each([
    ['to itself', ['/a']],
    ['in a circle', ['/b', '/c', '/a']],
    ['to itself with a fragment', ['/a#x']],
  ])('cannot redirect %s', async (_name, targets) => {
    const site = await startSite((_request, response) => {
      response.writeHead(302, { location: targets[site.asked.length - 1] }).end();
    });
    const outcome = await fetcherFor(site).fetchPage({ url: `${site.origin}/a` }, neverAborted());
    expect(failure(outcome)).toEqual(failed('redirect_loop'));
    expect(site.asked).toHaveLength(targets.length);
  });

  it.each([
    ['http://169.254.169.254/latest/meta-data/', 'address_not_allowed'],
    ['http://[::1]/', 'address_not_allowed'],
    ['https://127.1/', 'address_not_allowed'],
    ['//0x7f000001/', 'address_not_allowed'],
    ['https://localhost/', 'address_not_allowed'],
    ['http://[::ffff:10.0.0.1]:8080/', 'address_not_allowed'],
    ['file:///etc/passwd', 'redirect_not_allowed'],
    ['javascript:alert(1)', 'redirect_not_allowed'],
  ] as const)('cannot redirect to %s', async (location, code) => {
    const site = await startSite((_request, response) => response.writeHead(302, { location }).end());
    expect(failure(await visit(site))).toEqual(failed(code));
  });

  it('cannot be the start of a crawl with another scheme or with credentials', async () => {
    const site = await startSite((_request, response) => response.end('x'));
    const fetcher = fetcherFor(site);
    for (const url of ['file:///etc/passwd', site.origin.replace('//', '//user:password@'), 'nonsense']) {
      const outcome = await fetcher.fetchPage({ url }, neverAborted());
      expect(failure(outcome)).toEqual(failed('url_not_allowed'));
    }
    expect(site.asked).toEqual([]);
  });

  it('cannot send a gigabyte', async () => {
    let poured = { sent: (): number => 0 };
    const site = await startSite((_request, response) => {
      poured = endless(response, 1024 * MIB);
    });
    expect(failure(await visit(site, { maxBytes: MIB }))).toEqual(failed('too_large'));
    expect(poured.sent()).toBeLessThan(64 * MIB);
  });

  it('is not listened to when it announces a gigabyte', async () => {
    const site = await startSite((_request, response) => {
      response.writeHead(200, { 'content-length': 1024 * MIB }).write('a');
    });
    expect(failure(await visit(site))).toEqual(failed('too_large'));
  });

  it.each([
    ['gzip', (body: Buffer) => gzipSync(body, { level: 1 })],
    ['deflate', (body: Buffer) => deflateSync(body, { level: 1 })],
    ['br', (body: Buffer) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ['zstd', (body: Buffer) => zstdCompressSync(body)],
    ['gzip, gzip', (body: Buffer) => gzipSync(gzipSync(body, { level: 1 }))],
  ])('cannot unpack a bomb in %s', async (coding, compress) => {
    const bomb = compress(Buffer.alloc(64 * MIB));
    const site = await startSite((_request, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(bomb);
    });
    expect(failure(await visit(site, { maxBytes: MIB }))).toEqual(failed('too_large'));
  });

  it.each([
    ['gzip', Buffer.from('this is not gzip')],
    ['gzip', gzipSync('x'.repeat(10_000)).subarray(0, 20)],
    ['deflate', Buffer.from([0x78, 0x9c, 0xff, 0xff])],
    ['br', Buffer.from('not brotli at all, really')],
    ['zstd', Buffer.from('not zstd')],
    ['rot13', Buffer.from('uryyb')],
    ['gzip, gzip, gzip', gzipSync('x')],
  ])('cannot pass broken %s for content', async (coding, body) => {
    const site = await startSite((_request, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(body);
    });
    expect(failure(await visit(site))).toEqual(failed('content_coding_broken'));
  });

  it.each([
    ['saying nothing', ''],
    ['falling silent in the body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'],
  ])('cannot hold a connection by %s', async (_, sent) => {
    const site = await startSockets((socket) => void socket.write(sent));
    expect(failure(await visit(site, { timeoutMs: 100 }))).toEqual(failed('timed_out', true));
    expect(site.asked).toHaveLength(1);
  });

  it('may be silent for as long as a page may take', async () => {
    const asked: unknown[] = [];
    const site = await startSite((_request, response) => response.end('late'));
    const agent = startAgent({ allowAddresses: [site.host] });
    const dispatch: typeof agent.dispatch = (options, handler) => {
      asked.push([options.headersTimeout, options.bodyTimeout]);
      return agent.dispatch(options, handler);
    };
    await visit(site, { dispatcher: { dispatch } as unknown as typeof agent, timeoutMs: 30_000 });
    expect(asked).toEqual([[0, 0]]);
  });

  it('cannot drip its body for longer than a page may take', async () => {
    const site = await startSite((_request, response) => drip(response));
    expect(failure(await visit(site, { timeoutMs: 100 }))).toEqual(failed('timed_out', true));
  });

  it('cannot drip its body below the least rate', async () => {
    const site = await startSite((_request, response) => drip(response));
    let time = 0;
    const timer = { now: () => (time += 1000), sleep: async () => undefined };
    const fetcher = fetcherFor(site, { timer, slowMs: 3000, minBytesPerSecond: 100 });
    const outcome = await fetcher.fetchPage({ url: site.origin }, neverAborted());
    expect(failure(outcome)).toEqual(failed('too_slow', true));
  });

  it.each([
    ['one enormous header', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(MIB)}\r\n\r\nbody`, 'headers_too_large'],
    ['too many headers', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(100_000)}\r\nbody`, 'headers_too_large'],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'bad_response'],
    ['an impossible status', 'HTTP/1.1 99999 X\r\n\r\n', 'bad_response'],
    ['a bad chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 'bad_response'],
    ['nothing', '', 'connection_lost'],
    ['half a head', 'HTTP/1.1 200 OK\r\ncontent-', 'connection_lost'],
    ['half a body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', 'connection_lost'],
    ['half a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\nhalf', 'connection_lost'],
  ] as const)(
    'that sends %s gives a clean failure, and is asked again where it hangs up',
    async (_, sent, code) => {
      const site = await startSockets((socket) => {
        socket.once('data', () => socket.end(sent));
      });
      const isLost = code === 'connection_lost';
      expect(failure(await visit(site))).toEqual(failed(code, isLost));
      expect(site.asked).toHaveLength(isLost ? 3 : 1);
    },
  );
});

describe('a caller who aborts', () => {
  const gone = new Error('the job was cancelled');

  it('before the start sends nothing', async () => {
    const site = await startSite((_request, response) => response.end('x'));
    const request = fetcherFor(site).fetchPage({ url: site.origin }, AbortSignal.abort(gone));
    await expect(request).rejects.toBe(gone);
    expect(site.asked).toEqual([]);
  });

  it('in the middle of a body closes the connection', async () => {
    const controller = new AbortController();
    const closed = Promise.withResolvers<void>();
    const site = await startSite((_request, response) => {
      response.on('close', closed.resolve);
      response.write('half', () => controller.abort(gone));
    });
    await expect(fetcherFor(site).fetchPage({ url: site.origin }, controller.signal)).rejects.toBe(gone);
    await closed.promise;
  });

  it('while a name is resolved does not wait', async () => {
    const controller = new AbortController();
    const site = await startSite((_request, response) => response.end('x'));
    const resolveName = (): void => controller.abort(gone);
    const fetcher = fetcherFor(site, {}, { resolveName });
    await expect(fetcher.fetchPage({ url: 'http://slow.example/' }, controller.signal)).rejects.toBe(gone);
  });

  it('between two tries does not try again', async () => {
    const controller = new AbortController();
    const site = await startSite((_request, response) => response.writeHead(503).end());
    const timer = {
      now: () => 0,
      sleep: async (_ms: number, signal: AbortSignal) => {
        controller.abort(gone);
        signal.throwIfAborted();
      },
    };
    const request = fetcherFor(site, { timer }).fetchPage({ url: site.origin }, controller.signal);
    await expect(request).rejects.toBe(gone);
    expect(site.asked).toHaveLength(1);
  });
});

describe('failures that need no server', () => {
  it('tells a name that does not exist from one that cannot be resolved now', async () => {
    const site = await startSite((_request, response) => response.end('x'));
    const failing = (code: string) => {
      const resolveName = (
        _name: string,
        _all: unknown,
        callback: (error: Error, none: never[]) => void,
      ): void => callback(Object.assign(new Error(code), { code }), []);
      return fetcherFor(site, {}, { resolveName }).fetchPage({ url: 'http://a.example/' }, neverAborted());
    };
    expect(failure(await failing('ENOTFOUND'))).toEqual(failed('dns_failed'));
    expect(failure(await failing('EAI_AGAIN'))).toEqual(failed('dns_failed', true));
  });

  it('tries again when nobody listens', async () => {
    const site = await startSockets((socket) => socket.destroy());
    const refused = site.host.replace(/^127\.0\.0\.1/, '127.0.0.9');
    const fetcher = fetcherFor(site, {}, { allowAddresses: [refused] });
    const outcome = await fetcher.fetchPage({ url: `http://${refused}/` }, neverAborted());
    expect(failure(outcome)).toEqual(failed('connect_failed', true));
  });

  it('reports a server that speaks no TLS', async () => {
    const site = await startSockets((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const outcome = await fetcherFor(site).fetchPage({ url: `https://${site.host}/` }, neverAborted());
    expect(failure(outcome)).toEqual(failed('tls_failed'));
  });
});

/** A byte every few milliseconds, until the peer goes away. */
const drip = (response: ServerResponse): void => {
  const tap = setInterval(() => response.write('.'), 5);
  response.on('close', () => clearInterval(tap));
  onTestFinished(() => clearInterval(tap));
};
