import { asPhrase, parseQuery } from '../../domain/ranking/asked-terms.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { AccessTo, OnBehalfOf } from '../access/authz/access.ts';
import type { Caller } from '../access/caller.ts';
import type { Catalog, CatalogScope } from '../ports/catalog.ts';
import type { Embedders } from '../ports/embedder.ts';
import type { Clock } from '../ports/identity.ts';
import { providerFailure } from '../ports/language-model.ts';
import type { Logger } from '../ports/logger.ts';
import type { Coverage, VectorIndex, VectorQuery } from '../ports/vector-index.ts';
import { type Arrangement, depthOf } from './arrange.ts';
import { type RetrievalFilter, type SearchRequest, readFilter } from './retrieval-filter.ts';

export type SearchMode = 'hybrid' | 'keyword' | 'vector';

export interface Search {
  readonly query: string;
  readonly mode: SearchMode;
  /** 1 to 1,000. */
  readonly limit: number;
  readonly rerank: boolean;
  readonly minScore?: number;
  readonly usePostfilter: boolean;
  readonly filter: RetrievalFilter;
  /** `source`: at most two contents of a source among the first ten, and equal ones once. Default: `none`. */
  readonly collapse?: 'source' | 'none';
  /** Whether quotes and a minus in the query mean something. Default: they are plain text. */
  readonly syntax?: boolean;
}

/** A search that is ready to be made: by whomever, as there is nothing left to ask. */
export interface PlannedSearch {
  readonly scope: CatalogScope;
  readonly request: SearchRequest;
  /** How what is found becomes the list that is shown. */
  readonly as: Arrangement;
  /** How it is searched in fact: by keyword where no embedding provider is set up, or where it failed. */
  readonly mode: SearchMode;
}

export interface PlanDeps {
  readonly catalog: Pick<Catalog, 'metadataTypes'>;
  readonly accessTo: AccessTo;
  /** Null where no embedding provider is set up. */
  readonly questionVector?: QuestionVector | null;
}

/**
 * Reads what may be seen, by what it is filtered, and the vector of the question.
 *
 * @throws DomainError filter_invalid, authz_policy_not_found; not_configured for what no provider is set up for
 */
export const planSearch = async (
  { catalog, accessTo, questionVector = null }: PlanDeps,
  hasReranker: boolean,
  caller: Caller,
  search: Search,
  onBehalfOf: OnBehalfOf,
): Promise<PlannedSearch> => {
  mustBeSetUp(search, { vectors: questionVector !== null, reranker: hasReranker });
  const scope = await accessTo(caller, onBehalfOf);
  const filter = await readFilter(catalog, scope, search.filter);
  const { mode, limit, minScore, usePostfilter } = search;
  const typed = search.syntax === true ? parseQuery(search.query) : null;
  const query = typed?.ranked ?? search.query;
  const vector = mode === 'keyword' ? null : ((await questionVector?.(scope.tenant, query)) ?? null);
  const minimum = minScore !== undefined && { minScore };
  const byVector = vector !== null && { vector, vectorOnly: mode === 'vector' };
  // A vector knows what stop words mean together.
  const held = typed !== null && vector === null ? asPhrase(typed) : typed;
  const as = { typed: held, collapse: search.collapse ?? 'none', limit } as const;
  const request = { query, limit: depthOf(as), ...minimum, usePostfilter, filter, ...byVector };
  return { scope, request, as, mode: vector === null ? 'keyword' : mode };
};

/** `hybrid` means the best there is; what is not set up at all is refused. */
const mustBeSetUp = (
  { mode, rerank }: Search,
  has: { readonly vectors: boolean; readonly reranker: boolean },
): void => {
  if (mode === 'vector' && !has.vectors) {
    throw new DomainError(
      'not_configured',
      'vector search needs an embedding provider, and none is set up here: use keyword',
    );
  }
  if (rerank && !has.reranker) {
    throw new DomainError('not_configured', 'rerank needs a reranker, and none is set up here: leave it out');
  }
};

export interface QuestionVectorDeps {
  readonly vectors: Pick<VectorIndex, 'coverage'>;
  readonly embedders: Embedders;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborts after so many milliseconds. */
  readonly timeout: (ms: number) => AbortSignal;
}

/** The question as a vector; null where search must do without: too little is embedded, or the provider fails. */
export type QuestionVector = (tenant: string, query: string) => Promise<VectorQuery | null>;

/** The wanted model answers from this share of the tenant's contents on; below it, the model that has embedded most. */
const ENOUGH = 0.9;
/** A model that has embedded less does not answer: it would pass over most of what is there. */
const LEAST = 0.5;
/** For a question; a search that waits for longer is worse than one without. */
const QUESTION_MS = 3_000;
/** How long a provider that failed is not asked by searches. */
const REST_MS = 10_000;

export const createQuestionVector = ({
  vectors,
  embedders,
  clock,
  log,
  timeout,
}: QuestionVectorDeps): QuestionVector => {
  const restsUntil = new Map<string, number>();
  return async (tenant, query) => {
    const known = modelFor(await vectors.coverage(tenant), embedders.current.model);
    if (known === null || clock.now() < (restsUntil.get(known.model) ?? 0)) return null;
    const { model, dimensions } = known;
    try {
      const embedder = model === embedders.current.model ? embedders.current : embedders.named(model);
      const [vector] = await embedder.embed([query], 'query', timeout(QUESTION_MS));
      if (vector?.length !== dimensions)
        throw new Error(`it has ${vector?.length ?? 0} dimensions, not ${dimensions}`);
      return { model, vector };
    } catch (error) {
      restsUntil.set(model, clock.now() + REST_MS);
      const failure = { ...providerFailure('embeddings', error), error: (error as Error).message };
      log.warn('searching by words alone: the question has no vector', { model, ...failure });
      return null;
    }
  };
};

/** By whose vectors a tenant's questions are answered. */
export const modelFor = (coverage: readonly Coverage[], wanted: string): Coverage | null => {
  const enough = coverage.find(({ model, share }) => model === wanted && share >= ENOUGH);
  if (enough !== undefined) return enough;
  const most = coverage
    .filter(({ share }) => share >= LEAST)
    .toSorted((a, b) => b.share - a.share || Number(b.model === wanted) - Number(a.model === wanted));
  return most[0] ?? null;
};
