import type { Page, Request } from 'playwright-core';
import type { PageLimits } from '../messages.ts';

/** Requests that stay open for as long as the page: it is quiet beside them. */
const ENDLESS = new Set(['eventsource', 'websocket', 'ping']);
const LOOK_EVERY_MS = 50;

export interface Activity {
  /** Whether nothing was on its way for so long. */
  readonly isQuietFor: (ms: number) => boolean;
}

/** Watches what a page loads, from now on. */
export const watchActivity = (page: Page): Activity => {
  const loading = new Set<Request>();
  let last = performance.now();
  const ended = (request: Request): void => {
    if (loading.delete(request)) last = performance.now();
  };
  page.on('request', (request) => {
    // Where it wants to go it does not get.
    if (ENDLESS.has(request.resourceType()) || leaves(request, page)) return;
    loading.add(request);
    last = performance.now();
  });
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  return { isQuietFor: (ms) => loading.size === 0 && performance.now() - last >= ms };
};

/** Whether it would bring another document in the place of that which is there. */
export const leaves = (request: Request, page: Page): boolean =>
  request.isNavigationRequest() && request.frame() === page.mainFrame();

/**
 * Resolves when a page is ready to be read: it has loaded, and for `quietMs` nothing was on its way and its content did
 * not change; or when `readyMs` are over since `began`, because some pages are never quiet.
 */
export const whenReady = async (
  activity: Activity,
  settledFor: () => Promise<number>,
  { readyMs, quietMs }: PageLimits,
  began: number,
): Promise<void> => {
  while (performance.now() - began < readyMs) {
    // Asked last: the page answers when its scripts let it, and may have begun to load more by then.
    if (activity.isQuietFor(quietMs) && (await settledFor()) >= quietMs && activity.isQuietFor(quietMs))
      return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
};
