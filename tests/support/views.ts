import {
  createProjections,
  type ProjectionListeners,
} from '../../adapters/postgres/projections/all-projections.ts';
import { createCatalogProjection } from '../../adapters/postgres/projections/catalog/catalog-projection.ts';
import type { Projection } from '../../adapters/postgres/projections/projection.ts';
import type { ChunkSet } from '../../domain/chunking/chunk-set.ts';
import { VIEWS as NAMES, type ViewName } from '../../application/ports/read-gate.ts';
import { silent } from './silent.ts';

export const NO_FOLLOWERS: ProjectionListeners = {
  clearKeyCache: () => {},
  clearPolicyCache: () => {},
  wakeWorkers: () => {},
  wakeRunWorkers: () => {},
  wakeEmbedding: () => {},
  wakeMerging: () => {},
  wakeWebhooks: () => {},
  overlay: { prune: async () => {} },
  log: silent,
};

/** All views of the program, and texts of documents where they are read from. */
export const projectionsWith = (
  readChunkSet: (dataSourceId: string, sha256: string) => Promise<ChunkSet | null>,
): readonly Projection[] => createProjections(createCatalogProjection({ readChunkSet }), NO_FOLLOWERS);

/** All views of the program. Texts of documents are not there. */
export const PROJECTIONS: readonly Projection[] = projectionsWith(async () => null);

/** Their names, in alphabetical order. */
export const VIEWS: readonly ViewName[] = NAMES.toSorted();

/** Every view, with what is expected of those that are named and the same of all others. */
export const ofEveryView = <T>(others: T, named: { readonly [view: string]: T } = {}) => ({
  ...Object.fromEntries(VIEWS.map((view) => [view, others])),
  ...named,
});
