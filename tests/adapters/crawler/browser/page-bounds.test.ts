import { describe, expect, it } from 'vitest';
import { chromiumHere } from '../../../support/chromium.ts';
import { LIMITS } from './limits.ts';
import { attempt, openPages, textOf } from './open-pages.ts';

const chromium = await chromiumHere();

describe.skipIf(chromium === null)('a page in the browser', { timeout: 120_000 }, () => {
  const { open, origin, sent, served } = openPages(chromium);

  it('asks for no more requests than a page may, and is read as it stands', async () => {
    let hits = 0;
    served.set('/count', (response) => {
      hits += 1;
      response.end('1');
    });
    const outcome = await open(
      attempt(
        `for (let i = 0; i < 100; i += 1) fetch('/count?' + i).catch(() => {}); fetch('/count').catch(() => {});`,
      ),
    );
    expect(outcome.kind).toBe('rendered');
    expect(hits).toBe(0);
    await open(attempt(`for (let i = 0; i < 100; i += 1) fetch('/count').catch(() => {});`));
    expect(hits).toBeGreaterThan(0);
    expect(hits).toBeLessThanOrEqual(LIMITS.requests);
  });

  it('receives no more bytes than a page may', async () => {
    let count = 0;
    served.set('/endless', (response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const write = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) count += 65_536;
      };
      response.on('drain', write);
      write();
    });
    const outcome = await open(
      attempt(`fetch('/endless').then((r) => r.text()).catch(() => document.body.append('cut'));`),
    );
    expect(textOf(outcome)).toContain('cut</body>');
    // What lies in buffers on the way is counted, and not received.
    expect(count).toBeLessThan(30_000_000);
  });

  it('is asked for what it may load', async () => {
    let hits = 0;
    served.set('/secret', (response) => {
      hits += 1;
      response.end();
    });
    await open(attempt(`fetch('/secret').catch(() => {});`), { mayLoad: async () => false });
    expect(hits).toBe(0);
    await open(attempt(`fetch('/secret').catch(() => {});`));
    expect(hits).toBe(1);
  });

  it('finds nothing of the page before it', async () => {
    const remember = `document.cookie = 'seen=1'; localStorage.seen = '1';`;
    const show = `document.body.append('[' + document.cookie + (localStorage.seen ?? '') + ']');`;
    await open(attempt(remember));
    expect(textOf(await open(attempt(show)))).toContain('[]');
  });

  it('has the cookies of its host and tells which there are then; other hosts and ports get none', async () => {
    served.set('/data', (response) => {
      response.setHeader('access-control-allow-origin', origin());
      response.setHeader('access-control-allow-credentials', 'true');
      response.setHeader('set-cookie', 'served=3; Path=/data');
      response.end('data');
    });
    const cookie = { path: '/', secure: false, httpOnly: false, expiresAt: null };
    const cookies = [
      { ...cookie, name: 'given', value: '1' },
      { ...cookie, name: 'hidden', value: '2', httpOnly: true },
      { ...cookie, name: 'over', value: '4' },
    ];
    const port = Number(new URL(origin()).port);
    const elsewhere = `http://127.0.0.1:${port}`;
    const script = `document.body.append('[' + document.cookie + ']'); document.cookie = 'made=5; path=/';
      document.cookie = 'over=; max-age=0; path=/'; fetch('${elsewhere}/data', { credentials: 'include' });`;
    const here = await open(attempt(script), { cookies });
    expect(textOf(here)).toContain('[given=1; over=4]');
    expect(sent.at(-1)).toBe(`127.0.0.1:${port}/data given=1; hidden=2; made=5`);
    expect(
      here.kind === 'rendered' && here.cookies?.map(({ name, path }) => `${name}${path}`).toSorted(),
    ).toEqual(['given/', 'hidden/', 'made/', 'served/data']);
    await open(attempt(script), { cookies, url: `http://127.0.0.1:${port + 1}/page` });
    expect(sent.at(-1)).toBe(`127.0.0.1:${port}/data `);
    await open(attempt(script), { cookies, url: `http://sub.localhost:${port}/page` });
    expect(sent.at(-1)).toBe(`127.0.0.1:${port}/data `);
  });

  it('is answered with shadow trees, and with addresses that start where its scripts moved it', async () => {
    const outcome = await open(`<x-a><b>slotted</b></x-a><script>
      customElements.define('x-a', class extends HTMLElement { constructor() { super();
        this.attachShadow({ mode: 'closed' }).innerHTML = '<h1>inside</h1><slot></slot>'; } });
      history.pushState({}, '', '/deep/page');</script>`);
    expect(textOf(outcome)).toMatch(/<h1>inside<\/h1><slot><b>slotted/);
    expect(textOf(outcome)).toContain(`<base href="${origin()}/deep/page">`);
  });

  it('tells where its scripts lead, and stays', async () => {
    const outcome = await open(attempt(`location.href = '/other';`));
    expect(outcome).toMatchObject({ kind: 'rendered', leadsTo: `${origin()}/other` });
  });

  it('is waited for while it loads and changes, and not for ever', async () => {
    const slow = `let n = 0; const step = () => { document.body.append('step' + ++n); if (n < 5) setTimeout(step, 150); }; step();`;
    expect(textOf(await open(attempt(slow)))).toContain('step5');
    const restless = `setInterval(() => { document.title = String(Math.random()); document.body.append('.') }, 20);`;
    expect((await open(attempt(restless))).kind).toBe('rendered');
  });

  it('cannot change what reads it', async () => {
    const script = `Object.defineProperty(Element.prototype, 'outerHTML', { get: () => 'forged' });
      performance.now = () => 0; document.querySelectorAll = () => [];`;
    expect(textOf(await open(`<p>true</p>${attempt(script)}`))).toContain('<p>true</p>');
  });

  it('fails alone where it makes too much, hangs, or fills the memory', async () => {
    const beside = open('<p>beside</p><script>1</script>');
    expect(textOf(await open(attempt(`document.body.append('x'.repeat(2e6));`)))).toContain('too_large');
    expect(textOf(await beside)).toContain('beside');
    expect(
      textOf(await open('<script>const a = []; for (;;) a.push(new Array(1e5).fill({}));</script>')),
    ).toContain('out_of_memory');
    const fill = `const a = []; setInterval(() => { a.push(new Uint8Array(2e7).fill(1)); document.title += '.' }, 5);`;
    const outside = `<script>${fill}</script>`;
    expect(textOf(await open(outside))).toContain('out_of_memory');
    expect(textOf(await open('<script>for (;;);</script>'))).toContain('timed_out');
    expect(textOf(await open('<p>after</p><script>1</script>'))).toContain('after');
  });
});
