import type { KnownItem, VisitedItem } from '../../../ports/item-store.ts';
import type { DocumentFact } from '../document-fact.ts';
import type { ReadOutcome } from '../read-documents.ts';
import { readDateTime } from '../../../../domain/filter/value.ts';
import type { MetadataRecord } from '../../../../domain/source/events.ts';
import type { FetchedItem, ListedItem, ProviderMetadata } from './listed-source.ts';

/** An item and what its provider returned for it. */
export interface FetchedItemOf {
  readonly item: ListedItem;
  readonly fetched: FetchedItem;
}

type ItemFailed = Extract<DocumentFact, { readonly kind: 'failed' }>;

/** A visit to an item. */
export interface ItemVisit {
  readonly item: ListedItem;
  /** Null: the item is unchanged and was not fetched. */
  readonly fetched: FetchedItem | null;
  readonly known: KnownItem | undefined;
  /** The result of reading a document. */
  readonly read?: ReadOutcome;
  /** Redacted title of an item without a document. */
  readonly title?: string;
  /** Redacted author of a document. */
  readonly author?: string;
}

/** The row of the visit, and the fact about its document; null if the document is unchanged. */
export const outcomeOf = (
  { item, fetched, known, read, title: called, author }: ItemVisit,
  idOf: (locator: string) => string,
  at: number,
  attempt: number,
): { readonly visited: VisitedItem; readonly fact: DocumentFact | null } => {
  const { locator, fingerprint } = item;
  const of = { locator, firstSeen: known === undefined, at };
  const sourceId = idOf(locator);
  const none = { code: null, message: null, bytes: 0, fingerprint: null };
  const visit = { locator, sourceId, ...none, at, attempt };
  const failed = (code: string, message: string, about: Pick<ItemFailed, 'url' | 'title'> = {}) => ({
    visited: { ...visit, outcome: 'failed', code, message } as const,
    fact: { kind: 'failed', code, message, ...about, ...of } as const,
  });
  if (fetched === null) {
    const { skipped = null } = known ?? {};
    const outcome =
      skipped === null ? ({ outcome: 'unchanged' } as const) : ({ outcome: 'skipped', ...skipped } as const);
    return { visited: { ...visit, ...outcome, fingerprint }, fact: null };
  }
  const about = (url: string | undefined, title = called) => ({
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
  });
  switch (fetched.kind) {
    case 'failed':
      return failed(fetched.code, fetched.message, about(fetched.url));
    case 'gone':
      return {
        visited: { ...visit, outcome: 'gone', sourceId: null },
        fact: known === undefined ? null : { kind: 'gone', ...of, firstSeen: false },
      };
    case 'skipped': {
      const { reason, message, url } = fetched;
      return {
        visited: { ...visit, outcome: 'skipped', code: reason, message, fingerprint },
        fact: { kind: 'skipped', reason, ...about(url), ...of },
      };
    }
    case 'document':
      break;
  }
  if (read === undefined) throw new Error(`${locator} was fetched and not read`);
  if (read.chunkSet === null) {
    const { outcome, title } = read;
    const { url } = fetched.document;
    if (outcome.kind === 'failed') return failed(outcome.code, outcome.message, about(url, title));
    const reason = 'unsupported_file_type';
    return {
      visited: { ...visit, outcome: 'skipped', code: reason, message: outcome.message, fingerprint },
      fact: { kind: 'skipped', reason, ...about(url, title), ...of },
    };
  }
  const { url, mediaType = 'application/octet-stream' } = fetched.document;
  const { bytes } = read.raw;
  const { missing, unread, rowErrors = [] } = read.outcome;
  // Without a fingerprint, the next job reads the item again and reports its row errors again.
  const settled = rowErrors.length > 0 ? null : fingerprint;
  return {
    visited: { ...visit, outcome: 'indexed', ...(missing ?? { fingerprint: settled, ...unread }), bytes },
    fact: { kind: 'indexed', ...of, url, mediaType, read, ...metadataOf(fetched.metadata, author) },
  };
};

const LONGEST_AUTHOR = 500;

const metadataOf = (
  given: ProviderMetadata | undefined,
  author = '',
): { readonly metadata?: readonly MetadataRecord[] } => {
  if (given === undefined) return {};
  const metadata: readonly MetadataRecord[] = [
    ...(author === ''
      ? []
      : [{ key: 'author', val: author.slice(0, LONGEST_AUTHOR), type: 'string' } as const]),
    ...momentOf('created', given.created),
    ...momentOf('modified', given.modified),
  ];
  return { metadata };
};

/** Filters accept years with four digits (ISO 8601). */
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const momentOf = (key: string, written: string | null): readonly MetadataRecord[] => {
  const text = written ?? '';
  const ms = readDateTime(text) ?? readDateTime(`${text}Z`);
  return ms !== null && ms >= 0 && ms <= LATEST_MS
    ? [{ key, val: new Date(ms).toISOString(), type: 'datetime' }]
    : [];
};

/** Row errors, named by the item and the number of the row. */
export const rowsOf = ({ item, read }: ItemVisit, at: number, attempt: number): readonly VisitedItem[] => {
  const { rowErrors = [] } = read?.outcome.kind === 'document' ? read.outcome : {};
  const byRow = Map.groupBy(rowErrors, ({ row }) => row);
  return [...byRow].map(([row, errors]) => ({
    locator: `${item.locator}#row=${row}`,
    outcome: 'row_failed',
    sourceId: null,
    fingerprint: null,
    code: errors.every(({ key }) => key === null) ? 'row_invalid' : 'value_invalid',
    message: errors
      .map(({ key, message }) => (key === null ? message : `${key}: ${message}`))
      .join('; ')
      .slice(0, 1_000),
    bytes: 0,
    at,
    attempt,
  }));
};
