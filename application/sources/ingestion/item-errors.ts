import type { DataSourceKind } from '../../../domain/data-source/index.ts';
import { type Caller, sees } from '../../access/caller.ts';
import type { Page, PageRequest } from '../../ports/page.ts';
import type { ItemError } from '../../ports/item-store.ts';
import type { DataSourceView } from '../../ports/data-source-view.ts';
import { connectorOf, type Connectors } from './connector.ts';
import { noSuch } from './command-data-source.ts';

const MOST_BLOCKED = 1_000;

export interface ItemErrors {
  readonly errors: Page<ItemError>;
  /** Locators that the provider asks robots not to read, at most 1,000. */
  readonly blocked: readonly string[];
}

/**
 * Items of the newest job that failed, by locator (`after` is a locator), and those that may not be read.
 *
 * @throws DomainError not_found, invalid_cursor
 */
export const createItemErrors =
  ({ view, connectors }: { readonly view: DataSourceView; readonly connectors: Connectors }) =>
  async (caller: Caller, kind: DataSourceKind, id: string, page: PageRequest): Promise<ItemErrors> => {
    const found = sees(caller, id) ? await view.get(caller.tenant, kind, id) : null;
    if (found === null) throw noSuch(kind);
    const connector = connectorOf(connectors, kind);
    const errors = await connector.errors(id, page);
    return { errors, blocked: (await connector.blocked?.(id, MOST_BLOCKED)) ?? [] };
  };
export type ReadItemErrors = ReturnType<typeof createItemErrors>;
