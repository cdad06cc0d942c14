import type { Catalog } from '../../../application/ports/catalog.ts';
import type { LexicalIndex } from '../../../application/ports/lexical-index.ts';
import type { VectorIndex } from '../../../application/ports/vector-index.ts';
import { readSnapshot } from '../read-snapshot.ts';
import type { Sql } from '../sql.ts';
import { contentById } from './content-rows.ts';
import { createVectorIndex } from '../vectors/vector-index.ts';
import { metadataTypes } from './metadata-types.ts';
import { queryContents } from './query-contents.ts';
import { search } from './search.ts';
import { contentsOfSource } from './source-contents.ts';
import { getSource, listSources } from './sources.ts';

/** Reads of the live version of view `catalog`; a list and its total are of one state. */
export const createCatalog = (
  db: Sql,
  lexicalIndex: LexicalIndex,
  vectorIndex: VectorIndex = createVectorIndex(db),
): Catalog => ({
  search: (scope, request) => search(db, { lexicalIndex, vectorIndex }, scope, request),
  query: (scope, query) => readSnapshot(db, (trx) => queryContents(trx, scope, query)),
  getContent: (scope, id) => contentById(db, scope, id),
  getSource: (scope, id) => getSource(db, scope, id),
  listSources: (scope, filter, page) => readSnapshot(db, (trx) => listSources(trx, scope, filter, page)),
  contentsOfSource: (scope, sourceId, page) =>
    readSnapshot(db, (trx) => contentsOfSource(trx, scope, sourceId, page)),
  metadataTypes: metadataTypes(db),
});
