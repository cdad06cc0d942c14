import { DomainError } from '../../domain/shared/domain-error.ts';
import type { Browser } from '../ports/page-fetcher.ts';

/** Refuses a request with `use_browser` if there is no browser. @throws DomainError not_configured */
export const requireBrowser = (browser: Browser): void => {
  const missing = browser.missing();
  if (missing === null) return;
  throw new DomainError('not_configured', `use_browser needs a headless browser: ${missing}`);
};
