import type { DataSourceSubject, JobCounts } from '../../../domain/data-source/index.ts';
import type { Parameters, ParametersKind, ParametersOf } from '../../../domain/ingestion-setting/index.ts';
import type { SecretType } from '../../../domain/secret/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { SourceType } from '../../../domain/source/events.ts';

import type { Page, PageRequest } from '../../ports/page.ts';
import type { ItemError } from '../../ports/item-store.ts';
import type { Job, JobOutcome, WorkError } from './job.ts';
import type { Documents } from './documents.ts';

/** One generation of a data source: the work of one job, with all its attempts. */
export interface Generation {
  readonly dataSourceId: string;
  readonly generation: number;
}

/** A running job from the view of a connector. */
export interface Ingestion<P extends Parameters = Parameters> {
  readonly job: Job;
  readonly parameters: P;
  /**
   * Unix milliseconds. Knowledge about items from before is not trusted, because the rules for items changed then. 0:
   * all is trusted.
   */
  readonly rulesChangedAt: number;
  readonly documents: Documents;
}

export type ConnectorOutcome =
  | {
      readonly kind: 'completed';
      /** What was lost, although the job succeeded. */
      readonly error?: WorkError;
      readonly counts: JobCounts;
      /** Whether every item was visited. If so, files that no document refers to are deleted. */
      readonly complete: boolean;
    }
  | Exclude<JobOutcome, { readonly kind: 'completed' }>;

/** What a test of an address and a secret found. */
export type ConnectionTest =
  | {
      readonly kind: 'reached';
      /** Items on the first page of the listing. */
      readonly items: number;
      /** Whether the listing goes on behind them. */
      readonly more: boolean;
      /** Locator of the first item; null: there is none. */
      readonly firstItem: string | null;
    }
  | Exclude<JobOutcome, { readonly kind: 'completed' }>;

/**
 * The part of ingestion that is specific to one kind of data source: how its items are found, how a change is detected,
 * and how its bytes are fetched. `application/sources/ingestion` does everything else.
 *
 * The methods accept only parameters of their own kind; `connectorOf` selects the connector.
 */
export interface Connector<P extends Parameters = Parameters> {
  readonly kind: P['kind'];
  /** Type of the sources that result from its items. */
  readonly sourceType: SourceType;
  /**
   * Parameters that decide how items are treated. After a change to one of them, knowledge of earlier jobs is not
   * trusted.
   */
  readonly contentParameters: readonly (keyof P & string)[];
  /** Types of secrets that its provider accepts; absent: it needs no credentials. */
  readonly secretTypes?: readonly SecretType[];
  /** Its provider returns nothing without a secret, so that creating a data source requires one. Absent: optional. */
  readonly needsSecret?: boolean;
  /** An external process runs its jobs and reports on them: a job is handed over as soon as it is requested. */
  readonly external?: true;
  /** Checks parameters beyond their schema. @throws DomainError invalid_request, pattern_invalid, not_configured */
  check(parameters: P): void;
  /** The subject of the data source, stored in its stream and shown in lists. */
  subjectOf(parameters: P): DataSourceSubject;
  /**
   * The items named in a sync, in canonical form, without duplicates. Absent: a data source can only be synced as a
   * whole.
   *
   * @throws DomainError invalid_request, naming the first invalid item
   */
  itemsToSync?(
    of: { readonly dataSourceId: string; readonly parameters: P },
    locators: readonly string[],
  ): Promise<readonly string[]>;
  /**
   * Opens the provider and reads the first page of its listing, and stores nothing. Throws the reason of `signal` soon
   * after it aborts. Absent: there is no provider to reach with a secret.
   */
  test?(parameters: P, tenant: string, signal: AbortSignal): Promise<ConnectionTest>;
  /**
   * Runs a job from where the last attempt stopped. Calls `job.begin` after all initial checks have passed,
   * `job.progress` during the work, and `job.assertLeaseHeld` before it writes to its own store. Reports documents
   * through `documents`. Settles soon after `signal` aborts, with any outcome or error.
   */
  run(ingestion: Ingestion<P>, signal: AbortSignal): Promise<ConnectorOutcome>;
  /**
   * Failed items of the newest generation, ordered by locator; of uploads, skipped ones too. `after` is a locator. @throws DomainError invalid_cursor
   */
  errors(dataSourceId: string, page: PageRequest): Promise<Page<ItemError>>;
  /** Locators of the newest generation that the provider disallows for robots, up to `limit`. */
  blocked?(dataSourceId: string, limit: number): Promise<readonly string[]>;
  /**
   * Files of the data source that contain items, whether or not a document refers to them. A sweep never deletes them.
   * Files that belong only to the sources in `without` are left out. For these data sources a sweep spares files
   * younger than `UPLOAD_GRACE_MS`, because uploaded files are stored before they are listed.
   */
  retainedFiles?(dataSourceId: string, without?: ReadonlySet<string>): Promise<ReadonlySet<string>>;
  /** Deletes what jobs before this generation know about a document, so that the next job reads its item again. */
  forgetDocument(generation: Generation, sourceId: string): Promise<void>;
  /** Deletes everything that the connector stores about the data source. Idempotent. */
  forget(dataSourceId: string): Promise<void>;
}

/** The connectors of this service, by kind. */
export type Connectors = { readonly [K in ParametersKind]?: Connector<ParametersOf<K>> };

/** Calls `Connector.forgetDocument` of every connector; those of other kinds do not know the document. */
export const forgetDocument = async (
  connectors: Connectors,
  generation: Generation,
  sourceId: string,
): Promise<void> => {
  for (const connector of all(connectors)) await connector.forgetDocument(generation, sourceId);
};

/** See `Connector.retainedFiles`. */
export const UPLOAD_GRACE_MS = 15 * 60_000;

/** The union of `Connector.retainedFiles` over all connectors; only the one of the right kind returns files. */
export const retainedFilesOf = async (
  connectors: Connectors,
  dataSourceId: string,
  without?: ReadonlySet<string>,
): Promise<ReadonlySet<string>> => {
  const kept = await Promise.all(
    all(connectors).map(
      async (connector) => (await connector.retainedFiles?.(dataSourceId, without)) ?? new Set<string>(),
    ),
  );
  return new Set(kept.flatMap((files) => [...files]));
};

/** Calls `Connector.forget` of every connector. */
export const forgetDataSource = async (connectors: Connectors, dataSourceId: string): Promise<void> => {
  for (const connector of all(connectors)) await connector.forget(dataSourceId);
};

const all = (connectors: Connectors): readonly Connector[] =>
  Object.values(connectors as { readonly [kind: string]: Connector });

/** @throws DomainError not_configured */
export const connectorOf = (connectors: Connectors, kind: string): Connector => {
  const found = (connectors as { readonly [kind: string]: Connector | undefined })[kind];
  if (found === undefined)
    throw new DomainError('not_configured', `this service has no connector for ${kind}`);
  return found;
};
