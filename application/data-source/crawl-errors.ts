import { type Caller, sees } from '../caller.ts';
import type { Page, PageRequest } from '../page.ts';
import type { CrawlFrontier, PageError } from '../ports/crawl-frontier.ts';
import type { DataSourceView } from '../ports/data-source-view.ts';
import { noSuch } from './operations.ts';

const MOST_BLOCKED = 1_000;

/**
 * Pages of the newest job that failed, by URL (`after` is a URL), and those that robots.txt refuses (at most 1,000).
 *
 * @throws DomainError not_found
 */
export const createCrawlErrors =
  (view: DataSourceView, frontier: CrawlFrontier) =>
  async (
    caller: Caller,
    id: string,
    page: PageRequest,
  ): Promise<{ readonly errors: Page<PageError>; readonly robots_blocked: readonly string[] }> => {
    const found = sees(caller, id) ? await view.get(caller.tenant, 'crawl', id) : null;
    if (found === null) throw noSuch('crawl');
    const errors = await frontier.errors(id, page);
    return { errors, robots_blocked: await frontier.robotsBlocked(id, MOST_BLOCKED) };
  };
export type CrawlErrors = ReturnType<typeof createCrawlErrors>;
