import type { Service } from './ask.ts';

/** A service that runs somewhere. */
export interface Running {
  /** Like `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly key: string;
  /** Source groups that are searched; empty: all that the key may read. */
  readonly groups: readonly string[];
}

/** Asks over HTTP. @throws AskError */
export const overHttp = (running: Running): Service => {
  const within = running.groups.length > 0 && { source_group_ids: running.groups };
  return {
    search: async (query, mode, limit) => {
      const { results } = (await post(running, '/search', { query, mode, limit, ...within })) as SearchAnswer;
      return results.map(({ content }) => content.url ?? '');
    },
    answer: async (question) => {
      const messages = [{ role: 'user', content: question }];
      const { choices } = (await post(running, '/completions', { messages, ...within })) as CompletionAnswer;
      const [{ message, citations }] = choices;
      return { content: message.content, citations: citations.length };
    },
  };
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

const post = async ({ url, key }: Running, path: string, body: object): Promise<unknown> => {
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
