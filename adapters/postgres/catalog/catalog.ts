import type { Catalog } from '../../../application/ports/catalog.ts';
import { readSnapshot } from '../connection.ts';
import type { Sql } from '../database-schema.ts';
import { contentById } from './content-rows.ts';
import { createContentsById } from './contents-by-id.ts';
import { metadataTypes } from './metadata-types.ts';
import { queryContents } from './query-contents.ts';
import { contentsOfSource } from './source-contents.ts';
import { getSource, listSources } from './sources.ts';

/** Reads of the live version of view `catalog`; a list and its total are of one state. Texts of what is searched for stay in memory. */
export const createCatalog = (db: Sql): Catalog => ({
  query: (scope, query) => readSnapshot(db, (trx) => queryContents(trx, scope, query)),
  getContent: (scope, id) => contentById(db, scope, id),
  contentsById: createContentsById(db),
  getSource: (scope, id) => getSource(db, scope, id),
  listSources: (scope, filter, page) => readSnapshot(db, (trx) => listSources(trx, scope, filter, page)),
  contentsOfSource: (scope, sourceId, page) =>
    readSnapshot(db, (trx) => contentsOfSource(trx, scope, sourceId, page)),
  metadataTypes: metadataTypes(db),
});
