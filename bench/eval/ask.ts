import { judged, type Outcome, pagesOf, placeOf } from './judge.ts';
import type { Question } from './questions.ts';

export interface Service {
  /** Like `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly key: string;
}
export interface Asking {
  readonly modes: readonly string[];
  /** Source groups that are searched; empty: all that the key may read. */
  readonly groups: readonly string[];
  /** Whether answers are judged beside searches. */
  readonly answers: boolean;
}

/** Contents that are asked for: enough that ten pages are among them, as a page has several. */
const DEPTH = 100;
/** A right page further down counts as not found. */
const PLACES = 10;

/** What came of a question, and what was seen of it, which is not kept. */
export interface Asked {
  readonly outcome: Outcome;
  readonly seen: {
    /** By mode, each page once, in the order in which they were found. */
    readonly pages: { readonly [mode: string]: readonly string[] };
    readonly answer?: string;
  };
}

/** Asks one question in each mode, and for its answer: what a client of the API would see. */
export const ask = async (service: Service, asking: Asking, question: Question): Promise<Asked> => {
  const { urls, answerable } = question;
  const within = asking.groups.length > 0 && { source_group_ids: asking.groups };
  const places: { [mode: string]: number | null } = {};
  const pages: { [mode: string]: readonly string[] } = {};
  for (const mode of urls.length > 0 ? asking.modes : []) {
    const body = { query: question.question, mode, limit: DEPTH, ...within };
    const { results } = (await post(service, '/search', body)) as SearchAnswer;
    pages[mode] = pagesOf(results.map(({ content }) => content.url ?? ''));
    const place = placeOf(pages[mode], urls);
    places[mode] = place !== null && place <= PLACES ? place : null;
  }
  const outcome = { question: question.question, answerable, ...(urls.length > 0 && { places }) };
  if (!asking.answers) return { outcome, seen: { pages } };
  const messages = [{ role: 'user', content: question.question }];
  const { choices } = (await post(service, '/completions', { messages, ...within })) as CompletionAnswer;
  const [{ message, citations }] = choices;
  const answer = judged(question, { content: message.content, citations: citations.length });
  return { outcome: { ...outcome, answer }, seen: { pages, answer: message.content } };
};

interface SearchAnswer {
  readonly results: readonly { readonly content: { readonly url: string | null } }[];
}
interface CompletionAnswer {
  readonly choices: readonly [
    { readonly message: { readonly content: string }; readonly citations: readonly unknown[] },
  ];
}

/** A service that cannot be asked. The message says what to do, and holds no key. */
export class AskError extends Error {
  override readonly name = 'AskError';
}

const post = async ({ url, key }: Service, path: string, body: object): Promise<unknown> => {
  const response = await fetch(`${url.replace(/\/$/, '')}/api/v1${path}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch((error: Error) => {
    const { code } = (error.cause ?? {}) as { readonly code?: string };
    throw new AskError(
      `${url} does not answer (${code ?? error.message}): start the service, or name it with --url`,
    );
  });
  const text = await response.text();
  if (!response.ok) throw new AskError(`POST ${path} answers ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
};
