import type { Dispatcher } from 'undici';
import type { WebSearch } from '../../../../application/ports/web-search.ts';
import { ask } from '../../../http-client/ask.ts';
import { createSilence, resultsOf } from './results.ts';

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
const RETRY = { tries: 2, firstDelayMs: 250, maxDelayMs: 2_000 };
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
  const silence = createSilence(options.now ?? (() => performance.now()));
  return {
    search: async (question, limit, signal) => {
      const query = question.replaceAll(/(?<!\S)!!+(?=\S)/g, '');
      const url = new URL(`${options.url.replace(/\/+$/, '')}/search`);
      url.searchParams.set('q', query);
      url.searchParams.set('format', 'json');
      const provider = { name: 'the web search provider', dispatcher, url, key, sleep, timeoutMs, maxBytes };
      const read = (answer: unknown) => resultsOf(answer, limit, silence);
      return { query, ...(await ask({ ...provider, retry: RETRY }, undefined, read, signal)) };
    },
  };
};
