import { onTestFinished } from 'vitest';
import type {
  FetchedUnit,
  ListedSource,
  OpenedFor,
} from '../../../../application/sources/ingestion/listed/listed-source.ts';
import type { RepoParameters } from '../../../../domain/ingestion-setting/index.ts';
import { openRepositoryHost, type RepositoryHost } from '../../../support/repository-host/repository-host.ts';
import { REPOSITORY } from '../../../support/repository-provider.ts';

export const never: AbortSignal = new AbortController().signal;

/** By a first job. */
export const OPENED: OpenedFor = {
  tenant: 'acme',
  dataSourceId: 'ds-1',
  mark: null,
  afresh: false,
  known: async () => new Map(),
};

/** A host of the running test. */
export const hosted = async (): Promise<RepositoryHost> => {
  const host = await openRepositoryHost('acme/docs');
  onTestFinished(() => host.close());
  return host;
};

/** What a job leaves, and what it fetched. */
export interface Read {
  readonly known: ReadonlyMap<string, string>;
  readonly mark: string;
  readonly fetched: ReadonlyMap<string, FetchedUnit>;
}

/** What a job would fetch that knows these units already: outcomes by path. */
export const readAll = async (
  source: ListedSource<RepoParameters>,
  parameters: Partial<RepoParameters> = {},
  { known, mark }: Partial<Read> = {},
): Promise<Read> => {
  const opened = { ...OPENED, mark: mark ?? null };
  const listing = await source.open({ ...REPOSITORY, ...parameters }, never, opened);
  try {
    if (listing.unchanged === true && known !== undefined && mark !== undefined)
      return { known, mark, fetched: new Map() };
    const now = new Map<string, string>();
    const fetched = new Map<string, FetchedUnit>();
    for (let cursor: string | null = null; ;) {
      const { units, next } = await listing.list(cursor, never);
      const changed = units.filter(({ locator, fingerprint }) => known?.get(locator) !== fingerprint);
      await listing.prepare?.(changed, never);
      for (const unit of changed) fetched.set(unit.locator, await listing.fetch(unit, never));
      for (const { locator, fingerprint } of units) now.set(locator, fingerprint);
      if (next === null) return { known: now, fetched, mark: listing.mark?.() ?? '' };
      cursor = next;
    }
  } finally {
    await listing.close?.();
  }
};

/** The text of a document, or why there is none. */
export const told = (unit: FetchedUnit | undefined): string => {
  switch (unit?.kind) {
    case 'document':
      return Buffer.from(unit.document.body as Uint8Array).toString('utf8');
    case 'skipped':
      return unit.reason;
    case 'failed':
      return unit.code;
    case 'gone':
      return 'gone';
    case undefined:
      return 'not listed';
  }
};
export const toldAll = (fetched: ReadonlyMap<string, FetchedUnit>): Readonly<Record<string, string>> =>
  Object.fromEntries([...fetched].map(([path, unit]) => [path, told(unit)]));
