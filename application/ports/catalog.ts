import type { MetadataValueType } from '../../domain/source/events.ts';
import type { CatalogScope } from './catalog-scope.ts';
import type { Contents } from './contents.ts';
import type { Sources } from './sources.ts';

/** Everything that is read of documents and their chunks, from one read model. */
export interface Catalog extends Contents, Sources {
  /** Types under which values of these keys were stored, within the scope; a key without any value there is absent. */
  readonly metadataTypes: (
    scope: CatalogScope,
    of: 'source' | 'chunk',
    keys: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly MetadataValueType[]>>;
}
