import type { JobErrorTitle } from '../../../../domain/data-source/index.ts';
import type { Parameters } from '../../../../domain/ingestion-setting/index.ts';
import type { Connector } from '../connector.ts';
import type { FoundDocument } from '../read-documents.ts';
import type { KnownItem } from '../../../ports/item-store.ts';

/** An item in a provider's listing. */
export interface ListedItem {
  /** Permanent name within the data source: a path, an id. */
  readonly locator: string;
  /** Changes when the item changes: a hash, a revision, a modification time. */
  readonly fingerprint: string;
}

/** The provider's response for a new or changed item. */
export type FetchedItem =
  | {
      readonly kind: 'document';
      /** `url` is the address for people. */
      readonly document: FoundDocument & { readonly url: string };
      /** Absent: the provider has no metadata. */
      readonly metadata?: ProviderMetadata;
    }
  /** This version of the item is skipped. An existing document is removed. */
  | {
      readonly kind: 'skipped';
      readonly reason: string;
      readonly message: string;
      /** What people call it, and where they open it. */
      readonly title?: string;
      readonly url?: string;
    }
  /** This item cannot be fetched; others are not affected. An existing document stays. */
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      /** What people call it, and where they open it. */
      readonly title?: string;
      readonly url?: string;
    }
  /** The item was listed but no longer exists. */
  | { readonly kind: 'gone' };

/**
 * A provider's metadata of a document. It becomes metadata of the source, usable in filters: `author` (string),
 * `created` and `modified` (datetime). Metadata that callers write under the same keys takes precedence.
 */
export interface ProviderMetadata {
  readonly author: string | null;
  /**
   * Time of publication or creation in RFC 3339, such as `2026-11-27T10:00:00+01:00`. A time without an offset is UTC, and
   * a date is its midnight. Any other text counts as null.
   */
  readonly created: string | null;
  readonly modified: string | null;
}

export interface ListingPage {
  readonly items: readonly ListedItem[];
  /** Cursor of the next page; null: this is the last page. */
  readonly next: string | null;
  /**
   * Set on the last page of a listing of changes, which may be the only page of the first job: items that no page
   * mentions are unchanged since the sync token, except the deleted ones in `without`. Absent: items that no page mentions
   * no longer exist. Needs `Listing.find`.
   */
  readonly othersUnchanged?: { readonly without: ReadonlySet<string> };
}

/** The context in which a provider is opened. */
export interface OpenedFor {
  readonly tenant: string;
  readonly dataSourceId: string;
  /**
   * The result of `Listing.syncToken` at the last complete listing; null if it must not be used, or if an interrupted
   * listing continues.
   */
  readonly syncToken: string | null;
  /** True if the job reads every item, whatever is known about it. */
  readonly readAll: boolean;
  /** The current knowledge about these items; unknown ones are absent. */
  readonly known: (
    locators: readonly string[],
  ) => Promise<ReadonlyMap<string, Pick<KnownItem, 'fingerprint' | 'failed'>>>;
}

/** A provider, opened for one attempt of a job. All methods throw SourceRefused and SourceUnavailable. */
export interface Listing {
  /** True if nothing has changed since the given sync token, so that no item needs listing. Default: false. */
  readonly unchanged?: boolean;
  /** After a complete listing: the sync token for the next job, such as a version or a change token. */
  readonly syncToken?: () => string;
  /**
   * Lists a page of all items, or of those changed since the sync token. `cursor`: null for the first page, otherwise
   * `next` of an earlier page, possibly from an attempt before a restart. Items may appear twice, and items added or
   * removed during the listing may be missing: the next job finds them. Called when all items of the previous page are
   * fetched, but not necessarily recorded.
   */
  readonly list: (cursor: string | null, signal: AbortSignal) => Promise<ListingPage>;
  /**
   * Finds items by locator; null removes the item. To keep an item that cannot be fetched now, return it, and let `fetch`
   * return `failed`. Required if `itemsToSync` accepts named items, or if
   * `list` returns only changes.
   */
  readonly find?: (
    locators: readonly string[],
    signal: AbortSignal,
  ) => Promise<readonly (ListedItem | null)[]>;
  /**
   * Called before the items of a page are fetched, with these items in order, so that the provider can fetch many at
   * once.
   */
  readonly prepare?: (items: readonly ListedItem[], signal: AbortSignal) => Promise<void>;
  readonly fetch: (item: ListedItem, signal: AbortSignal) => Promise<FetchedItem>;
  /** Called once at the end of the attempt, in any case. */
  readonly close?: () => Promise<void>;
}

/** The provider-specific part of a connector for a provider that lists its items. */
export interface ListedSource<P extends Parameters> extends Pick<
  Connector<P>,
  | 'kind'
  | 'sourceType'
  | 'contentParameters'
  | 'secretTypes'
  | 'needsSecret'
  | 'check'
  | 'subjectOf'
  | 'itemsToSync'
> {
  /** @throws SourceRefused, SourceUnavailable, CredentialsRefused, CredentialsUnavailable */
  open(parameters: P, signal: AbortSignal, of: OpenedFor): Promise<Listing>;
  /** Concurrent fetches; default 4. */
  readonly fetches?: number;
}

/** A permanent refusal by the provider: the job fails. */
export class SourceRefused extends Error {
  override readonly name = 'SourceRefused';
  readonly code: string;
  readonly title: JobErrorTitle;
  /** @param code stable, for programs; `message` says what to do */
  constructor(code: string, title: JobErrorTitle, message: string) {
    super(message);
    [this.code, this.title] = [code, title];
  }
}

/** The provider is unreachable or asks to retry later: the job is retried. */
export class SourceUnavailable extends Error {
  override readonly name = 'SourceUnavailable';
  /** The provider is available but does not answer this request; other requests may succeed. */
  readonly oneRequest: boolean;
  /** Unix milliseconds before which the provider asks not to retry. */
  readonly notBefore: number | undefined;
  constructor(message: string, how: { readonly oneRequest?: boolean; readonly notBefore?: number } = {}) {
    super(message);
    [this.oneRequest, this.notBefore] = [how.oneRequest ?? false, how.notBefore];
  }
}
