import type { Credential, Credentials } from '../../../application/ports/secrets.ts';
import { SourceRefused } from '../../../application/sources/ingestion/listed/listed-source.ts';
import { snakeKeys } from '../../../domain/shared/key-case.ts';

import { InvalidResponse } from '../../http-client/provider-response.ts';
import { type Authorization, isRejection } from '../credentials/authorization.ts';
import type { ProviderClient } from '../../http-client/client.ts';
import type { ProviderRequest } from '../../http-client/follow.ts';
import {
  type WikiBlock,
  type WikiDatabase,
  type WikiPage,
  blockIn,
  databaseIn,
  fields,
  idIn,
  items,
  pageIn,
} from './objects.ts';

/** Pinned API version: later ones may change the responses. */
const VERSION = '2026-03-11';
/** The maximum page size of the API. */
const PAGE_SIZE = 100;
const MAX_BYTES = 32 * 1024 ** 2;

export interface RowQuery {
  readonly dataSourceId: string;
  readonly cursor: string | null;
  /** ISO 8601: rows that were created then or later. */
  readonly since: string | null;
}

export interface RowsPage {
  readonly rows: readonly WikiPage[];
  /** Databases among the rows. */
  readonly dataSources: readonly string[];
  readonly next: string | null;
  /** There are more rows than a query returns. */
  readonly isCut: boolean;
}

/** The API of the wiki. Throws what `ProviderClient.ask` throws. Ids are untrusted, so they are encoded. */
export interface WikiApi {
  readonly page: (id: string, signal: AbortSignal) => Promise<WikiPage>;
  readonly database: (id: string, signal: AbortSignal) => Promise<WikiDatabase>;
  readonly block: (id: string, signal: AbortSignal) => Promise<WikiBlock>;
  /** All direct children of this block or page, up to `most`: one request per hundred. */
  readonly children: (id: string, most: number, signal: AbortSignal) => Promise<readonly WikiBlock[]>;
  /** In order of creation. */
  readonly rows: (query: RowQuery, signal: AbortSignal) => Promise<RowsPage>;
}

interface WikiApiOptions {
  readonly client: ProviderClient;
  /** With a trailing slash. */
  readonly base: URL;
  readonly authorization: Authorization;
  readonly pace: RateLimiter;
}

export const createWikiApi = (options: WikiApiOptions): WikiApi => {
  const ask = <T>(path: string, take: (json: unknown) => T, signal: AbortSignal, body?: object): Promise<T> =>
    asked(options, path, take, signal, body);
  return {
    page: (id, signal) => ask(`pages/${encodeURIComponent(id)}`, pageIn, signal),
    database: (id, signal) => ask(`databases/${encodeURIComponent(id)}`, databaseIn, signal),
    block: (id, signal) => ask(`blocks/${encodeURIComponent(id)}`, blockIn, signal),
    children: async (id, most, signal) => {
      const blocks: WikiBlock[] = [];
      for (let cursor: string | null = null; ;) {
        const from: string = cursor === null ? '' : `&start_cursor=${encodeURIComponent(cursor)}`;
        const path = `blocks/${encodeURIComponent(id)}/children?page_size=${PAGE_SIZE}${from}`;
        const page = await ask(path, listIn, signal);
        blocks.push(...page.results.map(blockIn).filter(({ inTrash }) => !inTrash));
        if (page.next === null || blocks.length > most) return blocks;
        cursor = page.next;
      }
    },
    rows: ({ dataSourceId, cursor, since }, signal) => {
      const body = {
        pageSize: PAGE_SIZE,
        sorts: [{ timestamp: 'created_time', direction: 'ascending' }],
        ...(cursor !== null && { startCursor: cursor }),
        ...(since !== null && { filter: { timestamp: 'created_time', createdTime: { onOrAfter: since } } }),
      };
      return ask(`data_sources/${encodeURIComponent(dataSourceId)}/query`, rowsIn, signal, body);
    },
  };
};

const asked = async <T>(
  { client, base, authorization, pace }: WikiApiOptions,
  path: string,
  take: (json: unknown) => T,
  signal: AbortSignal,
  body?: object,
): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    const request: ProviderRequest = {
      url: new URL(path, base),
      headers: { 'notion-version': VERSION },
      secretHeaders: await authorization.headers(signal),
      maxBytes: MAX_BYTES,
      ...(body !== undefined && { body: snakeKeys(body) as object }),
    };
    await pace(signal);
    try {
      return await client.json(request, take, signal);
    } catch (error) {
      const mayBeOthers = attempt === 1 && isRejection(error) && (await authorization.refused(signal));
      if (!mayBeOthers) throw authorization.hasSecret || !isRejection(error) ? error : WITHOUT_SECRET;
    }
  }
};

const WITHOUT_SECRET = new SourceRefused(
  'credentials_rejected',
  'Credentials rejected',
  'the wiki is read with a secret only: keep the token of its integration as a secret of type token, and name it as ' +
    '`secret_id` in the setting of this data source',
);

const listIn = (json: unknown): { readonly results: readonly unknown[]; readonly next: string | null } => {
  const { object, results, ...sent } = fields(json);
  if (object !== 'list') throw new InvalidResponse('sent something else than a list');
  const next = sent['next_cursor'];
  return {
    results: items(results),
    next: sent['has_more'] === true && typeof next === 'string' ? next : null,
  };
};

const rowsIn = (json: unknown): RowsPage => {
  const { results, next } = listIn(json);
  const named = (object: string) => results.filter((row) => fields(row)['object'] === object);
  const dataSources = named('data_source').map((one) => idIn(fields(one)['id']));
  return {
    rows: named('page').map(pageIn),
    dataSources,
    next,
    isCut: fields(fields(json)['request_status'])['type'] === 'incomplete',
  };
};

export const authorizationBy = (credentials: Credentials): Authorization => {
  let newest: Credential | null = null;
  return {
    hasSecret: true,
    headers: async (signal) => {
      newest = await credentials.current(signal);
      if (newest.type !== 'token')
        throw new SourceRefused('credentials_rejected', 'Credentials rejected', NO_TOKEN);
      return { authorization: `Bearer ${newest.token}` };
    },
    refused: async (signal) => newest !== null && credentials.refused(newest, signal),
  };
};

const NO_TOKEN = 'a wiki is read with a secret of type token';

/** Waits until the next request may be sent. */
export type RateLimiter = (signal: AbortSignal) => Promise<void>;

interface PaceOptions {
  /** Rate limit of one secret, over all jobs of this process. */
  readonly requestsPerSecond: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Number of entries at which expired ones are evicted. */
const MAX_LIMITERS = 1_000;

/**
 * Spreads requests evenly: the rate limit belongs to the integration of the secret, whatever the number of jobs that
 * use it.
 */
export const createRateLimiters = ({
  requestsPerSecond,
  now,
  sleep,
}: PaceOptions): ((of: string) => RateLimiter) => {
  const between = 1_000 / requestsPerSecond;
  /** When the next request of a secret may be sent. */
  const nextSlots = new Map<string, number>();
  return (of) => async (signal) => {
    const time = now();
    const turn = Math.max(time, nextSlots.get(of) ?? 0);
    if (nextSlots.size > MAX_LIMITERS)
      for (const [key, until] of nextSlots) if (until < time) nextSlots.delete(key);
    nextSlots.set(of, turn + between);
    if (turn > time) await sleep(turn - time, signal);
    signal.throwIfAborted();
  };
};
