import type {
  ItemError,
  ItemRun,
  ItemStore,
  ListingState,
  VisitedItem,
} from '../../../application/ports/item-store.ts';
import { type Page, unknownCursor } from '../../../application/ports/page.ts';

/** What was found when the item was looked at last, and by which generation. */
export interface ItemRow extends VisitedItem {
  readonly generation: number;
}

interface ListingRow extends ListingState {
  readonly generation: number;
  readonly syncToken: string | null;
  /** Which listed everything last, or took it for unchanged; null: none did. */
  readonly markGeneration: number | null;
}

/** What is known of the items of one data source. */
interface ItemRows {
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

const createItemRows = (): AllItemRows => {
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
const inOrder = ({ items }: ItemRows): readonly ItemRow[] =>
  [...items.values()].toSorted((a, b) => compareLocators(a.locator, b.locator));

const compareLocators = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** It was indexed, or found as it was, and something of it is missing. */
const isIncomplete = ({ outcome, code }: ItemRow): boolean =>
  (outcome === 'indexed' || outcome === 'unchanged') && code !== null;

/** What providers that list their items ask of an item store. */
type ItemListings = Pick<
  ItemStore,
  'listing' | 'markAllUnchanged' | 'pending' | 'markRestUnchanged' | 'unseen' | 'orphans'
>;

/** @param catalog ids of sources that the catalog has of a data source */
const listingsIn = (
  all: AllItemRows,
  catalog: (dataSourceId: string) => readonly string[],
): ItemListings => ({
  listing: async ({ dataSourceId, generation }) => {
    const { listing } = all.of(dataSourceId);
    const syncToken = listing?.syncToken ?? null;
    if (listing?.generation !== generation) return { cursor: null, complete: false, syncToken };
    return { cursor: listing.cursor, complete: listing.complete, syncToken };
  },
  markAllUnchanged: async (run, at) => {
    const rows = all.of(run.dataSourceId);
    const { listing } = rows;
    if (listing === null || listing.syncToken === null) return false;
    const { markGeneration } = listing;
    if (markGeneration === null || markGeneration >= run.generation) return false;
    const items = inOrder(rows);
    if (items.some((item) => item.generation !== markGeneration || mustBeSeen(item, run))) return false;
    carry(rows, items, run, at);
    rows.listing = {
      ...DONE,
      generation: run.generation,
      syncToken: listing.syncToken,
      markGeneration: run.generation,
    };
    return true;
  },
  pending: async (run, except, limit) => pending(all.of(run.dataSourceId), run, except).slice(0, limit),
  markRestUnchanged: async (run, { except, syncToken }, at) => {
    const rows = all.of(run.dataSourceId);
    if (pending(rows, run, except).length > 0) return false;
    carry(rows, restOf(rows, run, except), run, at);
    moveListing(rows, run, { ...DONE, syncToken });
    return true;
  },
  unseen: async ({ dataSourceId, generation }, limit) =>
    inOrder(all.of(dataSourceId))
      .flatMap(({ locator, sourceId, generation: last }) =>
        sourceId !== null && last < generation ? [{ locator, sourceId }] : [],
      )
      .slice(0, limit),
  orphans: async ({ dataSourceId }, after, limit) => {
    const known = new Set(inOrder(all.of(dataSourceId)).map(({ sourceId }) => sourceId));
    return catalog(dataSourceId)
      .filter((id) => !known.has(id) && id > (after ?? ''))
      .toSorted()
      .slice(0, limit);
  },
});

const DONE = { cursor: null, complete: true } as const;

/** How far a listing has come; its sync token counts from one complete listing to the next. */
const moveListing = (
  rows: ItemRows,
  { generation }: ItemRun,
  { cursor, complete, syncToken = null }: ListingState,
): void => {
  const before = rows.listing;
  if (before !== null && before.generation > generation) return;
  const marked = complete
    ? { syncToken, markGeneration: generation }
    : { syncToken: before?.syncToken ?? null, markGeneration: before?.markGeneration ?? null };
  rows.listing = { generation, cursor, complete, ...marked };
};

/** What an earlier job knows of the item does not do: it failed, something of it is missing, or it is not trusted. */
const mustBeSeen = (item: ItemRow, { rulesChangedAt }: ItemRun): boolean =>
  item.outcome === 'failed' || item.fingerprint === null || isIncomplete(item) || item.at < rulesChangedAt;

/** What the listing that left the sync token did not come by is no rest: it is gone, and its sweep was broken off. */
const restOf = (rows: ItemRows, { generation }: ItemRun, except: ReadonlySet<string>): readonly ItemRow[] =>
  inOrder(rows).filter(
    (item) =>
      item.generation < generation &&
      item.outcome !== 'row_failed' &&
      item.generation >= (rows.listing?.markGeneration ?? 0) &&
      !except.has(item.locator),
  );

/** Where rows of an item failed, the item is pending: they are no items themselves. */
const pending = (rows: ItemRows, run: ItemRun, except: ReadonlySet<string>): readonly string[] => {
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

export interface MemoryItemStore extends ItemStore {
  /** All that is kept of the items of a data source, in the order of their locators, rows among them. */
  readonly itemsOf: (dataSourceId: string) => readonly ItemRow[];
}

/**
 * Items in memory, gone with the process: for tests. Of documents that callers take out it knows what `forgetDocument`
 * tells. @param catalog ids of sources that the catalog has of a data source
 */
export const createMemoryItemStore = (
  catalog: (dataSourceId: string) => readonly string[] = () => [],
): MemoryItemStore => {
  const all = createItemRows();
  return {
    ...listingsIn(all, catalog),
    itemsOf: (dataSourceId) => inOrder(all.of(dataSourceId)),
    known: async ({ dataSourceId, generation, rulesChangedAt }, locators) =>
      new Map(
        locators.flatMap((locator) => {
          const item = all.of(dataSourceId).items.get(locator);
          if (item === undefined) return [];
          const { outcome, code, message } = item;
          const known = {
            seen: item.generation >= generation,
            fingerprint: item.at < rulesChangedAt ? null : item.fingerprint,
            failed: outcome === 'failed',
            skipped: outcome === 'skipped' ? { code: code ?? '', message: message ?? '' } : null,
          };
          return [[locator, known] as const];
        }),
      ),
    commit: async (run, visited, listing) => {
      const rows = all.of(run.dataSourceId);
      for (const visit of visited) record(rows, run, visit);
      if (listing !== undefined) moveListing(rows, run, listing);
    },
    commitVersion: async (run, locator, visited) => {
      const rows = all.of(run.dataSourceId);
      for (const { locator: name, outcome } of rows.items.values())
        if (outcome === 'row_failed' && /^(.*)#row=\d+$/s.exec(name)?.[1] === locator)
          rows.items.delete(name);
      for (const visit of visited) record(rows, run, visit);
    },
    recordHeartbeat: async ({ dataSourceId }, at) => {
      const rows = all.of(dataSourceId);
      rows.heardAt = Math.max(rows.heardAt, at);
    },
    lastHeartbeat: async (dataSourceId) => all.of(dataSourceId).heardAt,
    counts: async ({ dataSourceId, generation }) => {
      const own = inOrder(all.of(dataSourceId)).filter((item) => item.generation === generation);
      const many = (wanted: string): number => own.filter(({ outcome }) => outcome === wanted).length;
      const [indexed, unchanged] = [many('indexed'), many('unchanged')];
      const [skipped, failed] = [many('skipped'), many('failed')];
      const bytes = own.reduce((sum, item) => sum + item.bytes, 0);
      return { seen: indexed + unchanged + skipped + failed, indexed, unchanged, skipped, failed, bytes };
    },
    forget: async ({ dataSourceId, generation }, locators) => {
      const { items } = all.of(dataSourceId);
      for (const locator of locators)
        if ((items.get(locator)?.generation ?? generation) < generation) items.delete(locator);
    },
    forgetDocument: async ({ dataSourceId, generation }, sourceId) => {
      const { items } = all.of(dataSourceId);
      for (const item of items.values())
        if (item.sourceId === sourceId && item.generation < generation)
          items.set(item.locator, { ...item, fingerprint: null });
    },
    purge: async (dataSourceId) => all.purge(dataSourceId),
    errors: async (dataSourceId, { limit, after }, which): Promise<Page<ItemError>> => {
      const rows = all.of(dataSourceId);
      if (after !== undefined && !rows.items.has(after)) throw unknownCursor(after);
      const items = inOrder(rows);
      const newest = Math.max(...items.map(({ generation }) => generation));
      const wrong = items.filter(
        (item) =>
          item.generation === newest &&
          (isWrong(item) || (which !== undefined && item.outcome === 'skipped')),
      );
      const left = wrong
        .filter(({ locator }) => compareLocators(locator, after ?? '') > 0)
        .map(({ locator, code, message, at, attempt }): ItemError => ({
          locator,
          code: code ?? '',
          message: message ?? '',
          at,
          attempt,
        }));
      return { rows: left.slice(0, limit), hasMore: left.length > limit, total: wrong.length };
    },
  };
};

const record = ({ items }: ItemRows, { generation }: ItemRun, visit: VisitedItem): void => {
  const before = items.get(visit.locator);
  if (visit.outcome === 'gone') {
    items.delete(visit.locator);
    return;
  }
  if (before !== undefined && before.generation > generation) return;
  if (before !== undefined && visit.outcome === 'row_failed' && before.outcome !== 'row_failed') return;
  const fingerprint = visit.outcome === 'failed' ? (before ?? visit).fingerprint : visit.fingerprint;
  items.set(visit.locator, { ...visit, fingerprint, generation });
};

/** Failed, a row of it did, or indexed with something missing. */
const isWrong = (item: ItemRow): boolean =>
  item.outcome === 'failed' || item.outcome === 'row_failed' || isIncomplete(item);
