import type { Dispatcher } from 'undici';
import type { WebSearch, WebResult, WebResults } from '../../../../application/ports/web-search.ts';
import { ask } from '../../../http-client/ask.ts';
import { InvalidResponse } from '../../../http-client/provider-response.ts';

const MAX_URL = 2_000;
const MAX_TITLE = 200;
const MAX_SNIPPET = 600;
const MAX_SUGGESTIONS = 10;

/** Control characters, and those that turn, hide or smuggle text: bidirectional marks, zero widths, tags. */
const UNSEEN = /[\p{Cc}\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu;
/** What engines mark their hits with; other signs of less and greater are left as they are. */
const MARKUP = /<\/?(?:b|em|strong|mark|span|i|br)(?:\s[^<>]{0,200})?\/?>/gi;

/** For how long SearXNG leaves out an engine that failed, at most: `max_ban_time_on_fail`. */
const MAX_BAN_MS = 120_000;

/**
 * Whether an answer without results can be believed. Engines that failed are left out of the next searches, and some
 * versions do not tell of those: their empty answers say nothing until there was a result again.
 */
const createEngineHealth = (now: () => number) => {
  let since = -Infinity;
  return {
    /** Takes note of an answer. @throws InvalidResponse where none of the engines has answered */
    hear: (results: number, silentEngines: number): void => {
      if (results > 0) since = -Infinity;
      else if (silentEngines > 0) since = now();
      if (now() - since < MAX_BAN_MS) throw new InvalidResponse('has no search engine that answers');
    },
  };
};

/**
 * Results of SearXNG's JSON, as far as they can be shown and quoted: others are left out. Fields that it has beside
 * these, or that have another type, count as absent.
 *
 * @throws InvalidResponse for what is no answer of SearXNG, and where none of its engines has answered
 */
const resultsOf = (
  answer: unknown,
  limit: number,
  engineHealth: ReturnType<typeof createEngineHealth>,
): Omit<WebResults, 'query'> => {
  const { results, suggestions, unresponsive_engines: silent } = fieldsOf(answer);
  if (!Array.isArray(results)) throw new InvalidResponse('sent JSON that holds no results');
  engineHealth.hear(results.length, Array.isArray(silent) ? silent.length : 0);
  const found = new Map<string, WebResult>();
  for (const result of results) {
    if (found.size >= limit) break;
    const shown = resultOf(fieldsOf(result));
    if (shown !== null && !found.has(shown.url)) found.set(shown.url, shown);
  }
  const proposed = Array.isArray(suggestions) ? suggestions.slice(0, MAX_SUGGESTIONS) : [];
  return {
    results: [...found.values()],
    suggestions: proposed.map((one) => lineOf(one, MAX_TITLE)).filter((text) => text !== ''),
  };
};

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

const resultOf = ({ url: address, title, content }: Fields): WebResult | null => {
  const url = urlOf(address);
  const snippet = lineOf(content, MAX_SNIPPET);
  if (url === null || snippet === '') return null;
  return { url: url.href, title: lineOf(title, MAX_TITLE) || url.hostname, snippet };
};

const urlOf = (text: unknown): URL | null => {
  const url = typeof text === 'string' && text.length <= MAX_URL ? URL.parse(text) : null;
  if (url === null || !(url.protocol === 'http:' || url.protocol === 'https:')) return null;
  url.username = '';
  url.password = '';
  return url.href.length <= MAX_URL ? url : null;
};

const lineOf = (text: unknown, most: number): string => {
  if (typeof text !== 'string') return '';
  const plain = text
    .slice(0, 20 * most)
    .replaceAll(MARKUP, '')
    .replaceAll(UNSEEN, (sign) => (/\s/.test(sign) ? ' ' : ''))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return (plain.length > most ? `${plain.slice(0, most - 1)}…` : plain).toWellFormed();
};

export interface SearxngOptions {
  readonly dispatcher: Dispatcher;
  /** Base of the instance, such as `https://search.example`; `/search` is put behind it. No credentials in it. */
  readonly url: string;
  /** For an instance behind a proxy that wants one. */
  readonly key?: string | undefined;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** For one try. Default: 4,000. */
  readonly timeoutMs?: number;
  /** Default: 2 MiB. */
  readonly maxBytes?: number;
  /** Milliseconds; default: the monotonic clock. */
  readonly now?: () => number;
}

/** Somebody waits for the answer. */
const RETRY = { attempts: 2, firstDelayMs: 250, maxDelayMs: 2_000 };
const TIMEOUT_MS = 4_000;
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * GET {base}/search?q=…&format=json of SearXNG, whose settings must allow the format `json` (it answers 403 else). The
 * pages that it finds are not fetched: what is known of them is what the engines show.
 *
 * A `!!` before a word would ask SearXNG to send us to another site, so it is left out of the query.
 */
export const createSearxngWebSearch = (options: SearxngOptions): WebSearch => {
  const { dispatcher, key, sleep, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = options;
  const engineHealth = createEngineHealth(options.now ?? (() => performance.now()));
  return {
    search: async (question, limit, signal) => {
      const query = question.replaceAll(/(?<!\S)!!+(?=\S)/g, '');
      const url = new URL(`${options.url.replace(/\/+$/, '')}/search`);
      url.searchParams.set('q', query);
      url.searchParams.set('format', 'json');
      const provider = { name: 'the web search provider', dispatcher, url, key, sleep, timeoutMs, maxBytes };
      const read = (answer: unknown) => resultsOf(answer, limit, engineHealth);
      return { query, ...(await ask({ ...provider, retry: RETRY }, undefined, read, signal)) };
    },
  };
};
