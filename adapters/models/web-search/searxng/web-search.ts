import type { Dispatcher } from 'undici';
import type { WebSearch, WebResult, WebResults } from '../../../../application/ports/web-search.ts';
import { ask } from '../../../http-client/ask.ts';
import { InvalidResponse } from '../../../http-client/provider-response.ts';

const MAX_URL = 2_000;
const MAX_TITLE = 200;
const MAX_SNIPPET = 600;
const MAX_SUGGESTIONS = 10;

/** Control characters, and characters that reorder, hide or smuggle text: bidirectional marks, zero widths, tags. */
const INVISIBLE = /[\p{Cc}\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu;
/** Tags with which engines mark their hits; other angle brackets are kept. */
const MARKUP = /<\/?(?:b|em|strong|mark|span|i|br)(?:\s[^<>]{0,200})?\/?>/gi;

/** The longest time for which SearXNG suspends a failed engine: `max_ban_time_on_fail`. */
const MAX_BAN_MS = 120_000;

/**
 * Decides whether a response without results can be trusted. Failed engines are suspended from the next searches, and
 * some versions do not report them: empty responses then mean nothing until there was a result again.
 */
const createEngineHealth = (now: () => number) => {
  let since = -Infinity;
  return {
    /** Records a response. @throws InvalidResponse when no engine has answered */
    record: (results: number, silentEngines: number): void => {
      if (results > 0) since = -Infinity;
      else if (silentEngines > 0) since = now();
      if (now() - since < MAX_BAN_MS) throw new InvalidResponse('has no search engine that answers');
    },
  };
};

/**
 * The results in SearXNG's JSON that can be shown and quoted; others are dropped. Unknown fields and fields of another
 * type count as absent.
 *
 * @throws InvalidResponse when the response is not from SearXNG, or when none of its engines has answered
 */
const resultsOf = (
  answer: unknown,
  limit: number,
  engineHealth: ReturnType<typeof createEngineHealth>,
): Omit<WebResults, 'query'> => {
  const { results, suggestions, unresponsive_engines: silent } = fieldsOf(answer);
  if (!Array.isArray(results)) throw new InvalidResponse('sent JSON without results');
  engineHealth.record(results.length, Array.isArray(silent) ? silent.length : 0);
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
    .replaceAll(INVISIBLE, (sign) => (/\s/.test(sign) ? ' ' : ''))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return (plain.length > most ? `${plain.slice(0, most - 1)}…` : plain).toWellFormed();
};

export interface SearxngOptions {
  readonly dispatcher: Dispatcher;
  /** Base URL of the instance, such as `https://search.example`; the client appends `/search`. Without credentials. */
  readonly url: string;
  /** For an instance behind a proxy that requires one. */
  readonly key?: string | undefined;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Timeout of one attempt. Default: 4,000. */
  readonly timeoutMs?: number;
  /** Default: 2 MiB. */
  readonly maxBytes?: number;
  /** Milliseconds; default: the monotonic clock. */
  readonly now?: () => number;
}

/** Few, short retries: a client waits for the answer. */
const RETRY = { attempts: 2, firstDelayMs: 250, maxDelayMs: 2_000 };
const TIMEOUT_MS = 4_000;
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * Calls GET {base}/search?q=…&format=json of SearXNG, whose settings must allow the format `json` (else it returns
 * 403). The pages found are not fetched: only the engines' snippets are used. `!!` before a word would make SearXNG
 * redirect to another site, so it is removed from the query.
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
