import type { ContentRecord } from '../../ports/catalog.ts';

/** How addresses within this service are told to whoever is not on it: stored ones are relative to it. */
export interface Links {
  /** Of what is told. */
  readonly told: (url: string) => string;
  /** Of what was told before, as it is stored. */
  readonly stored: (url: string) => string;
}

/** For callers within the service. */
export const AS_STORED: Links = { told: (url) => url, stored: (url) => url };

/** @param base of the service, without a slash at its end */
export const linksFrom = (base: string): Links => ({
  told: (url) => (isOwn(url) ? `${base}${url}` : url),
  stored: (url) => (url.startsWith(base) && isOwn(url.slice(base.length)) ? url.slice(base.length) : url),
});

const isOwn = (url: string): boolean => /^\/(?!\/)/.test(url);

export const told = (content: ContentRecord, links: Links): ContentRecord => ({
  ...content,
  url: links.told(content.url),
});
