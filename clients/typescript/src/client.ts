import { errorOf, KnowledgerError } from './errors.ts';
import { eventsOf, type ServerEvent } from './server-events.ts';
import type { Operations } from './types.ts';

export interface ClientOptions {
  /** Where the service is, such as `https://knowledge.example.com`. */
  readonly url: string;
  readonly key: string;
  /** Instead of the platform's own. */
  readonly fetch?: typeof fetch;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type PathsOf<M extends Method> = keyof Operations extends infer Name
  ? Name extends `${M} ${infer Path}`
    ? Path
    : never
  : never;
type OperationOf<M extends Method, Path extends string> = Operations[`${M} ${Path}` & keyof Operations];
type Needed<Name extends string, Value> = {} extends Value
  ? { readonly [_ in Name]?: Value }
  : { readonly [_ in Name]: Value };
type RequestOf<Operation extends Operations[keyof Operations]> = Needed<'path', Operation['path']> &
  Needed<'query', Operation['query']> &
  (Operation['body'] extends undefined ? object : { readonly body?: Operation['body'] }) & {
    readonly signal?: AbortSignal;
    readonly headers?: Readonly<Record<string, string>>;
  };
type ArgumentsOf<M extends Method, Path extends string> =
  {} extends RequestOf<OperationOf<M, Path>>
    ? [request?: RequestOf<OperationOf<M, Path>>]
    : [request: RequestOf<OperationOf<M, Path>>];

type QueryValue = string | number | boolean | undefined;

/** Any request, before its operation is known. */
interface Asked {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Client = ReturnType<typeof createClient>;

/** Waits between attempts of a stream that broke, in milliseconds: the first and the longest. */
const [FIRST_MS, LONGEST_MS] = [500, 15_000];

/** A client of one service, with one key. Its methods throw `KnowledgerError` for answers that are no success. */
export const createClient = ({ url, key, fetch: send = fetch }: ClientOptions) => {
  const base = `${url.replace(/\/+$/, '')}/api/v1`;
  const raw = async (method: Method, path: string, asked: Asked = {}): Promise<Response> => {
    const response = await send(`${base}${fill(path, asked.path)}${queryOf(asked.query)}`, {
      method,
      headers: {
        'x-api-key': key,
        ...(asked.body !== undefined &&
          !(asked.body instanceof FormData) && { 'content-type': 'application/json' }),
        ...asked.headers,
      },
      ...(asked.body !== undefined && {
        body: asked.body instanceof FormData ? asked.body : JSON.stringify(asked.body),
      }),
      ...(asked.signal !== undefined && { signal: asked.signal }),
    });
    if (!response.ok) throw await errorOf(response);
    return response;
  };
  const ask =
    <M extends Method>(method: M) =>
    async <Path extends PathsOf<M> & string>(
      path: Path,
      ...[asked]: ArgumentsOf<M, Path>
    ): Promise<OperationOf<M, Path>['answer']> => {
      const response = await raw(method, path, asked);
      return (await response.json()) as OperationOf<M, Path>['answer'];
    };
  return {
    get: ask('GET'),
    post: ask('POST'),
    put: ask('PUT'),
    delete: ask('DELETE'),
    /** The response as it is, for bytes and streams; its body may be JSON or a form. */
    raw,
    /** For requests that a caller sends by other means than `fetch`. */
    base,
    headers: { 'x-api-key': key },
    /** The server-sent events of one answer, such as a completion: it ends with the answer, and is not resumed. */
    async *stream<Data>(method: Method, path: string, asked: Asked): AsyncGenerator<ServerEvent<Data>> {
      const headers = { ...asked.headers, accept: 'text/event-stream' };
      const response = await raw(method, path, { ...asked, headers });
      yield* eventsOf<Data>(response.body!);
    },
    /**
     * Follows a stream of server-sent events from `after`, or from its beginning, until `signal` aborts. One that
     * breaks is resumed behind the last event; one that the server ended because all is told ends.
     */
    async *follow<Data>(
      path: string,
      asked: Asked & { readonly signal: AbortSignal; readonly after?: string },
    ): AsyncGenerator<ServerEvent<Data>> {
      let last = asked.after;
      for (let wait = FIRST_MS; !asked.signal.aborted; wait = Math.min(wait * 2, LONGEST_MS)) {
        try {
          const headers = {
            ...asked.headers,
            accept: 'text/event-stream',
            ...(last !== undefined && { 'last-event-id': last }),
          };
          const response = await raw('GET', path, { ...asked, headers });
          // All is told: a stream is not asked for again (HTML Standard, 9.2.3).
          if (response.status === 204) return;
          for await (const event of eventsOf<Data>(response.body!)) {
            last = event.id ?? last;
            wait = FIRST_MS;
            yield event;
          }
          return;
        } catch (error) {
          if (asked.signal.aborted) return;
          if (error instanceof KnowledgerError && !error.isTemporary) throw error;
        }
        await pause(wait, asked.signal);
      }
    },
  };
};

const fill = (path: string, parameters: Readonly<Record<string, string>> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));

const queryOf = (query: NonNullable<Asked['query']> = {}): string => {
  const set = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined && one !== '') set.append(name, String(one));
  return set.size === 0 ? '' : `?${set.toString()}`;
};

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
