import type { MemoryItemStore } from './memory/item-store.ts';

/** Outcomes of the items of a data source, by locator. */
export const outcomesIn = (
  itemStore: MemoryItemStore,
  dataSourceId: string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(itemStore.itemsOf(dataSourceId).map(({ locator, outcome }) => [locator, outcome]));
