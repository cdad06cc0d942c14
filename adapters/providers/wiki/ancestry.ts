import { RequestRefused } from '../../http-client/refusal.ts';
import type { WikiParent } from './objects.ts';
import type { Root } from './root.ts';
import type { WikiApi } from './wiki-api.ts';

const MOST_LEVELS = 100;

/** Whether a page is the root, or lies below it: other pages may be shared with the same integration. */
export const isBelow = async (
  of: { readonly api: WikiApi; readonly root: Root; readonly includeChildren: boolean },
  id: string,
  signal: AbortSignal,
): Promise<boolean> => {
  const root = of.root.kind === 'page' ? of.root.page.id : of.root.database.id;
  if (id === root) return of.root.kind === 'page';
  try {
    let { parent } = await of.api.page(id, signal);
    // Without its children, a page is itself alone, and a database its rows.
    if (!of.includeChildren) return of.root.kind === 'database' && parent.id === root;
    for (let level = 0; level < MOST_LEVELS; level += 1) {
      if (parent.id === root) return true;
      const next = await parentOf(of.api, parent, signal);
      if (next === null) return false;
      parent = next;
    }
    return false;
  } catch (error) {
    if (error instanceof RequestRefused) return false;
    throw error;
  }
};

const parentOf = async (
  api: WikiApi,
  { type, id }: WikiParent,
  signal: AbortSignal,
): Promise<WikiParent | null> => {
  switch (type) {
    case 'page_id':
      return above(await api.page(id, signal));
    case 'block_id':
      return above(await api.block(id, signal));
    case 'database_id':
      return above(await api.database(id, signal));
    default:
      return null;
  }
};

/** What is in the trash has taken along what is below it. */
const above = (one: { readonly inTrash: boolean; readonly parent: WikiParent }): WikiParent | null =>
  one.inTrash ? null : one.parent;
