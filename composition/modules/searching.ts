import { ContainerModule } from 'inversify';
import { createSearchRecords } from '../../adapters/http/records/search-record.ts';
import { createSearchIndex } from '../../adapters/postgres/postings/search-index.ts';
import { createFairTurns } from '../../adapters/system/fair-turns.ts';
import { countEndedThreads } from '../../adapters/telemetry/counted-threads.ts';
import { tracedSearchThreads } from '../../adapters/telemetry/traced-search-threads.ts';
import { createSearchThreads, type SearchThreads } from '../../adapters/search-workers/search-threads.ts';
import { createThreadPool } from '../../adapters/search-workers/thread-pool.ts';
import { createEnglishWords } from '../../adapters/system/words/english-words.ts';
import { createRetrieve } from '../../application/search/retrieve.ts';
import { createRetrieveWritten, createWriteResults } from '../../application/search/written-results.ts';
import type { Config } from '../config.ts';
import {
  compiledPlace,
  connectionShares,
  type OpenSearchThreads,
  type SearchThreadData,
} from '../search-threads.ts';
import { connectionsFor, type Databases } from '../startup.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

type SearchingConfig = Pick<Config, 'search' | 'roles' | 'databaseConnections' | 'telemetry'>;

/** At once in each thread that searches: those that come together share statements. */
const MOST_AT_ONCE = 32;
/** Beyond that searches wait for their turn. */
const WAIT_MS = 10_000;

/** What finds contents: in threads of their own, or in this one. */
export const searchingModule = (
  config: SearchingConfig,
  { address }: Pick<Databases, 'address'>,
): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const provide = providing(bind);
    const { memoryBytes } = config.search;
    const [, forViews] = connectionsFor(config);
    const { threads, ofThread: connections } = connectionShares(config, forViews);
    const turns = createFairTurns({
      most: MOST_AT_ONCE * Math.max(1, threads),
      waitMs: WAIT_MS,
      refusal: 'there are too many searches at once: try again',
    });
    /** Tenants take turns. */
    const inTurn = ({ retrieve, retrieveWritten }: SearchThreads): SearchThreads => ({
      retrieve: (scope, request) => turns(scope.tenant, () => retrieve(scope, request)),
      retrieveWritten: (planned, told) => turns(planned.scope.tenant, () => retrieveWritten(planned, told)),
    });
    provide(
      T.SearchIndex,
      ({ db }) => createSearchIndex(db, { cacheBytes: memoryBytes, wordsOfLanguage: createEnglishWords() }),
      { db: T.Db },
    );
    provide(T.RetrieveHere, createRetrieve, {
      searchIndex: T.SearchIndex,
      vectorIndex: T.VectorIndex,
      contents: T.Catalog,
    });
    provide(
      T.SearchThreads,
      ({ graphs, policies, log }): OpenSearchThreads | null => {
        if (threads === 0) return null;
        const data: SearchThreadData = {
          address,
          connections,
          memoryBytes: memoryBytes / threads,
          graphs: graphs && { schema: graphs.schema },
          compiled: compiledPlace(),
        };
        const script = new URL('../search-thread.ts', import.meta.url);
        const { ask, close } = createThreadPool({ script, data, threads, log, ended: countEndedThreads() });
        const searching = inTurn(
          createSearchThreads({ ask }, async (tenant) => (await policies.at(tenant, 'content')).rules),
        );
        return { ...(config.telemetry.traces ? tracedSearchThreads(searching) : searching), close };
      },
      { graphs: T.VectorGraphs, policies: T.PoliciesInForce, log: T.Logger },
    ).onDeactivation(async (open) => open?.close());
    provide(T.WriteResults, ({ index }) => createWriteResults(index.terms, createSearchRecords()), {
      index: T.SearchIndex,
    });
    provide(
      T.Searching,
      ({ open, here, write }): SearchThreads =>
        open ?? inTurn({ retrieve: here, retrieveWritten: createRetrieveWritten({ retrieve: here, write }) }),
      { open: T.SearchThreads, here: T.RetrieveHere, write: T.WriteResults },
    );
    provide(T.Retrieve, ({ searching }) => searching.retrieve, { searching: T.Searching });
    provide(T.RetrieveWritten, ({ searching }) => searching.retrieveWritten, { searching: T.Searching });
  });
