import type { CatalogProjection } from '../../adapters/postgres/projections/catalog/catalog-projection.ts';
import type { Graphs } from '../../adapters/postgres/vectors/graph-tables.ts';
import type { WakeUp } from '../../adapters/system/wake-up.ts';
import type { RecentChunkSets } from '../../application/sources/content/recent-chunk-sets.ts';
import type { Catalog, PurgeCatalog } from '../../application/ports/catalog.ts';
import type { Embedders } from '../../application/ports/embedder.ts';
import type { Reranker, SearchIndex } from '../../application/ports/search-index.ts';
import type { VectorIndex, VectorStore } from '../../application/ports/vector-index.ts';
import type { QuestionVector } from '../../application/search/question-vector.ts';
import type { RerankResults } from '../../application/search/rerank-results.ts';
import type { Retrieve } from '../../application/search/retrieve.ts';
import type { RetrieveWritten, WriteResults } from '../../application/search/written-results.ts';
import type { SearchThreads } from '../../adapters/search-workers/search-threads.ts';
import type { OpenSearchThreads } from '../search-threads.ts';

/** The catalog, and what finds things in it. */
export interface RetrievalServices {
  RecentChunkSets: RecentChunkSets;
  CatalogProjection: CatalogProjection;
  Catalog: Catalog;
  PurgeCatalog: PurgeCatalog;
  /** The catalog has moved: what is new in it need not wait for the next look. */
  CatalogWakeUp: WakeUp;
  /** The catalog has moved: there may be segments of its index to merge. */
  SegmentWakeUp: WakeUp;
  SearchIndex: SearchIndex;
  VectorGraphs: Graphs | null;
  VectorStore: VectorStore;
  VectorIndex: VectorIndex;
  /** In this thread. */
  RetrieveHere: Retrieve;
  /** Null where searches run in this thread. */
  SearchThreads: OpenSearchThreads | null;
  /** There or here, each tenant in its turn. */
  Searching: SearchThreads;
  Retrieve: Retrieve;
  RetrieveWritten: RetrieveWritten;
  WriteResults: WriteResults;
  /** Null where no provider is configured. */
  Embedders: Embedders | null;
  /** Null where no provider is configured. */
  QuestionVector: QuestionVector | null;
  /** Null where none is configured. */
  Reranker: Reranker | null;
  /** Null where no reranker is configured. */
  RerankResults: RerankResults | null;
}
