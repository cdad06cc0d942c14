import type { ContentRecord } from '../../ports/catalog.ts';

/** Converts URLs within this service, which are stored relative to its base URL, for external clients. */
export interface Links {
  /** Converts a stored URL to an external one. */
  readonly external: (url: string) => string;
  /** Converts an external URL back to the stored one. */
  readonly stored: (url: string) => string;
}

/** For callers inside of the service. */
export const AS_STORED: Links = { external: (url) => url, stored: (url) => url };

/** @param base URL of the service, without a trailing slash */
export const linksFrom = (base: string): Links => ({
  external: (url) => (isOwn(url) ? `${base}${url}` : url),
  stored: (url) => (url.startsWith(base) && isOwn(url.slice(base.length)) ? url.slice(base.length) : url),
});

const isOwn = (url: string): boolean => /^\/(?!\/)/.test(url);

export const withExternalUrl = (content: ContentRecord, links: Links): ContentRecord => ({
  ...content,
  url: links.external(content.url),
});
