import type { TagFilter } from '../../application/ports/catalog.ts';
import {
  type EngineScope,
  type RankedContent,
  type ReadEngineScope,
  SearchEngineUnavailable,
} from '../../application/ports/search-engine.ts';
import { type OpenSearch, refusedBy } from './connection.ts';
import { ofTenant } from './filters.ts';
import { nameIn } from './indexes.ts';
import type { Query } from './metadata.ts';

/** What is ranked: by all of it, or of `ranked` only what is shown. */
export interface FindRequest {
  readonly shown: Query;
  readonly ranked: Query | null;
  readonly limit: number;
}
export interface Found {
  /** Of what is ranked. */
  readonly total: number;
  readonly best: number;
  /** Best first; equal scores by content id. */
  readonly hits: readonly RankedContent[];
}

/** The contents of a tenant, whatever may be seen of them. */
export interface TenantContents {
  readonly contents: number;
  /** In which they are stemmed. */
  readonly languages: readonly string[];
}

/** Requests to the index that is searched now, in the shard of one tenant. */
export interface Searching {
  readonly facts: EngineScope;
  readonly all: () => Promise<TenantContents>;
  /** How many contents meet all of these conditions, for each list of them. */
  readonly count: (all: readonly (readonly Query[])[]) => Promise<readonly number[]>;
  readonly find: (request: FindRequest) => Promise<Found>;
  /** The best, each with the language in which it is stemmed. */
  readonly best: (
    query: Query,
    limit: number,
  ) => Promise<readonly (RankedContent & { readonly language: string })[]>;
  /** Scores of about a hundred contents that are found, whichever; how many contents have each value of a field. */
  readonly sample: (query: Query) => Promise<readonly number[]>;
  readonly countValues: (field: string, query: Query) => Promise<ReadonlyMap<string, number>>;
  /** See `Counting.suggest`. */
  readonly suggest: (words: readonly string[]) => Promise<readonly (readonly string[])[]>;
  /** The terms of words under an analyser; empty for a stop word. */
  readonly terms: (analyzer: string, words: readonly string[]) => Promise<readonly string[]>;
}
/** Null before there is an index. */
export type SearchIn = (tenant: string, tags: TagFilter | undefined) => Promise<Searching | null>;

interface SearchAnswer {
  readonly timed_out: boolean;
  readonly _shards: { readonly failed: number };
  readonly hits: {
    readonly total: { readonly value: number };
    readonly hits: readonly {
      readonly sort: readonly [number, string];
      readonly _score: number;
      readonly fields?: { readonly language: readonly [string] };
    }[];
  };
  readonly aggregations?: {
    readonly of: { readonly buckets: readonly { readonly key: string; readonly doc_count: number }[] };
  };
  readonly suggest?: Readonly<Record<string, readonly { readonly options: readonly { text: string }[] }[]>>;
}

