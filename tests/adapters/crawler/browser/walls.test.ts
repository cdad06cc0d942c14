import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chromiumHere } from '../../../support/chromium.ts';
import { startSite, type Site } from '../loopback.ts';
import { attempt, openPages, textOf } from './open-pages.ts';

const chromium = await chromiumHere();

describe.skipIf(chromium === null)('a page in the browser', { timeout: 120_000 }, () => {
  const { open, served } = openPages(chromium);

  /** A server that no page may reach, by TCP or UDP: whatever arrives is told. */
  const forbidden = async (): Promise<Site & { readonly packets: number[] }> => {
    const site = await startSite((_, response) => response.end('secret'));
    const udp = createSocket('udp4');
    const packets: number[] = [];
    udp.on('message', (message) => packets.push(message.length));
    udp.bind(Number(site.host.split(':')[1]), '127.0.0.1');
    await once(udp, 'listening');
    onTestFinished(() => void udp.close());
    return { ...site, packets };
  };
  const WAYS: readonly (readonly [string, (at: string) => string])[] = [
    ['a script', (at) => `<script src="http://${at}/"></script>`],
    ['a style', (at) => `<link rel=stylesheet href="http://${at}/"><style>@import "http://${at}/";</style>`],
    ['an image', (at) => `<img src="http://${at}/"><style>body { background: url(http://${at}/) }</style>`],
    ['a frame', (at) => `<iframe src="http://${at}/"></iframe><object data="http://${at}/"></object>`],
    ['a frame of data', (at) => `<iframe src="data:text/html,<script src=http://${at}/></script>"></iframe>`],
    [
      'prefetches',
      (at) =>
        ['prefetch', 'preload', 'preconnect', 'dns-prefetch', 'modulepreload', 'prerender']
          .map((rel) => `<link rel=${rel} as=script href="http://${at}/">`)
          .join('') +
        `<script type=speculationrules>{"prefetch":[{"source":"list","urls":["http://${at}/"]}],"prerender":[{"source":"list","urls":["http://${at}/"]}]}</script>`,
    ],
    [
      'fetch',
      (at) =>
        attempt(`fetch('http://${at}/', { mode: 'no-cors' }).catch(() => {});
      fetch('http://${at}/', { method: 'POST', body: 'x', mode: 'no-cors', keepalive: true }).catch(() => {});`),
    ],
    [
      'XMLHttpRequest',
      (at) => attempt(`const x = new XMLHttpRequest(); x.open('GET', 'http://${at}/'); x.send();`),
    ],
    ['a beacon', (at) => attempt(`navigator.sendBeacon('http://${at}/', 'x');`)],
    ['an event stream', (at) => attempt(`new EventSource('http://${at}/');`)],
    ['a WebSocket', (at) => attempt(`new WebSocket('ws://${at}/'); new WebSocket('wss://${at}/');`)],
    [
      'workers',
      (at) =>
        attempt(`const code = URL.createObjectURL(new Blob(["fetch('http://${at}/').catch(() => {}); new WebSocket('ws://${at}/')"]));
      new Worker(code); new SharedWorker(code);`),
    ],
    ['a service worker', () => attempt(`navigator.serviceWorker.register('/worker.js').catch(() => {});`)],
    [
      'WebRTC',
      (at) =>
        attempt(`const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${at}' },
        { urls: ['turn:${at}?transport=udp', 'turn:${at}?transport=tcp'], username: 'a', credential: 'b' }] });
      peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer));`),
    ],
    ['WebTransport', (at) => attempt(`new WebTransport('https://${at}/').ready.catch(() => {});`)],
    [
      'windows',
      (at) =>
        attempt(`window.open('http://${at}/');
      const a = document.createElement('a'); a.href = 'http://${at}/'; a.target = '_blank'; document.body.append(a); a.click();`),
    ],
    [
      'a download',
      (at) =>
        attempt(
          `const a = document.createElement('a'); a.href = 'http://${at}/'; a.download = 'x'; document.body.append(a); a.click();`,
        ),
    ],
    ['its own address', (at) => attempt(`location.href = 'http://${at}/';`)],
    [
      'a form',
      (at) =>
        `<form action="http://${at}/" method=post id=f></form><script>document.getElementById('f').submit()</script>`,
    ],
    [
      'a form for a frame',
      (at) =>
        `<iframe name=t></iframe><form target=t action="http://${at}/" method=post id=f></form><script>document.getElementById('f').submit()</script>`,
    ],
    ['a refresh', (at) => `<meta http-equiv=refresh content="0;url=http://${at}/">`],
    [
      'reports',
      (at) =>
        `<meta http-equiv=Content-Security-Policy content="img-src 'none'; report-uri http://${at}/"><img src=x>`,
    ],
  ];

  it.each(WAYS)('reaches no address that is not allowed by %s', async (_, page) => {
    const site = await forbidden();
    served.set('/worker.js', (response) => {
      const code = `fetch('${site.origin}/'); self.addEventListener('install', () => fetch('${site.origin}/'));`;
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(code);
    });
    const outcome = await open(`<p>begin</p>${page(site.host)}<p>end</p>`);
    expect(textOf(outcome)).toContain('begin');
    expect([site.asked, site.packets]).toEqual([[], []]);
  });

  it('reaches no such address by WebTransport and WebRTC of a secure page', async () => {
    const site = await forbidden();
    const script = WAYS.filter(([name]) => name.startsWith('Web'))
      .map(([, page]) => page(site.host))
      .join('');
    const outcome = await open(script, { url: 'https://site.example/' });
    expect(textOf(outcome)).toContain('tried');
    expect([site.asked, site.packets]).toEqual([[], []]);
  });

  it('reaches none by a redirect of one that it may ask', async () => {
    const site = await forbidden();
    let redirected = 0;
    served.set('/redirect', (response) => {
      redirected += 1;
      response.writeHead(302, { location: `${site.origin}/` }).end();
    });
    await open(`${attempt(`fetch('/redirect').catch(() => {});`)}<iframe src="/redirect"></iframe>`);
    expect([redirected, site.asked]).toEqual([2, []]);
  });

  it.each([
    'file:///etc/passwd',
    'view-source:file:///etc/passwd',
    'chrome://version',
    'filesystem:x',
    'devtools://x',
  ])('sees nothing of %s', async (url) => {
    const outcome = await open(
      attempt(`location.href = '${url}';`) + `<iframe src="${url}"></iframe><object data="${url}"></object>`,
    );
    expect(textOf(outcome)).not.toContain('root:');
    expect(outcome).toMatchObject({ kind: 'rendered', leadsTo: null });
  });
});
