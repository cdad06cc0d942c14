import type { FetchedItem, OpenedFor } from '../../../application/sources/ingestion/listed/listed-source.ts';

export const never: AbortSignal = new AbortController().signal;

/** For a first job. */
export const OPENED: OpenedFor = {
  tenant: 'acme',
  dataSourceId: 'ds-1',
  syncToken: null,
  readAll: false,
  known: async () => new Map(),
};

/** The text of a document, or why there is none. */
export const told = (item: FetchedItem | undefined): string => {
  switch (item?.kind) {
    case 'document':
      return Buffer.from(item.document.body as Uint8Array).toString('utf8');
    case 'skipped':
      return item.reason;
    case 'failed':
      return item.code;
    case 'gone':
      return 'gone';
    case undefined:
      return 'not fetched';
  }
};
export const toldAll = ({
  fetched,
}: {
  readonly fetched: ReadonlyMap<string, FetchedItem>;
}): Readonly<Record<string, string>> =>
  Object.fromEntries([...fetched].map(([locator, item]) => [locator, told(item)]));
