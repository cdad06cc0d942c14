import { type PageLimits, type PageSource, type RenderOutcome, failedRender } from '../messages.ts';
import { type Allowance, type ForwardProxy, GREETING, createAllowance } from './forward-proxy.ts';
import { cookiesIn, giveCookies } from './page-cookies.ts';
import { randomBytes } from 'node:crypto';
import type { Browser, BrowserContext, CDPSession, Page, Request, Route } from 'playwright-core';

interface RenderDeps {
  readonly browser: Browser;
  readonly proxy: ForwardProxy;
  readonly userAgent: string;
  readonly limits: PageLimits;
}

/** They contain no text and are most of what a page loads. */
const NOT_LOADED = new Set(['image', 'media', 'font']);

/**
 * Opens a page in a fresh context, lets its scripts run until the page is ready, and returns the resulting HTML. Calls
 * `mayLoad` for everything that the page loads.
 */
export const renderPage = async (
  { browser, proxy, userAgent, limits }: RenderDeps,
  source: PageSource,
  mayLoad: (url: string) => Promise<boolean>,
  signal: AbortSignal,
): Promise<RenderOutcome> => {
  const [username, password] = [randomBytes(8).toString('hex'), randomBytes(16).toString('hex')];
  const allowance = createAllowance(limits.requests, limits.bytes, new URL(source.url));
  proxy.admit(username, password, allowance);
  const context = await browser.newContext({
    userAgent,
    proxy: { server: proxy.url, username, password },
    serviceWorkers: 'block',
    acceptDownloads: false,
    viewport: { width: 1280, height: 2_000 },
  });
  const close = (): Promise<void> => context.close().catch(() => {});
  const over = Promise.withResolvers<RenderOutcome>();
  const late = failedRender('timed_out', `its scripts did not come to an end within ${limits.timeoutMs} ms`);
  const timer = setTimeout(() => over.resolve(late), limits.timeoutMs);
  signal.addEventListener('abort', () => over.resolve(late), { once: true });
  try {
    const reading = open(context, source, allowance, mayLoad, limits, over.resolve);
    reading.catch(() => {}); // it may fail because another result was faster
    return await Promise.race([reading, over.promise]);
  } finally {
    clearTimeout(timer);
    allowance.end();
    await close();
  }
};

const open = async (
  context: BrowserContext,
  source: PageSource,
  allowance: Allowance,
  mayLoad: (url: string) => Promise<boolean>,
  limits: PageLimits,
  end: (outcome: RenderOutcome) => void,
): Promise<RenderOutcome> => {
  const abortedTo: { to: string | null } = { to: null };
  const page = await context.newPage();
  context.on('page', (popup) => void popup.close().catch(() => {}));
  page.on('crash', () => end(crashed(limits)));
  await context.addInitScript(OPEN_SHADOW_ROOTS);
  await giveCookies(context, source);
  await page.goto(GREETING);
  let served = false;
  await context.route('**/*', async (route) => {
    if (isNavigation(route.request(), page)) {
      if (served) return recordNavigation(route, abortedTo);
      served = true;
      const headers = { 'content-type': source.contentType };
      return route.fulfill({ status: 200, headers, body: Buffer.from(source.body) });
    }
    const request = route.request();
    if (NOT_LOADED.has(request.resourceType())) return route.abort('blockedbyclient');
    const allowed = allowance.takeRequest() && (await mayLoad(request.url()));
    return allowed ? route.continue() : route.abort('blockedbyclient');
  });
  const evaluate = await ownWorld(context, page);
  const activity = watchActivity(page);
  const began = performance.now();
  await page.goto(source.url, { waitUntil: 'commit', timeout: limits.timeoutMs });
  await whenReady(activity, async () => Number(await evaluate(SETTLED_FOR)), limits, began);
  const html = await evaluate(serialise(source.url, limits.htmlBytes));
  if (typeof html !== 'string') return tooLarge(limits);
  const bytes = Buffer.from(html);
  if (bytes.byteLength > limits.htmlBytes) return tooLarge(limits);
  return { kind: 'rendered', html: bytes, leadsTo: abortedTo.to, cookies: await cookiesIn(context, source) };
};

/** Records where a page navigates to; the caller decides whether to fetch that. */
const recordNavigation = async (route: Route, abortedTo: { to: string | null }): Promise<void> => {
  const request = route.request();
  if (request.method() === 'GET') abortedTo.to ??= request.url();
  await route.abort('aborted');
};

