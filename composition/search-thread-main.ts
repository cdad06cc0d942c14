import { workerData } from 'node:worker_threads';
import { createSearchRecords } from '../adapters/http/routes/search.ts';
import { textPatterns } from '../adapters/system/patterns/text-patterns.ts';
import { createCatalog } from '../adapters/postgres/catalog/catalog.ts';
import { createDatabase } from '../adapters/postgres/connection.ts';
import { createSearchIndex } from '../adapters/postgres/postings/search-index.ts';
import { createVectorIndex } from '../adapters/postgres/vectors/vector-index.ts';
import {
  serveRequests,
  createSearchRules,
  searchOperations,
  warnFromThread,
} from '../adapters/search-workers/search-operations.ts';
import { createEnglishWords } from '../adapters/system/words/english-words.ts';
import type { SearchEngine } from '../application/ports/search-engine.ts';
import { createRedactedContents } from '../application/redaction/redacted-catalog.ts';
import { compileRules } from '../application/redaction/redactor.ts';
import { createRetrieve } from '../application/search/retrieve.ts';
import { createRetrieveSerialised, createSerialiseResults } from '../application/search/serialised-search.ts';
import { graphsIn, type SearchThreadData } from './search-threads.ts';

/** Entry point of a search thread: the same parts as in the main thread, on separate connections. */
const { address, connections, memoryBytes, graphs } = workerData as SearchThreadData;
const { db, close } = createDatabase({
  ...address,
  applicationName: 'knowledger-search',
  poolSize: connections,
});
const rules = createSearchRules((of) => compileRules(of, textPatterns));
const engine: SearchEngine = {
  words: createSearchIndex(db, { cacheBytes: memoryBytes, wordsOfLanguage: createEnglishWords() }),
  vectors: createVectorIndex(db, { graphs: graphs && graphsIn(graphs.schema, { warn: warnFromThread }) }),
};
const retrieve = createRetrieve({
  ...engine,
  contents: createRedactedContents(createCatalog(db), rules.of),
});
const serialise = createSerialiseResults(engine.words.terms, createSearchRecords());
serveRequests(
  searchOperations(rules, {
    retrieve,
    retrieveSerialised: createRetrieveSerialised({ retrieve, serialise }),
  }),
  close,
);
