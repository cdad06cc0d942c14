import { errorOf } from './errors.ts';
import { eventsOf, type ServerEvent } from './server-events.ts';
import { sendForm } from './send-form.ts';
import type {
  AnswerOf,
  ArgumentsOf,
  ItemOf,
  ListPath,
  Method,
  PathsOf,
  WorkOf,
  WorkPath,
} from './operations.ts';
import { KEYED } from './types.ts';
import { grownMs, pause, waitMs } from './waits.ts';

export interface ClientOptions {
  /** Where the service is, such as `https://knowledge.example.com`. */
  readonly url: string;
  /** An API key; or what gives the token of somebody who signed in, called for each request. */
  readonly key: string | (() => Promise<string>);
  /** Instead of the platform's own. */
  readonly fetch?: typeof fetch;
  /** How often a request is sent at most where it fails for a time; 4 unless told. */
  readonly attempts?: number;
  /**
   * Whether a read waits until it shows the writes of this client, 2 s at most for each attempt: true unless told.
   * Without, a read may show the state of a moment before.
   */
  readonly readsOwnWrites?: boolean;
}

const UNDER_WAY: ReadonlySet<string> = new Set(
  'queued not_started starting started managed canceling deleting QUEUED RUNNING CANCELLING'.split(' '),
);

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

/**
 * A client of one service, with one key. Its methods throw `KnowledgerError` for answers that are no success, the
 * reason of `signal` once that aborts, and what `fetch` throws where the service cannot be reached.
 *
 * What fails for a time (429, 502 to 504, a lost connection) is sent again, after the time that the service asks for or
 * a growing one: reads, PUT and DELETE as they are, creations with one `Idempotency-Key` for all attempts. A POST that
 * cannot be told apart from a second one, such as the rotation of a key, is sent again only where the service has
 * refused it.
 */
