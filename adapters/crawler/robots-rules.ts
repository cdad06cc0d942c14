/** The rules of a robots.txt for one robot. */
export interface RobotsRules {
  /** @param path path and query of a URL, percent-encoded as `URL` writes it */
  readonly allows: (path: string) => boolean;
  /** Milliseconds, or null. Not part of RFC 9309, but widely sent. */
  readonly crawlDelayMs: number | null;
  readonly sitemaps: readonly string[];
}

interface Rule {
  readonly allow: boolean;
  /** The literal parts between the `*` of the pattern. */
  readonly parts: readonly string[];
  /** `$` at the end of the pattern. */
  readonly anchored: boolean;
  readonly length: number;
}
interface Group {
  readonly agents: string[];
  readonly rules: Rule[];
  crawlDelayMs: number | null;
}

const MAX_SITEMAPS = 100;
const MAX_RULES = 5_000;
/** URLs are never longer (see `parseCrawlUrl`), so a longer pattern matches nothing. */
const MAX_PATTERN = 2_000;

/**
 * Parses robots.txt as RFC 9309 says: the groups that name `robot`, else those of `*`, are combined; the longest
 * matching pattern decides, and at equal length the one that allows. Matching takes time linear in the pattern, unlike
 * a regular expression or a state table: the site controls both the patterns and the URLs.
 *
 * @param robot product token in lower case; the name in it is what the file can address: `bot2` is `bot` there
 */
export const parseRobots = (text: string, robot: string): RobotsRules => {
  const { groups, sitemaps } = parseGroups(text);
  const naming = (name: string): Group[] => groups.filter(({ agents }) => agents.includes(name));
  const name = agentName(robot);
  const own = name === '' ? [] : naming(name);
  const applying = own.length > 0 ? own : naming('*');
  const rules = applying
    .flatMap((group) => group.rules)
    .toSorted((one, other) => other.length - one.length || Number(other.allow) - Number(one.allow))
    .slice(0, MAX_RULES);
  const delays = applying.flatMap(({ crawlDelayMs }) => (crawlDelayMs === null ? [] : [crawlDelayMs]));
  return {
    allows: (path) => {
      const normal = normalPath(path);
      if (normal === '/robots.txt') return true;
      return rules.find((rule) => matches(rule, normal))?.allow ?? true;
    },
    crawlDelayMs: delays.length === 0 ? null : Math.max(...delays),
    sitemaps: sitemaps.slice(0, MAX_SITEMAPS),
  };
};

/** Rules that allow or disallow everything. */
export const sameForAll = (allowed: boolean): RobotsRules => ({
  allows: () => allowed,
  crawlDelayMs: null,
  sitemaps: [],
});

const parseGroups = (
  text: string,
): { readonly groups: readonly Group[]; readonly sitemaps: readonly string[] } => {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let group: Group | null = null;
  let naming = false;
  for (const { key, value } of records(text)) {
    if (key === 'user-agent') {
      // Consecutive names share the rules that follow; a name after a rule opens a new group.
      if (group === null || !naming) groups.push((group = { agents: [], rules: [], crawlDelayMs: null }));
      group.agents.push(agentName(value));
      naming = true;
    } else if (key === 'sitemap') {
      sitemaps.push(value); // belongs to no group
    } else if (key === 'allow' || key === 'disallow' || key === 'crawl-delay') {
      naming = false;
      if (group !== null) addRecord(group, key, value);
    }
  }
  return { groups, sitemaps };
};

function* records(text: string): Generator<{ readonly key: string; readonly value: string }> {
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const record = line.split('#', 1)[0] ?? '';
    const colon = record.indexOf(':');
    if (colon === -1) continue;
    yield { key: record.slice(0, colon).trim().toLowerCase(), value: record.slice(colon + 1).trim() };
  }
}

/** A version or comment after the name is ignored: `knowledgerbot/2.0` names `knowledgerbot`. */
const agentName = (value: string): string =>
  value.startsWith('*') ? '*' : (/^[a-z_-]*/i.exec(value)?.[0].toLowerCase() ?? '');

const addRecord = (group: Group, key: 'allow' | 'disallow' | 'crawl-delay', value: string): void => {
  if (key === 'crawl-delay') {
    const seconds = Number(value);
    if (value !== '' && seconds >= 0 && Number.isFinite(seconds)) group.crawlDelayMs = seconds * 1000;
    return;
  }
  if (value === '' || value.length > MAX_PATTERN) return;
  const anchored = value.endsWith('$');
  const pattern = normalPath(anchored ? value.slice(0, -1) : value);
  group.rules.push({ allow: key === 'allow', parts: pattern.split(/\*+/), anchored, length: value.length });
};

/**
 * Normalises percent-encoding on both sides: non-ASCII letters are encoded, unreserved characters decoded, hex in upper
 * case.
 */
const normalPath = (path: string): string =>
  path
    .toWellFormed()
    .replace(/[^\p{ASCII}]+/gu, encodeURIComponent)
    .replace(/%[0-9a-f]{2}/gi, (code) => {
      const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[A-Za-z0-9._~-]/.test(letter) ? letter : code.toUpperCase();
    });

/**
 * The first part must match at the start; each further part matches at its earliest position after the previous part.
 */
const matches = ({ parts, anchored }: Rule, path: string): boolean => {
  const [first = '', ...rest] = parts;
  if (!path.startsWith(first)) return false;
  let end = first.length;
  const last = anchored ? rest.pop() : undefined;
  for (const part of rest) {
    const found = path.indexOf(part, end);
    if (found === -1) return false;
    end = found + part.length;
  }
  if (!anchored) return true;
  if (last === undefined) return end === path.length;
  return path.length - last.length >= end && path.endsWith(last);
};

export interface RobotsDirectives {
  readonly noindex: boolean;
  readonly nofollow: boolean;
}

const NO_DIRECTIVES: RobotsDirectives = { noindex: false, nofollow: false };

/** The product token of a User-Agent, in lower case: the name that robots.txt and robots metas use for a robot. */
export const productToken = (userAgent: string): string =>
  /^[^\s/]*/.exec(userAgent)?.[0].toLowerCase() ?? '';

/** Parses the content of a robots meta element: `noindex, nofollow` or `none`; ignores case and other words. */
const parseDirectives = (content: string): RobotsDirectives => {
  const words = content.toLowerCase().split(/[\s,;]+/);
  const none = words.includes('none');
  return { noindex: none || words.includes('noindex'), nofollow: none || words.includes('nofollow') };
};

/**
 * Parses the `X-Robots-Tag` header: directives for every robot, or after `name:` for that robot alone. The fields of a
 * repeated header are joined by commas, so that a name applies until the next name.
 */
export const parseRobotsTag = (header: string | null, robot: string): RobotsDirectives => {
  if (header === null) return NO_DIRECTIVES;
  let applies = true;
  const applying: string[] = [];
  for (const part of header.toLowerCase().split(',')) {
    const named = /^\s*([a-z][a-z0-9_-]*)\s*:(.*)$/.exec(part);
    // Directives such as `unavailable_after: <date>` have a value; they are not robot names.
    const name = named?.[1];
    if (name !== undefined && !/^(?:unavailable_after|max-.*)$/.test(name)) applies = name === robot;
    if (applies) applying.push(named?.[2] ?? part);
  }
  return parseDirectives(applying.join(','));
};
