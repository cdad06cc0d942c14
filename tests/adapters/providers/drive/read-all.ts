import { onTestFinished } from 'vitest';
import type {
  FetchedItem,
  ListedSource,
} from '../../../../application/sources/ingestion/listed/listed-source.ts';
import type { CloudDriveParameters } from '../../../../domain/ingestion-setting/index.ts';
import { type DriveHost, openDriveHost } from '../../../support/drive-host/drive-host.ts';
import { DRIVE, ROOT } from '../../../support/drive-provider.ts';
import { never, OPENED } from '../listed.ts';

/** A host of the running test, with an empty folder. */
export const hosted = async (): Promise<DriveHost> => {
  const host = await openDriveHost();
  onTestFinished(() => host.close());
  host.folder(ROOT, null);
  return host;
};

/** What a job leaves, and what it fetched. */
export interface Read {
  readonly known: ReadonlyMap<string, string>;
  readonly syncToken: string;
  readonly fetched: ReadonlyMap<string, FetchedItem>;
  /** Whether it went by what had changed. */
  readonly byChanges: boolean;
}

/** What a job would do that knows what another one has left: files by their ids. */
export const readAll = async (
  source: ListedSource<CloudDriveParameters>,
  before: Partial<Pick<Read, 'known' | 'syncToken'>> = {},
  parameters: Partial<CloudDriveParameters> = {},
): Promise<Read> => {
  const opened = { ...OPENED, syncToken: before.syncToken ?? null };
  const listing = await source.open({ ...DRIVE, ...parameters }, never, opened);
  const now = new Map<string, string>();
  const fetched = new Map<string, FetchedItem>();
  for (let cursor: string | null = null; ;) {
    const { items, next, othersUnchanged } = await listing.list(cursor, never);
    for (const item of items) {
      now.set(item.locator, item.fingerprint);
      if (before.known?.get(item.locator) !== item.fingerprint)
        fetched.set(item.locator, await listing.fetch(item, never));
    }
    if (next !== null) {
      cursor = next;
      continue;
    }
    if (othersUnchanged !== undefined)
      for (const [id, fingerprint] of before.known ?? [])
        if (!now.has(id) && !othersUnchanged.without.has(id)) now.set(id, fingerprint);
    return { known: now, fetched, syncToken: listing.syncToken!(), byChanges: othersUnchanged !== undefined };
  }
};

export const idsOf = ({ known }: Pick<Read, 'known'>): readonly string[] => [...known.keys()].toSorted();

export const paths = ({ asked }: DriveHost): readonly string[] => asked.map(({ path }) => path);
