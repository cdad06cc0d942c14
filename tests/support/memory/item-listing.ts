import type { ListingState, ItemStore, ItemRun, VisitedItem } from '../../../application/ports/item-store.ts';

/** What was found when the item was looked at last, and by which generation. */
export interface ItemRow extends VisitedItem {
  readonly generation: number;
}

interface ListingRow extends ListingState {
  readonly generation: number;
  readonly mark: string | null;
  /** Which listed everything last, or took it for unchanged; null: none did. */
  readonly markGeneration: number | null;
}

/** What is known of the items of one data source. */
export interface ItemRows {
  readonly items: Map<string, ItemRow>;
  /** Null: none was begun. */
  listing: ListingRow | null;
  /** Unix milliseconds; 0: never. */
  heardAt: number;
}

/** Rows of any data source: none, to begin with. */
interface AllItemRows {
  readonly of: (dataSourceId: string) => ItemRows;
  readonly purge: (dataSourceId: string) => void;
}

export const createItemRows = (): AllItemRows => {
  const all = new Map<string, ItemRows>();
  return {
    of: (dataSourceId) => {
      const rows = all.get(dataSourceId) ?? { items: new Map<string, ItemRow>(), listing: null, heardAt: 0 };
      all.set(dataSourceId, rows);
      return rows;
    },
    purge: (dataSourceId) => void all.delete(dataSourceId),
  };
};

/** Locators in the order of their bytes, as databases have them. */
export const inOrder = ({ items }: ItemRows): readonly ItemRow[] =>
  [...items.values()].toSorted((a, b) => compareLocators(a.locator, b.locator));

export const compareLocators = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));

/** It was indexed, or found as it was, and something of it is missing. */
export const isIncomplete = ({ outcome, code }: ItemRow): boolean =>
  (outcome === 'indexed' || outcome === 'unchanged') && code !== null;

/** What providers that list their items ask of an item store. */
export type ItemListings = Pick<
  ItemStore,
  'listing' | 'touchAll' | 'owed' | 'touchRest' | 'unseen' | 'strays'
>;

/** @param catalog ids of sources that the catalog has of a data source */
export const listingsIn = (
  all: AllItemRows,
  catalog: (dataSourceId: string) => readonly string[],
): ItemListings => ({
  listing: async ({ dataSourceId, generation }) => {
    const { listing } = all.of(dataSourceId);
    const mark = listing?.mark ?? null;
    if (listing?.generation !== generation) return { cursor: null, complete: false, mark };
    return { cursor: listing.cursor, complete: listing.complete, mark };
  },
  touchAll: async (run, at) => {
    const rows = all.of(run.dataSourceId);
    const { listing } = rows;
    if (listing === null || listing.mark === null) return false;
    const { markGeneration } = listing;
    if (markGeneration === null || markGeneration >= run.generation) return false;
    const items = inOrder(rows);
    if (items.some((item) => item.generation !== markGeneration || mustBeSeen(item, run))) return false;
    carry(rows, items, run, at);
    rows.listing = {
      ...DONE,
      generation: run.generation,
      mark: listing.mark,
      markGeneration: run.generation,
    };
    return true;
  },
  owed: async (run, except, limit) => owed(all.of(run.dataSourceId), run, except).slice(0, limit),
  touchRest: async (run, { except, mark }, at) => {
    const rows = all.of(run.dataSourceId);
    if (owed(rows, run, except).length > 0) return false;
    carry(rows, restOf(rows, run, except), run, at);
    const { generation } = run;
    if (rows.listing !== null && rows.listing.generation <= generation)
      rows.listing = { ...DONE, generation, mark, markGeneration: generation };
    return true;
  },
  unseen: async ({ dataSourceId, generation }, limit) =>
    inOrder(all.of(dataSourceId))
      .flatMap(({ locator, sourceId, generation: last }) =>
        sourceId !== null && last < generation ? [{ locator, sourceId }] : [],
      )
      .slice(0, limit),
  strays: async ({ dataSourceId }, after, limit) => {
    const known = new Set(inOrder(all.of(dataSourceId)).map(({ sourceId }) => sourceId));
    return catalog(dataSourceId)
      .filter((id) => !known.has(id) && id > (after ?? ''))
      .toSorted()
      .slice(0, limit);
  },
});

const DONE = { cursor: null, complete: true } as const;

/** How far a listing has come; its mark counts from one complete listing to the next. */
export const moveListing = (
  rows: ItemRows,
  { generation }: ItemRun,
  { cursor, complete, mark = null }: ListingState,
): void => {
  const before = rows.listing;
  if (before !== null && before.generation > generation) return;
  const marked = complete
    ? { mark, markGeneration: generation }
    : { mark: before?.mark ?? null, markGeneration: before?.markGeneration ?? null };
  rows.listing = { generation, cursor, complete, ...marked };
};

/** What an earlier job knows of the item does not do: it failed, something of it is missing, or it is not trusted. */
const mustBeSeen = (item: ItemRow, { judgedSince }: ItemRun): boolean =>
  item.outcome === 'failed' || item.fingerprint === null || isIncomplete(item) || item.at < judgedSince;

/** What the listing that left the mark did not come by is no rest: it is gone, and its sweep was broken off. */
const restOf = (rows: ItemRows, { generation }: ItemRun, except: ReadonlySet<string>): readonly ItemRow[] =>
  inOrder(rows).filter(
    (item) =>
      item.generation < generation &&
      item.outcome !== 'row_failed' &&
      rows.listing !== null &&
      item.generation >= (rows.listing.markGeneration ?? 0) &&
      !except.has(item.locator),
  );

/** Where rows of an item failed, the item is owed: they are no items themselves. */
const owed = (rows: ItemRows, run: ItemRun, except: ReadonlySet<string>): readonly string[] => {
  const ofRows = inOrder(rows)
    .filter(({ outcome }) => outcome === 'row_failed')
    .map(({ locator, generation }) => `${generation} ${locator.replace(/#row=\d+$/, '')}`);
  const broken = new Set(ofRows);
  return restOf(rows, run, except)
    .filter((item) => mustBeSeen(item, run) || broken.has(`${item.generation} ${item.locator}`))
    .map(({ locator }) => locator);
};

/** Takes these for seen by this generation, and as they were. */
const carry = (rows: ItemRows, items: readonly ItemRow[], { generation }: ItemRun, at: number): void => {
  for (const item of items) {
    const outcome = item.outcome === 'skipped' ? 'skipped' : 'unchanged';
    rows.items.set(item.locator, { ...item, generation, outcome, bytes: 0, at, attempt: 1 });
  }
};
