import type { Clock, Hash } from '../../../ports/identity.ts';
import type { ItemStore, ItemRun } from '../../../ports/item-store.ts';
import type { Ingestion } from '../connector.ts';
import type { Listing } from './listed-source.ts';

export interface ListedDeps {
  readonly itemStore: ItemStore;
  readonly clock: Clock;
  readonly hash: Hash;
}

/** A running job on items that a provider lists. */
export interface ListedRun {
  readonly ingestion: Pick<Ingestion, 'job' | 'documents'>;
  readonly listing: Listing;
  readonly run: ItemRun;
  /** Visits an item each time it is given, not once per generation: a push may send an item again. */
  readonly again?: true;
  /** Concurrent fetches. */
  readonly fetches: number;
}
