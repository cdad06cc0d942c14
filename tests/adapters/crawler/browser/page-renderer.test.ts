import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { HostEvents, StartHost } from '../../../../adapters/crawler/browser/host-process.ts';
import {
  type RenderOutcome,
  type ToHost,
  failedRender,
} from '../../../../adapters/crawler/browser/messages.ts';
import {
  createPageRenderer,
  type RendererOptions,
} from '../../../../adapters/crawler/browser/page-renderer.ts';
import { neverAborted } from '../loopback.ts';
import { LIMITS } from './limits.ts';

/** A process that drives a browser, by hand. */
interface FakeHost extends HostEvents {
  readonly sent: ToHost[];
  /** Addresses of the pages that are open in it. */
  readonly open: () => readonly string[];
  readonly done: (url: string, html?: string) => void;
  killed: number;
}

const made = (html: string): RenderOutcome => ({ kind: 'rendered', html: Buffer.from(html), leadsTo: null });

const setUp = (options: Partial<RendererOptions> = {}) => {
  const hosts: FakeHost[] = [];
  const start: StartHost = async (_, events) => {
    const pages = new Map<string, number>();
    const host: FakeHost = {
      ...events,
      sent: [],
      open: () => [...pages.keys()],
      done: (url, html = url) => {
        const id = pages.get(url)!;
        pages.delete(url);
        events.message({ type: 'done', id, outcome: made(html) });
      },
      killed: 0,
    };
    hosts.push(host);
    return {
      pid: undefined,
      send: (message) => {
        host.sent.push(message);
        if (message.type === 'open') pages.set(message.source.url, message.id);
      },
      kill: () => {
        host.killed += 1;
        events.ended('');
      },
    };
  };
  const renderer = createPageRenderer({
    program: { kind: 'installed', path: '/nowhere' },
    unpackedIn: '',
    pages: 2,
    sandbox: true,
    userAgent: 'knowledgerbot/test',
    allowAddresses: [],
    limits: LIMITS,
    start,
    ...options,
  });
  onTestFinished(() => renderer.close());
  const render = (url: string, { signal = neverAborted(), mayLoad = async () => true } = {}) =>
    renderer.render({ url, contentType: 'text/html', body: new Uint8Array() }, mayLoad, signal);
  /** The host that was started last, when there are so many. */
  const host = async (number: number): Promise<FakeHost> => {
    await vi.waitUntil(() => hosts.length === number);
    return hosts[number - 1]!;
  };
  const ready = async (number: number): Promise<FakeHost> => {
    const started = await host(number);
    started.message({ type: 'ready', browser: 1 });
    return started;
  };
  return { renderer, render, host, ready, hosts };
};

describe('the pages of a browser', () => {
  it('start one browser with the first of them, and are open side by side up to a number', async () => {
    const { render, ready, hosts } = setUp();
    expect(hosts).toEqual([]);
    const pages = ['a', 'b', 'c'].map((url) => render(url));
    const host = await ready(1);
    expect(host.open()).toEqual(['a', 'b']);
    host.done('a');
    expect(host.open()).toEqual(['b', 'c']);
    host.done('c');
    host.done('b');
    expect(await Promise.all(pages)).toEqual([made('a'), made('b'), made('c')]);
    expect(hosts).toHaveLength(1);
  });

  it('are opened again, one by one, when the browser ends; the one that ends it alone has failed', async () => {
    const { render, ready } = setUp();
    const [bad, good] = [render('bad'), render('good')];
    (await ready(1)).ended('crashed');
    const second = await ready(2);
    expect(second.open()).toHaveLength(1);
    const [first] = second.open();
    second.done(first!);
    expect(second.open()).toEqual([first === 'bad' ? 'good' : 'bad']);
    second.ended('crashed again\nand more');
    const failed = failedRender('browser_failed', 'crashed again');
    expect(await Promise.all([bad, good])).toEqual(
      first === 'bad' ? [made('bad'), failed] : [failed, made('good')],
    );
  });

  it('fail when the browser does not start, all at once, and so do others until it is tried again', async () => {
    const told: string[] = [];
    const { renderer, render, host, ready, hosts } = setUp({
      onUnstartable: (why) => told.push(why),
      startAgainMs: 50,
    });
    const pages = [render('a'), render('b')];
    const first = await host(1);
    first.message({ type: 'unstartable', message: 'no sandbox' });
    first.ended('');
    const failed = failedRender('browser_failed', 'no sandbox');
    expect(await Promise.all(pages)).toEqual([failed, failed]);
    expect([renderer.unstartable(), told]).toEqual(['no sandbox', ['no sandbox']]);
    expect(await render('c')).toEqual(failed);
    expect(hosts).toHaveLength(1);
    await vi.waitUntil(() => renderer.unstartable() === null);
    const page = render('d');
    (await ready(2)).done('d');
    expect(await page).toEqual(made('d'));
  });

  it('are given up as soon as nobody waits, in the browser too', async () => {
    const { render, ready } = setUp({ pages: 1 });
    const leaving = new AbortController();
    const pages = [render('open', { signal: leaving.signal }), render('waiting', { signal: leaving.signal })];
    const host = await ready(1);
    const settled = Promise.allSettled(pages);
    leaving.abort(new Error('left'));
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(host.sent.at(-1)).toMatchObject({ type: 'close' });
    host.done('open');
    expect(host.open()).toEqual([]);
  });

  it('are asked for what they load, and refused where that cannot be told', async () => {
    const { render, ready } = setUp();
    const mayLoad = async (url?: string): Promise<boolean> => {
      if (url === 'broken') throw new Error('not to be told');
      return url === 'yes';
    };
    void render('a', { mayLoad });
    const host = await ready(1);
    const open = host.sent.find((message) => message.type === 'open')!;
    for (const [question, url] of ['yes', 'no', 'broken'].entries()) {
      host.message({ type: 'ask', id: open.id, question, url });
    }
    host.message({ type: 'ask', id: 999, question: 3, url: 'yes' });
    const answers = () => host.sent.filter((message) => message.type === 'answer');
    await vi.waitUntil(() => answers().length === 4);
    expect(new Map(answers().map(({ question, allowed }) => [question, allowed]))).toEqual(
      new Map([
        [3, false],
        [0, true],
        [1, false],
        [2, false],
      ]),
    );
  });

  it('take the browser with them when it does not answer any more', async () => {
    const { render, ready } = setUp({ limits: { ...LIMITS, timeoutMs: -4_990 } });
    const page = render('a');
    const host = await ready(1);
    expect(await page).toMatchObject({ kind: 'failed', code: 'timed_out' });
    expect(host.killed).toBe(1);
  });

  it('let it end when there are none, and start it again for the next', async () => {
    const { render, ready } = setUp({ idleMs: 1 });
    const first = render('a');
    const host = await ready(1);
    host.done('a');
    await first;
    await vi.waitUntil(() => host.killed === 1);
    const second = render('b');
    (await ready(2)).done('b');
    expect(await second).toEqual(made('b'));
  });

  it('are told that the service stops, and that ends the browser', async () => {
    const { renderer, render, ready } = setUp({ pages: 1 });
    const pages = [render('open'), render('waiting')];
    const host = await ready(1);
    await renderer.close();
    const stopped = failedRender('browser_failed', 'the service is stopping');
    expect(await Promise.all([...pages, render('late')])).toEqual([stopped, stopped, stopped]);
    expect(host.killed).toBe(1);
  });
});
