import { RequestRefused } from '../provider/refusal.ts';
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
    let { inTrash, parent } = await of.api.page(id, signal);
    if (inTrash) return false;
    // Without its children, a page is itself alone, and a database its rows.
    if (!of.includeChildren) return of.root.kind === 'database' && parent.id === root;
    for (let level = 0; level < MOST_LEVELS; level += 1) {
      if (parent.id === root) return true;
      const above = await parentOf(of.api, parent, signal);
      if (above === null) return false;
      parent = above;
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
      return (await api.page(id, signal)).parent;
    case 'block_id':
      return (await api.block(id, signal)).parent;
    case 'database_id':
      return (await api.database(id, signal)).parent;
    default:
      return null;
  }
};
