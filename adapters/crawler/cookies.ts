import { parseCookie } from 'undici';

/**
 * The cookies of one crawl (RFC 6265). Each goes back to the very host and port that set it and to no other, whatever its
 * domain attribute allows.
 */
export interface CookieJar {
  /** The Cookie header for a request of `url`, or null. */
  readonly headerFor: (url: URL) => string | null;
  /** Takes the Set-Cookie headers of an answer of `url`. */
  readonly take: (url: URL, headers: readonly string[]) => void;
}

interface Kept {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly secure: boolean;
  readonly expiresAt: number;
}

const MAX_COOKIES = 50;
const MAX_CHARACTERS = 4_096;

/** @param now Unix milliseconds */
export const createCookieJar = (now: () => number = Date.now): CookieJar => {
  const hosts = new Map<string, Map<string, Kept>>();
  return {
    headerFor: (url) => {
      const sent = [...(hosts.get(url.host)?.values() ?? [])]
        .filter(({ path, secure, expiresAt }) => {
          const isSafe = !secure || url.protocol === 'https:';
          return isSafe && expiresAt > now() && pathMatches(url.pathname, path);
        })
        .toSorted((one, other) => other.path.length - one.path.length);
      return sent.length === 0 ? null : sent.map(({ name, value }) => `${name}=${value}`).join('; ');
    },
    take: (url, headers) => {
      for (const header of headers) {
        const cookie = readCookie(url, header, now());
        if (cookie === null) continue;
        const cookies = hosts.get(url.host) ?? new Map<string, Kept>();
        hosts.set(url.host, cookies);
        const key = `${cookie.name};${cookie.path}`;
        cookies.delete(key);
        if (cookie.expiresAt > now() && cookies.size < MAX_COOKIES) cookies.set(key, cookie);
      }
    },
  };
};

const readCookie = (url: URL, header: string, now: number): Kept | null => {
  const cookie = header.length > MAX_CHARACTERS ? null : parseCookie(header);
  if (cookie === null || !SENDABLE.test(cookie.name + cookie.value)) return null;
  const { name, value, domain, maxAge, expires, secure = false } = cookie;
  if (domain !== undefined && !isWithin(url.hostname, domain)) return null;
  const expiresAt = maxAge !== undefined ? now + maxAge * 1_000 : (expires?.valueOf() ?? Infinity);
  const path = cookie.path?.startsWith('/') ? cookie.path : defaultPath(url.pathname);
  return { name, value, path, secure, expiresAt };
};

const SENDABLE = /^[\u0020-\u007e\u0080-\u00ff]+$/;

const isWithin = (hostname: string, domain: string): boolean => {
  const wanted = domain.replace(/^\./, '').toLowerCase();
  return hostname === wanted || hostname.endsWith(`.${wanted}`);
};

/** RFC 6265 section 5.1.4. */
const defaultPath = (pathname: string): string => pathname.slice(0, pathname.lastIndexOf('/')) || '/';
const pathMatches = (pathname: string, path: string): boolean =>
  pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
