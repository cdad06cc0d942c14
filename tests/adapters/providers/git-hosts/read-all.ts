import { onTestFinished } from 'vitest';
import type {
  FetchedItem,
  ListedSource,
} from '../../../../application/sources/ingestion/listed/listed-source.ts';
import type { RepoParameters } from '../../../../domain/ingestion-setting/index.ts';
import { openRepositoryHost, type RepositoryHost } from '../../../support/repository-host/repository-host.ts';
import { REPOSITORY } from '../../../support/repository-provider.ts';
import { never, OPENED } from '../listed.ts';

/** A host of the running test. */
export const hosted = async (): Promise<RepositoryHost> => {
  const host = await openRepositoryHost('acme/docs');
  onTestFinished(() => host.close());
  return host;
};

/** What a job leaves, and what it fetched. */
export interface Read {
  readonly known: ReadonlyMap<string, string>;
  readonly syncToken: string;
  readonly fetched: ReadonlyMap<string, FetchedItem>;
}

/** What a job would fetch that knows these items already: outcomes by path. */
export const readAll = async (
  source: ListedSource<RepoParameters>,
  parameters: Partial<RepoParameters> = {},
  { known, syncToken }: Partial<Read> = {},
): Promise<Read> => {
  const opened = { ...OPENED, syncToken: syncToken ?? null };
  const listing = await source.open({ ...REPOSITORY, ...parameters }, never, opened);
  try {
    if (listing.unchanged === true && known !== undefined && syncToken !== undefined)
      return { known, syncToken, fetched: new Map() };
    const now = new Map<string, string>();
    const fetched = new Map<string, FetchedItem>();
    for (let cursor: string | null = null; ;) {
      const { items, next } = await listing.list(cursor, never);
      const changed = items.filter(({ locator, fingerprint }) => known?.get(locator) !== fingerprint);
      await listing.prepare?.(changed, never);
      for (const item of changed) fetched.set(item.locator, await listing.fetch(item, never));
      for (const { locator, fingerprint } of items) now.set(locator, fingerprint);
      if (next === null) return { known: now, fetched, syncToken: listing.syncToken?.() ?? '' };
      cursor = next;
    }
  } finally {
    await listing.close?.();
  }
};
