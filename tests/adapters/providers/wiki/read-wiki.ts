import { onTestFinished } from 'vitest';
import type {
  FetchedItem,
  ListedSource,
} from '../../../../application/sources/ingestion/listed/listed-source.ts';
import type { WikiParameters } from '../../../../domain/ingestion-setting/index.ts';
import { openWikiHost, type WikiHost } from '../../../support/wiki-host/wiki-host.ts';
import { WIKI } from '../../../support/wiki-provider.ts';
import { never, OPENED } from '../listed.ts';

/** A wiki of the running test. */
export const hosted = async (): Promise<WikiHost> => {
  const wiki = await openWikiHost();
  onTestFinished(() => wiki.close());
  return wiki;
};

/** What a job knows of items when it ends: as the ledger has it. */
type Ledger = ReadonlyMap<string, { readonly fingerprint: string | null; readonly failed: boolean }>;

export interface Read {
  readonly ledger: Ledger;
  /** All that were listed. */
  readonly listed: readonly string[];
  /** What was fetched, since it had changed. */
  readonly fetched: ReadonlyMap<string, FetchedItem>;
}

/** A job, as `application/sources/ingestion/listed` would do it over what earlier ones know. */
export const readWiki = async (
  source: ListedSource<WikiParameters>,
  parameters: Partial<WikiParameters> = {},
  before: Ledger = new Map(),
  readAll = false,
): Promise<Read> => {
  const ledger = new Map(before);
  const listing = await source.open({ ...WIKI, ...parameters }, never, {
    ...OPENED,
    readAll,
    known: async (ids) => new Map(ids.flatMap((id) => (ledger.has(id) ? [[id, ledger.get(id)!]] : []))),
  });
  const listed = new Set<string>();
  const fetched = new Map<string, FetchedItem>();
  for (let cursor: string | null = null; ;) {
    const { items, next } = await listing.list(cursor, never);
    for (const item of items) {
      const { locator, fingerprint } = item;
      listed.add(locator);
      const was = ledger.get(locator);
      if (!readAll && was?.failed === false && was.fingerprint === fingerprint) continue;
      const outcome = await listing.fetch(item, never);
      fetched.set(locator, outcome);
      if (outcome.kind === 'gone') ledger.delete(locator);
      else if (outcome.kind === 'failed')
        ledger.set(locator, { fingerprint: was?.fingerprint ?? null, failed: true });
      else ledger.set(locator, { fingerprint, failed: false });
    }
    if (next === null) break;
    cursor = next;
  }
  for (const locator of before.keys()) if (!listed.has(locator)) ledger.delete(locator);
  return { ledger, listed: [...listed], fetched };
};

/** Requests since there were `before`: what was asked for, without its id. */
export const askedSince = ({ asked }: WikiHost, before: number): readonly string[] =>
  asked.slice(before).map(({ path }) =>
    path
      .replace(/^\/v1\//, '')
      .replaceAll(/[0-9a-f-]{36}/g, '…')
      .replace(/\?.*/, ''),
  );
