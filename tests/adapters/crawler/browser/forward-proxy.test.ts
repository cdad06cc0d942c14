import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type Allowance,
  GREETING,
  createAllowance,
  createForwardProxy,
} from '../../../../adapters/crawler/browser/host/forward-proxy.ts';
import { createGuardedDial, type ResolveName } from '../../../../adapters/crawler/guarded-connector.ts';
import { startSite, startSockets } from '../loopback.ts';

const CREDENTIALS = `Basic ${Buffer.from('page:secret').toString('base64')}`;

interface Opened {
  readonly port: number;
  readonly allowance: Allowance;
}

const open = async (
  allowAddresses: readonly string[],
  { bytes = 10_000_000, resolveName }: { bytes?: number; resolveName?: ResolveName } = {},
): Promise<Opened> => {
  const dial = createGuardedDial({ allowAddresses, ...(resolveName !== undefined && { resolveName }) });
  const proxy = await createForwardProxy(dial);
  onTestFinished(proxy.close);
  const allowance = createAllowance(10, bytes, new URL('http://site.example/'));
  proxy.admit('page', 'secret', allowance);
  return { port: Number(new URL(proxy.url).port), allowance };
};

/** Asks for a URL through the proxy, as a browser does for plain HTTP. */
const get = (
  { port }: Opened,
  url: string,
  headers: object = { 'proxy-authorization': CREDENTIALS },
): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path: url, headers: { ...headers } }, (answer) => {
      text(answer).then(
        (body) => resolve({ status: answer.statusCode!, headers: answer.headers, body }),
        reject,
      );
    });
    asked.on('error', reject);
    asked.end();
  });

/** Asks for a tunnel; answers the first line, and what came through once it is closed. */
const tunnel = async (
  { port }: Opened,
  target: string,
  sent = '',
  credentials = CREDENTIALS,
): Promise<readonly [string, string]> => {
  const socket = connect(port, '127.0.0.1');
  const head = `CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\nproxy-authorization: ${credentials}`;
  socket.write(`${head}\r\n\r\n${sent}`);
  const [answered = '', ...rest] = (await text(socket)).split('\r\n\r\n');
  return [answered.split('\r\n')[0]!, rest.join('\r\n\r\n')];
};

describe('the way of a browser to the network', () => {
  it('leads to addresses that are allowed, without what is between the browser and the proxy', async () => {
    const heard: IncomingHttpHeaders[] = [];
    const site = await startSite((asked, answer) => {
      heard.push(asked.headers);
      answer.writeHead(418, { 'x-own': 'yes' }).end('through');
    });
    const proxy = await open([site.host]);
    const answer = await get(proxy, `${site.origin}/a?b=c`);
    expect([answer.status, answer.headers['x-own'], answer.body]).toEqual([418, 'yes', 'through']);
    expect(site.asked).toEqual(['/a?b=c']);
    expect(heard[0]).not.toHaveProperty('proxy-authorization');
    expect(heard[0]!.host).toBe(site.host);
  });

  it('is open to nobody without credentials of a page, and to no page that is closed', async () => {
    const site = await startSite((_, answer) => answer.end('reached'));
    const proxy = await open([site.host]);
    expect((await get(proxy, site.origin, {})).status).toBe(407);
    expect((await get(proxy, GREETING, {})).status).toBe(407);
    expect((await tunnel(proxy, site.host, '', 'Basic cGFnZTpndWVzcw=='))[0]).toContain('407');
    expect((await get(proxy, GREETING)).status).toBe(200);
    proxy.allowance.end();
    expect((await get(proxy, site.origin)).status).toBe(407);
    expect(site.asked).toEqual([]);
  });

  it.each(['127.0.0.1', 'localhost', '[::1]', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]'])(
    'does not lead to %s, by a request or by a tunnel',
    async (host) => {
      const site = await startSite((_, answer) => answer.end('reached'));
      const port = site.host.split(':')[1]!;
      const proxy = await open([]);
      expect((await get(proxy, `http://${host}:${port}/`)).status).toBe(403);
      expect((await tunnel(proxy, `${host}:${port}`))[0]).toContain('403');
      expect(site.asked).toEqual([]);
    },
  );

  it('leads nowhere by a name that means a public address first and another one then', async () => {
    const site = await startSite((_, answer) => answer.end('reached'));
    const port = site.host.split(':')[1]!;
    let asked = 0;
    const resolveName: ResolveName = (_, __, callback) => {
      asked += 1;
      // The first answer would pass: who checks one and connects by another is led astray.
      callback(null, [{ address: asked === 1 ? '192.0.2.1' : '127.0.0.1', family: 4 }]);
    };
    const proxy = await open(['192.0.2.1/32'], { resolveName });
    const first = tunnel(proxy, `rebound.example:${port}`).catch(() => ['502', ''] as const);
    expect((await get(proxy, `http://rebound.example:${port}/`)).status).toBe(403);
    expect((await tunnel(proxy, `rebound.example:${port}`))[0]).toContain('403');
    proxy.allowance.end();
    await first.catch(() => {});
    expect(site.asked).toEqual([]);
  });

  it('tunnels bytes both ways', async () => {
    const site = await startSockets((socket) => {
      socket.once('data', (chunk) => socket.end(`heard ${chunk.toString()}`));
    });
    const proxy = await open([site.host]);
    expect(await tunnel(proxy, site.host, 'hello')).toEqual(['HTTP/1.1 200 OK', 'heard hello']);
  });

  it('ends for a page that has had its bytes, and not for another', async () => {
    const site = await startSockets((socket) => {
      socket.on('error', () => {});
      const fill = (): void => {
        while (socket.writable && socket.write(Buffer.alloc(65_536)));
      };
      socket.on('drain', fill);
      fill();
    });
    const proxy = await open([site.host], { bytes: 1_000_000 });
    const [, received] = await tunnel(proxy, site.host).catch(() => ['', ''] as const);
    expect(proxy.allowance.ended()).toBe(true);
    expect(received.length).toBeLessThan(2_000_000);
    expect((await get(proxy, site.origin)).status).toBe(407);
  });

  it.each(['ftp://127.0.0.1/', 'file:///etc/passwd', '/relative'])('refuses %s', async (url) => {
    expect((await get(await open([]), url)).status).toBe(400);
  });
});
