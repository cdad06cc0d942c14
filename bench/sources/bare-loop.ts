import type { Listing, OpenedFor } from '../../application/sources/ingestion/listed/listed-source.ts';
import type { Keeper } from './keeper.ts';

const FETCHES = 4;

/** A source of which nothing is known. */
export const OPENED: OpenedFor = {
  tenant: 'bench',
  dataSourceId: 'bench',
  syncToken: null,
  readAll: false,
  known: async () => new Map(),
};

const never = new AbortController().signal;

/** Lists and fetches all of it, some at a time, and hands each document on. */
export const readAll = async (listing: Listing, keep: Keeper['keep']): Promise<void> => {
  for (let cursor: string | null = null; ;) {
    const { items, next } = await listing.list(cursor, never);
    await listing.prepare?.(items, never);
    for (let i = 0; i < items.length; i += FETCHES)
      await Promise.all(
        items.slice(i, i + FETCHES).map(async (item) => keep(await listing.fetch(item, never))),
      );
    if (next === null) break;
    cursor = next;
  }
  await listing.close?.();
};
