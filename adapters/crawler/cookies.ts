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
  /** All cookies of the host of `url`, for a browser that opens it. */
  readonly of: (url: URL) => readonly Cookie[];
  /** Takes what a browser that was given `before` has `after` of the host of `url`. */
  readonly takeBack: (url: URL, before: readonly Cookie[], after: readonly Cookie[]) => void;
}

export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  /** Unix milliseconds; null: none. */
  readonly expiresAt: number | null;
}

const MAX_COOKIES = 50;
const MAX_CHARACTERS = 4_096;

/** The jar of a session (see `PageRequest`). It is forgotten with the session. */
export type JarOf = (session?: object) => CookieJar;

export const createCookieJars = (): JarOf => {
  const jars = new WeakMap<object, CookieJar>();
  return (session = {}) => {
    const jar = jars.get(session) ?? createCookieJar();
    jars.set(session, jar);
    return jar;
  };
};

/** What a server sees of a request: only the same URL with the same cookies is the same request. */
export const requestKey = (url: URL, jar: Pick<CookieJar, 'headerFor'>): string =>
  `${url.href} ${jar.headerFor(url) ?? ''}`;

/** @param now Unix milliseconds */
const createCookieJar = (now: () => number = Date.now): CookieJar => {
  const hosts = new Map<string, Map<string, Cookie>>();
  const isOver = ({ expiresAt }: Cookie): boolean => expiresAt !== null && expiresAt <= now();
  const cookiesOf = (url: URL): readonly Cookie[] =>
    [...(hosts.get(url.host)?.values() ?? [])].filter((cookie) => !isOver(cookie));
  const put = (url: URL, cookie: Cookie): void => {
    const cookies = hosts.get(url.host) ?? new Map<string, Cookie>();
    hosts.set(url.host, cookies);
    cookies.delete(keyOf(cookie));
    if (!isOver(cookie) && cookies.size < MAX_COOKIES) cookies.set(keyOf(cookie), cookie);
  };
  return {
    of: cookiesOf,
    headerFor: (url) => {
      const sent = cookiesOf(url)
        .filter(({ path, secure }) => {
          const isSafe = !secure || url.protocol === 'https:';
          return isSafe && pathMatches(url.pathname, path);
        })
        .toSorted((one, other) => other.path.length - one.path.length);
      return sent.length === 0 ? null : sent.map(({ name, value }) => `${name}=${value}`).join('; ');
    },
    take: (url, headers) => {
      for (const header of headers) {
        const cookie = readCookie(url, header, now());
        if (cookie !== null) put(url, cookie);
      }
    },
    takeBack: (url, before, after) => {
      const had = new Map(before.map((cookie) => [keyOf(cookie), cookie.value]));
      const has = new Set(after.map(keyOf));
      for (const cookie of before) if (!has.has(keyOf(cookie))) put(url, { ...cookie, expiresAt: 0 });
      for (const cookie of after) {
        if (had.get(keyOf(cookie)) !== cookie.value && isSendable(cookie)) put(url, cookie);
      }
    },
  };
};

const keyOf = ({ name, path }: Cookie): string => `${name};${path}`;
const isSendable = ({ name, value }: Pick<Cookie, 'name' | 'value'>): boolean =>
  name.length + value.length <= MAX_CHARACTERS && SENDABLE.test(name + value);

const readCookie = (url: URL, header: string, now: number): Cookie | null => {
  const cookie = header.length > MAX_CHARACTERS ? null : parseCookie(header);
  if (cookie === null || !isSendable(cookie)) return null;
  const { name, value, domain, maxAge, expires, secure = false, httpOnly = false } = cookie;
  if (domain !== undefined && !isWithin(url.hostname, domain)) return null;
  const expiresAt = maxAge !== undefined ? now + maxAge * 1_000 : (expires?.valueOf() ?? null);
  const path = cookie.path?.startsWith('/') ? cookie.path : defaultPath(url.pathname);
  return { name, value, path, secure, httpOnly, expiresAt };
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