export const createClient = ({
  url,
  key,
  fetch: send = fetch,
  attempts = 4,
  readsOwnWrites = true,
}: ClientOptions) => {
  const base = `${url.replace(/\/+$/, '')}/api/v1`;
  let written = '';

  const request = async (
    method: Method,
    path: string,
    asked: Asked,
  ): Promise<[url: string, init: RequestInit]> => {
    const { body, signal } = asked;
    const isForm = body instanceof FormData;
    const headers = {
      ...(typeof key === 'string' ? { 'x-api-key': key } : { authorization: `Bearer ${await key()}` }),
      ...(isKeyed(method, path) && !namesKey(body) && { 'idempotency-key': randomKey() }),
      ...(readsOwnWrites && written !== '' && { 'x-min-position': written }),
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...asked.headers,
    };
    return [
      `${base}${fill(path, asked.path)}${queryOf(asked.query)}`,
      {
        method,
        headers,
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
        ...(signal !== undefined && { signal }),
      },
    ];
  };

  const answered = async (response: Response): Promise<Response> => {
    if (!response.ok) throw await errorOf(response);
    // Positions compare as texts.
    const position = response.headers.get('x-position') ?? '';
    if (position > written) written = position;
    return response;
  };

  /** @param read  the body, so that one that breaks off counts as a failure of its request */
  const exchange = async <Result>(
    method: Method,
    path: string,
    asked: Asked,
    read: (response: Response) => Promise<Result> | Result,
    sendOnce: typeof fetch = send,
  ): Promise<Result> => {
    const [to, init] = await request(method, path, asked);
    const isRepeatable =
      method !== 'POST' ||
      isKeyed(method, path) ||
      'idempotency-key' in init.headers! ||
      SAFE_POSTS.has(path);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await read(await answered(await sendOnce(to, init)));
      } catch (error) {
        const wait = waitMs(error, attempt, isRepeatable);
        if (wait === null || attempt >= attempts || asked.signal?.aborted === true) throw error;
        await pause(wait, asked.signal);
        asked.signal?.throwIfAborted();
      }
    }
  };

  const ask =
    <M extends Method>(method: M) =>
    <Path extends PathsOf<M> & string>(
      path: Path,
      ...[asked]: ArgumentsOf<M, Path>
    ): Promise<AnswerOf<M, Path>> =>
      exchange(
        method,
        path,
        (asked ?? {}) as Asked,
        (response) => response.json() as Promise<AnswerOf<M, Path>>,
      );

  return {
    get: ask('GET'),
    post: ask('POST'),
    put: ask('PUT'),
    delete: ask('DELETE'),

    /** The response as it is, for bytes and streams; its body may be JSON or a form. */
    raw: (method: Method, path: string, asked: Asked = {}): Promise<Response> =>
      exchange(method, path, asked, (response) => response),

    /**
     * All records of a list, page by page, in its order. A page that cannot be had is an error, never the end: nothing
     * is left out. `limit` of the query is the size of a page.
     */
    async *all<Path extends ListPath>(
      path: Path,
      ...[asked]: ArgumentsOf<'GET', Path>
    ): AsyncGenerator<ItemOf<AnswerOf<'GET', Path>>> {
      const { query, ...rest } = (asked ?? {}) as Asked;
      for (let next: string | undefined; ;) {
        const from = next === undefined ? {} : { after: undefined, after_position: undefined, next_id: next };
        const page = await exchange(
          'GET',
          path,
          { ...rest, query: { ...query, ...from } },
          (response) => response.json() as Promise<Page>,
        );
        const { robots_blocked: _, ...told } = page;
        yield* Object.values<unknown>(told).find(Array.isArray) as ItemOf<AnswerOf<'GET', Path>>[];
        next = page.pagination.has_more ? page.pagination.next_id : undefined;
        if (next === undefined) return;
      }
    },

    /**
     * Waits until the job of a data source or the run of an agent is over, however it ended: its `status` tells.
     *
     * @param list  its list, such as `/crawls` or `/agent/runs`
     * @param query  that of its record, such as the principal on whose behalf it is read
     * @param onProgress  called with each record on the way, once a second at most
     * @throws KnowledgerError  `not_found` once it is deleted
     */
    async waitFor<List extends WorkPath>(
      list: List,
      id: string,
      {
        onProgress,
        ...more
      }: Pick<Asked, 'query' | 'signal'> & { readonly onProgress?: (record: WorkOf<List>) => void } = {},
    ): Promise<WorkOf<List>> {
      const asked = { path: { id }, ...more };
      for (let wait = 100; ; wait = Math.min(2 * wait, 1_000)) {
        const record = await exchange(
          'GET',
          `${list}/{id}`,
          asked,
          (response) => response.json() as Promise<WorkOf<List>>,
        );
        if (!UNDER_WAY.has((record as { readonly status: string }).status)) return record;
        onProgress?.(record);
        await pause(wait, more.signal);
        more.signal?.throwIfAborted();
      }
    },

    /**
     * Sends a form with files, and tells how many bytes of it have gone.
     *
     * @param path  `/local-file-groups`, or `/local-file-groups/{id}/files`
     */
    upload: <Path extends '/local-file-groups' | '/local-file-groups/{id}/files'>(
      path: Path,
      form: FormData,
      {
        onProgress,
        ...asked
      }: Omit<Asked, 'body' | 'query'> & { readonly onProgress?: (sent: number, total: number) => void } = {},
    ): Promise<AnswerOf<'POST', Path>> =>
      exchange(
        'POST',
        path,
        { ...asked, body: form },
        (response) => response.json() as Promise<AnswerOf<'POST', Path>>,
        onProgress === undefined ? send : sendForm(send, onProgress),
      ),

    /** The server-sent events of one answer, such as a completion: it ends with the answer, and is not resumed. */
    async *stream<Data>(method: Method, path: string, asked: Asked): AsyncGenerator<ServerEvent<Data>> {
      const headers = { ...asked.headers, accept: 'text/event-stream' };
      const response = await exchange(method, path, { ...asked, headers }, (opened) => opened);
      yield* eventsOf<Data>(response.body!);
    },

    /**
     * Follows a stream of server-sent events from `after`, or from its beginning, until `signal` aborts. One that
     * breaks or ends is resumed behind the last event, until the service says that all is told.
     */
    async *follow<Data>(
      path: string,
      asked: Asked & { readonly signal: AbortSignal; readonly after?: string },
    ): AsyncGenerator<ServerEvent<Data>> {
      let last = asked.after;
      for (let attempt = 1; !asked.signal.aborted; attempt += 1) {
        let wait: number | null;
        try {
          const headers = {
            ...asked.headers,
            accept: 'text/event-stream',
            ...(last !== undefined && { 'last-event-id': last }),
          };
          const response = await answered(await send(...(await request('GET', path, { ...asked, headers }))));
          // All is told: a stream is not asked for again (HTML Standard, 9.2.3).
          if (response.status === 204) return;
          const passed = (id: string): void => {
            last = id;
          };
          for await (const event of eventsOf<Data>(response.body!, passed)) {
            last = event.id ?? last;
            attempt = 0;
            yield event;
          }
          // The service stops, or all is told: the next answer says so.
          wait = grownMs(attempt);
        } catch (error) {
          if (asked.signal.aborted) return;
          wait = waitMs(error, attempt, true);
          if (wait === null) throw error;
        }
        await pause(wait, asked.signal);
      }
    },
  };
};

interface Page {
  /** Addresses, beside the errors of a crawl. */
  readonly robots_blocked?: unknown;
  readonly pagination: { readonly has_more: boolean; readonly next_id?: string };
}

const isKeyed = (method: Method, path: string): boolean => KEYED.has(`${method} ${path}`);
/** Runs of agents take the key in their body too, and not two of them. */
const namesKey = (body: unknown): boolean =>
  ((body as { readonly idempotency_key?: unknown } | null | undefined)?.idempotency_key ?? null) !== null;

/** POST operations that change nothing. */
const SAFE_POSTS: ReadonlySet<string> = new Set(['/search', '/query', '/extract', '/scrape']);

/** `crypto.randomUUID` is missing in pages that come without TLS. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

const fill = (path: string, parameters: Readonly<Record<string, string>> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));

const queryOf = (query: NonNullable<Asked['query']> = {}): string => {
  const set = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    // Without the parameter the service would answer everything.
    if (Array.isArray(value) && value.length === 0)
      throw new TypeError(`${name} of the query is an empty list: name at least one, or leave it out`);
    for (const one of [value].flat()) if (one !== undefined) set.append(name, String(one));
  }
  return set.size === 0 ? '' : `?${set.toString()}`;
};
