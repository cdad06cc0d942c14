import { workerData } from 'node:worker_threads';
import { searchRecord } from '../adapters/http/routes/search.ts';
import { createOpenSearch } from '../adapters/opensearch/connection.ts';
import { textPatterns } from '../adapters/system/patterns/text-patterns.ts';
import { createCatalog } from '../adapters/postgres/catalog/catalog.ts';
import { createDatabase } from '../adapters/postgres/connection.ts';
import {
  serveRequests,
  createSearchRules,
  searchOperations,
} from '../adapters/search-workers/search-operations.ts';
import { createRedactedContents } from '../application/redaction/redacted-catalog.ts';
import { compileRules } from '../application/redaction/redactor.ts';
import { createRetrieve } from '../application/search/retrieve.ts';
import { createRetrieveSerialised, createSerialiseResults } from '../application/search/serialised-search.ts';
import { createSearchEngine } from './search-engine.ts';
import type { SearchThreadData } from './search-threads.ts';

/** Entry point of a search thread: the same parts as in the main thread, on separate connections. */
const { address, connections, memoryBytes, openSearch } = workerData as SearchThreadData;
const { db, close } = createDatabase({
  ...address,
  applicationName: 'knowledger-search',
  poolSize: connections,
});
const rules = createSearchRules((of) => compileRules(of, textPatterns));
const cluster = openSearch && createOpenSearch(openSearch);
const contents = createRedactedContents(createCatalog(db), rules.of);
const engine = createSearchEngine(db, {
  memoryBytes,
  cluster,
  prefix: openSearch?.prefix,
  contents,
});
const retrieve = createRetrieve({ ...engine, contents });
const serialise = createSerialiseResults(engine.words.terms, searchRecord);
serveRequests(
  searchOperations(rules, {
    retrieve,
    retrieveSerialised: createRetrieveSerialised({ retrieve, serialise }),
  }),
  close,
);
