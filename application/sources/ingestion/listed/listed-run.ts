import type { Clock, Hash } from '../../../ports/identity.ts';
import type { ItemStore, ItemRun } from '../../../ports/item-store.ts';
import type { Ingestion } from '../connector.ts';
import type { Listing } from './listed-source.ts';

export interface ListedDeps {
  readonly itemStore: ItemStore;
  readonly clock: Clock;
  readonly hash: Hash;
}

/** One job under way on items that a provider lists. */
export interface ListedRun {
  readonly ingestion: Pick<Ingestion, 'job' | 'documents'>;
  readonly listing: Listing;
  readonly run: ItemRun;
  /** Items are looked at whenever they come, not once in a generation: whoever brings them may bring them anew. */
  readonly again?: true;
  /** Items that are fetched at once. */
  readonly fetches: number;
}