export const createSearchIn = (engine: OpenSearch, prefix: string, readScope: ReadEngineScope): SearchIn => {
  /** What tenants have at one position of one index. */
  let [keptAt, kept] = ['', new Map<string, TenantContents>()];
  return async (tenant, tags) => {
    const facts = await readScope(tenant, tags);
    if (facts.index === null) return null;
    const index = nameIn(prefix, facts.index);
    const search = async (bodies: readonly object[]): Promise<readonly SearchAnswer[]> => {
      if (bodies.length === 0) return [];
      if (bodies.length === 1) {
        const { body } = await engine.ask<SearchAnswer>({
          method: 'POST',
          path: `/${index}/_search`,
          query: { routing: tenant },
          body: bodies[0]!,
        });
        return [answered(body)];
      }
      const { body } = await engine.ask<{ readonly responses: readonly (SearchAnswer | Failed)[] }>({
        method: 'POST',
        path: `/${index}/_msearch`,
        body: bodies.flatMap((one) => [{ routing: tenant }, one]),
      });
      return body.responses.map(answered);
    };
    const count = async (all: readonly (readonly Query[])[]): Promise<readonly number[]> => {
      const bodies = all.map((filter) => ({ size: 0, track_total_hits: true, query: { bool: { filter } } }));
      return (await search(bodies)).map(({ hits }) => hits.total.value);
    };
    const countValues = async (field: string, query: Query): Promise<ReadonlyMap<string, number>> => {
      const [answer] = await search([{ size: 0, query, aggs: { of: { terms: { field, size: 100 } } } }]);
      return new Map(answer!.aggregations!.of.buckets.map(({ key, doc_count }) => [key, doc_count]));
    };
    return {
      facts,
      all: async () => {
        const at = `${facts.index} ${facts.position}`;
        if (at !== keptAt) [keptAt, kept] = [at, new Map()];
        const tenants = kept;
        const known = tenants.get(tenant);
        if (known !== undefined) return known;
        const counts = await countValues('language', { bool: { filter: ofTenant(tenant) } });
        const all = {
          contents: [...counts.values()].reduce((sum, of) => sum + of, 0),
          languages: [...counts.keys()],
        };
        tenants.set(tenant, all);
        return all;
      },
      count,
      find: async ({ shown, ranked, limit }) => {
        const [first, all = first] = await search([
          bodyOf(shown, Math.max(limit, 1)),
          ...(ranked === null ? [] : [bodyOf(ranked, 1)]),
        ]);
        return {
          total: all!.hits.total.value,
          best: all!.hits.hits[0]?.sort[0] ?? 0,
          hits: first!.hits.hits.map(({ sort: [score, contentId] }) => ({ contentId, score })),
        };
      },
      best: async (query, limit) => {
        const body = { ...bodyOf(query, limit), track_total_hits: false, docvalue_fields: ['language'] };
        const [answer] = await search([body]);
        return answer!.hits.hits.map(({ sort: [score, contentId], fields }) => ({
          contentId,
          score,
          language: fields!.language[0],
        }));
      },
      sample: async (query) => {
        // Ids of contents are hashes: the first are any.
        const body = { ...bodyOf(query, SAMPLE), sort: [{ content: 'asc' }], track_scores: true };
        return (await search([body]))[0]!.hits.hits.map(({ _score: score }) => score);
      },
      countValues,
      suggest: async (words) => {
        const suggest = Object.fromEntries(words.map((word, i) => [i, { text: word, term: NEAR }]));
        const [answer] = await search([{ size: 0, suggest }]);
        return words.map((_, i) =>
          (answer?.suggest?.[i] ?? []).flatMap((of) => of.options.map(({ text }) => text)),
        );
      },
      terms: async (analyzer, words) => {
        const terms = words.map(() => '');
        for (let from = 0; from < words.length; from += AT_ONCE) {
          const part = words.slice(from, from + AT_ONCE);
          const { body } = await engine.ask<AnalyzeAnswer>({
            method: 'POST',
            path: `/${index}/_analyze`,
            body: { analyzer, text: part.join(' ') },
          });
          for (const { token, position } of body.tokens) terms[from + position] ||= token;
        }
        return terms;
      },
    };
  };
};

const SAMPLE = 100;

interface AnalyzeAnswer {
  readonly tokens: readonly { readonly token: string; readonly position: number }[];
}
/** Words of one request: each has two tokens at most, and the answer 10,000. */
const AT_ONCE = 4_000;

interface Failed {
  readonly error: { readonly type: string };
  readonly status: number;
}

/** @throws SearchEngineUnavailable also where a shard gave no answer: what it has would be missing */
const answered = (answer: SearchAnswer | Failed): SearchAnswer => {
  if ('error' in answer) throw refusedBy(answer.status, answer.error.type);
  const { _shards: shards, timed_out: isLate } = answer;
  if (shards.failed > 0 || isLate)
    throw new SearchEngineUnavailable('OpenSearch answers for a part of the index alone');
  return answer;
};

const bodyOf = (query: Query, size: number) => ({
  size,
  track_total_hits: true,
  stored_fields: '_none_',
  query,
  sort: [{ _score: 'desc' }, { content: 'asc' }],
});

/** Whatever word is near, also one that only a deleted content has: who asks looks whether it can be seen. */
const NEAR = {
  field: 'words',
  suggest_mode: 'always',
  size: 50,
  max_edits: 2,
  prefix_length: 0,
  max_term_freq: 1_000_000_000,
};
