import { Agent } from 'undici';
import { searchRecord } from '../../adapters/http/routes/search.ts';
import { createOpenAiCompatibleEmbedder } from '../../adapters/models/embedding/openai-compatible/embedder.ts';
import { createReranker } from '../../adapters/models/reranker/reranker.ts';
import { createVectorStore } from '../../adapters/postgres/vectors/vector-store.ts';
import { createSearchThreads, type SearchThreads } from '../../adapters/search-workers/search-threads.ts';
import { createThreadPool } from '../../adapters/search-workers/thread-pool.ts';
import { createFairQueue } from '../../adapters/system/fair-queue.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { countEndedThreads } from '../../adapters/telemetry/metrics.ts';
import { measuredEmbedder, tracedReranker } from '../../adapters/telemetry/traced-providers.ts';
import { tracedSearchThreads } from '../../adapters/telemetry/traced-search-threads.ts';
import type { Embedders } from '../../application/ports/embedder.ts';
import type { Reranker } from '../../application/ports/reranker.ts';
import { createSearchOperations } from '../../application/search/operations.ts';
import { createQuestionVector } from '../../application/search/plan-search.ts';
import { createRerankResults } from '../../application/search/rerank-results.ts';
import { createRetrieve } from '../../application/search/retrieve.ts';
import {
  createRetrieveSerialised,
  createSerialiseResults,
  createSerialisedSearch,
} from '../../application/search/serialised-search.ts';
import type { Config } from '../config/config.ts';
import { createSearchEngine } from '../search-engine.ts';
import { type Closable, localEmbedders, localReranker } from '../local-models.ts';
import { connectionsFor } from '../databases.ts';
import { compiledPlace, connectionShares, type SearchThreadData } from '../search-threads.ts';
import { type Given, provide, token } from '../wiring.ts';
import { ACCESS } from './access.ts';
import { CATALOG, REDACTION } from './redaction.ts';
import { CORE } from './core.ts';

/** Connect timeouts to an embedding server, and to a rerank server, which a search request waits for. */
const [EMBEDDING_CONNECT_MS, RERANK_CONNECT_MS] = [5_000, 2_000];
/** Concurrent searches in each search thread: concurrent searches share statements. */
const MAX_AT_ONCE = 32;
/** How long further searches wait for a slot. */
const WAIT_MS = 10_000;

const NEEDS = {
  core: CORE,
  redaction: REDACTION,
  catalog: CATALOG,
  access: ACCESS,
};

/** Retrieval of contents: by words and, if embeddings are configured, by vectors; in search threads or in this one. */
const openSearch = ({ core, redaction, catalog, access }: Given<typeof NEEDS>) => {
  const { config, log } = core;
  const { db, databases } = core;
  const { threads, ofThread: connections } = connectionShares(config, connectionsFor(config)[1]);
  const { memoryBytes } = config.search;
  const engine = createSearchEngine(db, {
    memoryBytes,
    cluster: core.cluster,
    prefix: config.openSearch?.prefix,
    contents: catalog.catalog,
  });
  const enqueue = createFairQueue({
    maxConcurrent: MAX_AT_ONCE * Math.max(1, threads),
    waitMs: WAIT_MS,
    errorMessage: 'there are too many searches at once: try again',
  });
  /** Distributes slots fairly among tenants. */
  const inTurn = ({ retrieve, retrieveSerialised }: SearchThreads): SearchThreads => ({
    retrieve: (scope, request) => enqueue(scope.tenant, () => retrieve(scope, request)),
    retrieveSerialised: (planned, context) =>
      enqueue(planned.scope.tenant, () => retrieveSerialised(planned, context)),
  });
  const serialise = createSerialiseResults(engine.words.terms, searchRecord);
  const here = (): Closable<SearchThreads> => {
    const retrieve = createRetrieve({ ...engine, contents: catalog.catalog });
    const retrieveSerialised = createRetrieveSerialised({ retrieve, serialise });
    return { service: inTurn({ retrieve, retrieveSerialised }), close: async () => {} };
  };
  const inThreads = (): Closable<SearchThreads> => {
    const data: SearchThreadData = {
      address: databases.address,
      connections,
      memoryBytes: memoryBytes / threads,
      openSearch: config.openSearch,
      compiled: compiledPlace(),
    };
    const script = new URL('../search-thread.ts', import.meta.url);
    const { ask, close } = createThreadPool({ script, data, threads, log, ended: countEndedThreads() });
    const rulesOf = async (tenant: string) => (await redaction.policies.at(tenant, 'content')).rules;
    const service = inTurn(createSearchThreads({ ask }, rulesOf));
    return { service: config.telemetry.traces ? tracedSearchThreads(service) : service, close };
  };
  const searching = threads === 0 ? here() : inThreads();
  const embedders = embeddersOf(config);
  const reranker = rerankerOf(config);
  const timeout = (ms: number): AbortSignal => AbortSignal.timeout(ms);
  const asking = { clock: core.clock, log, timeout };
  const planning = {
    ids: core.ids,
    catalog: catalog.catalog,
    accessTo: access.accessTo,
    questionVector:
      embedders && createQuestionVector({ ...asking, vectors: engine.vectors, embedders: embedders.service }),
  };
  const search = createSearchOperations({
    ...planning,
    retrieve: searching.service.retrieve,
    rerankResults: reranker && createRerankResults({ ...asking, reranker: reranker.service }),
  });
  return {
    /** Null when no embeddings are configured. */
    embedders: embedders && embedders.service,
    vectors: createVectorStore(db, core.cluster !== undefined),
    operations: {
      search,
      serialisedSearch: createSerialisedSearch({
        ...planning,
        search: search.search,
        retrieveSerialised: searching.service.retrieveSerialised,
        serialise,
        hasReranker: reranker !== null,
      }),
    },
    close: async () => {
      await Promise.all([searching, embedders, reranker].map(async (opened) => opened?.close()));
    },
  };
};

const embeddersOf = (config: Config): Closable<Embedders> | null => {
  const { embeddings } = config;
  if (embeddings === undefined) return null;
  if ('local' in embeddings) {
    const { service, close } = localEmbedders(config, embeddings.local);
    const named = (label: string) => measuredEmbedder(service.named(label));
    return { service: { current: measuredEmbedder(service.current), named }, close };
  }
  const dispatcher = new Agent({ connect: { timeout: EMBEDDING_CONNECT_MS }, connections: 8 });
  const { url, key } = embeddings;
  const named = (model: string) =>
    measuredEmbedder(createOpenAiCompatibleEmbedder({ dispatcher, url, model, key, sleep }));
  return { service: { current: named(embeddings.model), named }, close: () => dispatcher.destroy() };
};

const rerankerOf = (config: Config): Closable<Reranker> | null => {
  const { rerank } = config;
  if (rerank === undefined) return null;
  if ('local' in rerank) {
    const { service, close } = localReranker(config, rerank.local);
    return { service: tracedReranker(service), close };
  }
  const dispatcher = new Agent({ connect: { timeout: RERANK_CONNECT_MS }, connections: 8 });
  const service = tracedReranker(createReranker({ dispatcher, sleep, ...rerank }), rerank.url);
  return { service, close: () => dispatcher.destroy() };
};

export const SEARCH = token<ReturnType<typeof openSearch>>('search');
export const searchModule = provide(SEARCH, NEEDS, openSearch);
