/**
 * URLs as the crawler knows them. `URL` (the WHATWG URL Standard) is a pure value: it lower-cases the host, drops
 * default ports, resolves dot segments and reads every spelling of an IP address as one.
 */

export type UrlRefusal = 'malformed' | 'scheme_not_allowed' | 'credentials_in_url' | 'url_too_long';

export type ParsedUrl =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: UrlRefusal };

/** The bound of `startUrl`, in characters; links are held to it too. */
export const MAX_URL_LENGTH = 2000;

/**
 * The canonical form of `text`, resolved against the absolute URL `base` where given: without a fragment, and nothing else rewritten.
 * Query parameters, their order and trailing slashes stay as they are, since each may select another resource.
 */
export const parseCrawlUrl = (text: string, base?: string): ParsedUrl => {
  // Longer texts (data: links mostly) are not worth parsing; blanks and `..` may still shorten a text below twice.
  if (text.length > 2 * MAX_URL_LENGTH) return { ok: false, reason: 'url_too_long' };
  const url = URL.parse(text, base);
  if (url === null) return { ok: false, reason: 'malformed' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { ok: false, reason: 'scheme_not_allowed' };
  if (url.username !== '' || url.password !== '') return { ok: false, reason: 'credentials_in_url' };
  if (url.href.includes('#')) url.hash = '';
  if (url.href.length > MAX_URL_LENGTH) return { ok: false, reason: 'url_too_long' };
  return { ok: true, url };
};

/** Why a URL is not fetched, in words for people: "an address …". */
export const refusedUrlInWords = (reason: UrlRefusal): string => {
  switch (reason) {
    case 'malformed':
      return 'an address that is no URL';
    case 'scheme_not_allowed':
      return 'an address that is neither http nor https';
    case 'credentials_in_url':
      return 'an address with a user name or a password';
    case 'url_too_long':
      return `an address of more than ${MAX_URL_LENGTH} characters`;
  }
};

/**
 * A text that should have been a URL, as it may be told: without user name and password (RFC 3986 section 3.2.1), cut
 * to `most` characters. Null where that cannot be made sure: a text that is no http or https URL shows what stands
 * before an `@` in many ways, so that one with an `@` is not told at all.
 */
export const tellableUrl = (text: string, base?: string, most = 200): string | null => {
  const url = text.length > 2 * MAX_URL_LENGTH ? null : URL.parse(text, base);
  if (url !== null && /^https?:$/.test(url.protocol)) {
    url.username = '';
    url.password = '';
    return url.href.slice(0, most);
  }
  return /@|%40/.test(text) ? null : text.slice(0, most);
};

/**
 * Whether two URLs belong to one site: the same origin, where on the default ports http and https, and the host with
 * and without `www.`, count as one. Sites link to themselves in all four forms and answer most of them by redirect.
 * With an explicit port the origins must be equal.
 */
export const sameSite = (one: URL, other: URL): boolean => siteKey(one) === siteKey(other);

const siteKey = (url: URL): string =>
  url.port === '' ? url.hostname.replace(/^www\./, '') : `${url.protocol}//${url.host}`;

/**
 * The URL under which a page is kept, so that one page never becomes two sources: its declared canonical URL, if that
 * is a URL of the same site; else the URL that answered. A canonical URL of another site is not believed.
 *
 * @param declared `rel=canonical` of the page, absolute, or null
 */
export const pageIdentity = (answered: URL, declared: string | null, noCanonicalCheck: boolean): URL => {
  if (declared === null || noCanonicalCheck) return answered;
  const canonical = parseCrawlUrl(declared);
  return canonical.ok && sameSite(canonical.url, answered) ? canonical.url : answered;
};
