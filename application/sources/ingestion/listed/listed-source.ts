import type { JobErrorTitle } from '../../../../domain/data-source/index.ts';
import type { Parameters } from '../../../../domain/ingestion-setting/index.ts';
import type { Connector } from '../connector.ts';
import type { FoundDocument } from '../read-documents.ts';
import type { KnownItem } from '../../../ports/item-store.ts';

/** One item as the provider lists it. */
export interface ListedItem {
  /** Names it within the data source, for good: a path, an id. */
  readonly locator: string;
  /** Another one tells that the item has changed: a hash, a revision, a time of change. */
  readonly fingerprint: string;
}

/** What a provider gives of an item that is new or has changed. */
export type FetchedItem =
  | {
      readonly kind: 'document';
      /** Its `url` is where people open it. */
      readonly document: FoundDocument & { readonly url: string };
      /** Absent: the provider tells nothing of the kind. */
      readonly metadata?: ProviderMetadata;
    }
  /** Left out, for this version of it. A document that was there is taken away. */
  | {
      readonly kind: 'skipped';
      readonly reason: string;
      readonly message: string;
      /** What people call it, and where they open it. */
      readonly title?: string;
      readonly url?: string;
    }
  /** This item cannot be had, whatever becomes of the others. What was stored of it stays. */
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      /** What people call it, and where they open it. */
      readonly title?: string;
      readonly url?: string;
    }
  /** It was listed, and is there no more. */
  | { readonly kind: 'gone' };

/**
 * What a provider tells of a document beside its text. It becomes metadata of the source, which filters can ask for:
 * `author` (string), `created` and `modified` (datetime). What callers write under the same keys wins.
 */
export interface ProviderMetadata {
  readonly author: string | null;
  /** When it was published, or made: ISO 8601 as the provider writes it. What is no such time counts as null. */
  readonly created: string | null;
  readonly modified: string | null;
}

export interface ListingPage {
  readonly items: readonly ListedItem[];
  /** Where the next page begins; null: this was the last. */
  readonly next: string | null;
  /**
   * On the last page of a listing that holds changes alone: items that no page has named are as they were when the mark
   * was left, but for these, which are there no more. Absent: what no page has named is there no more.
   */
  readonly othersStay?: { readonly without: ReadonlySet<string> };
}

/** For whom a provider is opened. */
export interface OpenedFor {
  readonly tenant: string;
  readonly dataSourceId: string;
  /**
   * What `Listing.mark` gave when a job last listed everything; null: what it says is not to be gone by, or a listing that
   * was begun goes on.
   */
  readonly mark: string | null;
  /** The job reads every item, whatever is known of it. */
  readonly afresh: boolean;
  /** What is known of these items, as of now; those of which nothing is known are absent. */
  readonly known: (
    locators: readonly string[],
  ) => Promise<ReadonlyMap<string, Pick<KnownItem, 'fingerprint' | 'failed'>>>;
}

/** A provider, opened for one attempt of a job. All of it throws SourceRefused and SourceUnavailable. */
export interface Listing {
  /** Nothing has changed since the mark that it was opened with: no item need be listed. Default: false. */
  readonly unchanged?: boolean;
  /** Once everything was listed: what the next job is to be told, such as a version or a token of changes. */
  readonly mark?: () => string;
  /**
   * A page of all items, or of those that have changed since the mark. `cursor` null: the first; else `next` of an earlier page, maybe of an attempt before a restart.
   * Items may come twice, and those that come or go meanwhile may be missing: the next job finds them. Called when all of
   * the page before is fetched, which need not be recorded by then.
   */
  readonly list: (cursor: string | null, signal: AbortSignal) => Promise<ListingPage>;
  /**
   * The items of these locators, null for those that are not there. Where `itemsToSync` allows to name items, and where
   * `list` gives changes alone.
   */
  readonly find?: (
    locators: readonly string[],
    signal: AbortSignal,
  ) => Promise<readonly (ListedItem | null)[]>;
  /** Told before the items of a page are fetched which they will be, in their order: many may be had at once. */
  readonly prepare?: (items: readonly ListedItem[], signal: AbortSignal) => Promise<void>;
  readonly fetch: (item: ListedItem, signal: AbortSignal) => Promise<FetchedItem>;
  /** Called once, whatever became of the attempt. */
  readonly close?: () => Promise<void>;
}

/** What a provider that lists its items adds to `Connector`. */
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
  /** Items that are fetched at once; default 4. */
  readonly fetches?: number;
}

/** The provider says no, and would say so again: the job fails. */
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

/** The provider cannot be reached, or asks to come later: the job is tried again. */
export class SourceUnavailable extends Error {
  override readonly name = 'SourceUnavailable';
  /** It is there, but does not answer this request: others may fare better. */
  readonly oneRequest: boolean;
  /** Unix milliseconds: it asks not to be asked before. */
  readonly notBefore: number | undefined;
  constructor(message: string, how: { readonly oneRequest?: boolean; readonly notBefore?: number } = {}) {
    super(message);
    [this.oneRequest, this.notBefore] = [how.oneRequest ?? false, how.notBefore];
  }
}
