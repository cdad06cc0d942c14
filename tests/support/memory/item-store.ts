import { type Page, unknownCursor } from '../../../application/ports/page.ts';
import type { ItemError, ItemStore, ItemRun, VisitedItem } from '../../../application/ports/item-store.ts';
import {
  listingsIn,
  moveListing,
  compareLocators,
  createItemRows,
  inOrder,
  isIncomplete,
  type ItemRow,
  type ItemRows,
} from './item-listing.ts';

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
    known: async ({ dataSourceId, generation, judgedSince }, locators) =>
      new Map(
        locators.flatMap((locator) => {
          const item = all.of(dataSourceId).items.get(locator);
          if (item === undefined) return [];
          const { outcome, code, message } = item;
          const known = {
            seen: item.generation >= generation,
            fingerprint: item.at < judgedSince ? null : item.fingerprint,
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
    forgetRows: async ({ dataSourceId }, locator) => {
      const { items } = all.of(dataSourceId);
      for (const { locator: name, outcome } of items.values())
        if (outcome === 'row_failed' && /^(.*)#row=\d+$/s.exec(name)?.[1] === locator) items.delete(name);
    },
    forgetDocument: async ({ dataSourceId, generation }, sourceId) => {
      const { items } = all.of(dataSourceId);
      for (const item of items.values())
        if (item.sourceId === sourceId && item.generation < generation)
          items.set(item.locator, { ...item, fingerprint: null });
    },
    purge: async (dataSourceId) => all.purge(dataSourceId),
    errors: async (dataSourceId, { limit, after }): Promise<Page<ItemError>> => {
      const rows = all.of(dataSourceId);
      if (after !== undefined && !rows.items.has(after)) throw unknownCursor(after);
      const items = inOrder(rows);
      const newest = Math.max(...items.map(({ generation }) => generation));
      const wrong = items.filter((item) => item.generation === newest && isWrong(item));
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