/** Evaluates expressions in an isolated world of the current document. */
const ownWorld = async (
  context: BrowserContext,
  page: Page,
): Promise<(expression: string) => Promise<unknown>> => {
  const session: CDPSession = await context.newCDPSession(page);
  await session.send('Page.enable');
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source: WATCH_CHANGES, worldName: WORLD });
  const { frameTree } = await session.send('Page.getFrameTree');
  return async (expression) => {
    const frameId = frameTree.frame.id;
    const { executionContextId } = await session.send('Page.createIsolatedWorld', {
      frameId,
      worldName: WORLD,
    });
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression,
      contextId: executionContextId,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined)
      throw new Error(`the page could not be read: ${exceptionDetails.text}`);
    return result.value;
  };
};

const crashed = ({ memoryBytes }: PageLimits): RenderOutcome =>
  failedRender(
    'out_of_memory',
    `its scripts took more than ${memoryBytes} bytes of memory, or crashed the process that runs them`,
  );

const tooLarge = ({ htmlBytes }: PageLimits): RenderOutcome =>
  failedRender('too_large', `the page is larger than ${htmlBytes} bytes after its scripts ran`);

/**
 * Our code in a page runs in an isolated world (Page.createIsolatedWorld), which sees the document but not the page's
 * scripts, so that a page cannot change it. The code is text because it never runs in this process.
 */
const WORLD = 'knowledger';

/** Runs in each frame before the page's scripts: text in closed shadow roots is read like any other. */
const OPEN_SHADOW_ROOTS = `{
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (init) { return attach.call(this, { ...init, mode: 'open' }); };
}`;

/**
 * Records when the content last changed: elements and text, but not attributes, because animations change those for
 * ever.
 */
const WATCH_CHANGES = `{
  globalThis.lastChange = performance.now();
  new MutationObserver(() => { globalThis.lastChange = performance.now(); })
    .observe(document, { childList: true, characterData: true, subtree: true });
}`;

/** Milliseconds since the last change; 0 while the document is still loading. */
const SETTLED_FOR = "document.readyState === 'complete' ? performance.now() - globalThis.lastChange : 0";

/**
 * Serialises the document as HTML: shadow trees replace their hosts, slots are filled; the base of relative links is
 * the URL of the page that the server sent, or where scripts have moved it to. Null above \`most\` characters.
 */
const serialise = (url: string, most: number): string => `((url, most) => {
  const copyOf = (node) => {
    const copy = node.cloneNode(false);
    const slotted = node.localName === 'slot' ? node.assignedNodes({ flatten: true }) : [];
    const children = slotted.length > 0 ? slotted : (node.shadowRoot ?? node).childNodes;
    for (const child of children) copy.appendChild(copyOf(child));
    return copy;
  };
  const root = document.documentElement;
  if (root === null) return '';
  const hasShadow = [...document.querySelectorAll('*')].some((element) => element.shadowRoot !== null);
  let html;
  try {
    html = hasShadow ? copyOf(root).outerHTML : root.outerHTML;
  } catch {
    html = root.outerHTML; // nested deeper than calls may be
  }
  if (html.length > most) return null;
  if (document.baseURI === url || document.querySelector('base[href]') !== null) return '<!doctype html>' + html;
  const base = document.createElement('base');
  base.setAttribute('href', document.baseURI);
  return '<!doctype html>' + html.replace(/<head[^>]*>|$/i, (head) => head + base.outerHTML);
})(${JSON.stringify(url)}, ${most})`;

/** Requests that stay open as long as the page does; they do not count as activity. */
const ENDLESS = new Set(['eventsource', 'websocket', 'ping']);
const POLL_EVERY_MS = 50;

interface Activity {
  /** Whether nothing was loading for this long. */
  readonly isQuietFor: (ms: number) => boolean;
}

/** Tracks what a page loads from now on. */
const watchActivity = (page: Page): Activity => {
  const loading = new Set<Request>();
  let last = performance.now();
  const ended = (request: Request): void => {
    if (loading.delete(request)) last = performance.now();
  };
  page.on('request', (request) => {
    // Navigation requests are aborted, so they do not count.
    if (ENDLESS.has(request.resourceType()) || isNavigation(request, page)) return;
    loading.add(request);
    last = performance.now();
  });
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  return { isQuietFor: (ms) => loading.size === 0 && performance.now() - last >= ms };
};

/** Whether the request would replace the document. */
const isNavigation = (request: Request, page: Page): boolean =>
  request.isNavigationRequest() && request.frame() === page.mainFrame();

/**
 * Resolves when a page is ready to be read: it has loaded, and for `quietMs` nothing was loading and its content did
 * not change; or `readyMs` after `began`, because some pages are never quiet.
 */
const whenReady = async (
  activity: Activity,
  settledFor: () => Promise<number>,
  { readyMs, quietMs }: PageLimits,
  began: number,
): Promise<void> => {
  while (performance.now() - began < readyMs) {
    // Activity is checked again last: the page responds only when its scripts let it, and may have begun to load more
    // by then.
    if (activity.isQuietFor(quietMs) && (await settledFor()) >= quietMs && activity.isQuietFor(quietMs))
      return;
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
  }
};
