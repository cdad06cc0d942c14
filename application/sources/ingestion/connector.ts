import type { DataSourceSubject, JobCounts } from '../../../domain/data-source/index.ts';
import type { Parameters, ParametersKind, ParametersOf } from '../../../domain/ingestion-setting/index.ts';
import type { SecretType } from '../../../domain/secret/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { SourceType } from '../../../domain/source/events.ts';

import type { Page, PageRequest } from '../../ports/page.ts';
import type { ItemError } from '../../ports/item-store.ts';
import type { Job, JobOutcome } from './job.ts';
import type { Documents } from './documents.ts';

/** One generation of a data source: what one job, and each of its attempts, looks at. */
export interface Generation {
  readonly dataSourceId: string;
  readonly generation: number;
}

/** A job under way, as a connector sees it. */
export interface Ingestion<P extends Parameters = Parameters> {
  readonly job: Job;
  readonly parameters: P;
  /**
   * Unix milliseconds: what was known of items before is not trusted, because they are judged in another way since. 0: all
   * is.
   */
  readonly rulesChangedAt: number;
  readonly documents: Documents;
}

export type ConnectorOutcome =
  | {
      readonly kind: 'completed';
      readonly counts: JobCounts;
      /** Whether every item was looked at. Then the files that no document refers to are deleted. */
      readonly complete: boolean;
    }
  | Exclude<JobOutcome, { readonly kind: 'completed' }>;

/**
 * What one kind of data source adds to what is the same for all: how its items are found, what tells that one has
 * changed, and how its bytes are fetched. Everything else is done by `application/sources/ingestion`.
 *
 * Its methods take the parameters of its own kind alone; `connectorOf` finds it by them.
 */
export interface Connector<P extends Parameters = Parameters> {
  readonly kind: P['kind'];
  /** Of the sources that its items become. */
  readonly sourceType: SourceType;
  /** Parameters by which items are judged: after one of them has changed, what earlier jobs know is not trusted. */
  readonly contentParameters: readonly (keyof P & string)[];
  /** Of secrets that its provider can be asked with; absent: it is asked without. */
  readonly secretTypes?: readonly SecretType[];
  /** Its provider shows nothing without a secret: no data source is created without one. Absent: it may. */
  readonly needsSecret?: boolean;
  /** Its jobs are done by a process outside, which reports: they are handed over as they are asked for. */
  readonly outside?: true;
  /** What a schema cannot say of parameters. @throws DomainError invalid_request, pattern_invalid, not_configured */
  check(parameters: P): void;
  /** What the data source points at, in its stream and in lists from its registration on. */
  subjectOf(parameters: P): DataSourceSubject;
  /**
   * The items that a sync names, in their canonical form, each once. Without it a data source syncs as a whole alone.
   *
   * @throws DomainError invalid_request, which names the first that is none
   */
  itemsToSync?(
    of: { readonly dataSourceId: string; readonly parameters: P },
    locators: readonly string[],
  ): Promise<readonly string[]>;
  /**
   * Does a job, from wherever an attempt before it stopped. Calls `job.begin` when nothing speaks against it any more,
   * `job.progress` as it goes, and `job.assertLeaseHeld` before it writes to a store of its own. Tells by `documents` what it
   * finds. Settles soon after `signal` aborts, by whatever outcome or error.
   */
  run(ingestion: Ingestion<P>, signal: AbortSignal): Promise<ConnectorOutcome>;
  /** Items of the newest generation that failed, by locator. `after` is a locator. @throws DomainError invalid_cursor */
  errors(dataSourceId: string, page: PageRequest): Promise<Page<ItemError>>;
  /** Locators of items of the newest generation that the provider asks robots not to read, up to `limit`. */
  blocked?(dataSourceId: string, limit: number): Promise<readonly string[]>;
  /**
   * Files of the data source that hold items, whether or not a document refers to them: no sweep takes them. Those that
   * these sources alone came from may go. Where callers put such files in, a sweep spares what is younger than
   * `ON_THEIR_WAY_MS`: they are there before it is known what they are.
   */
  keeps?(dataSourceId: string, without?: ReadonlySet<string>): Promise<ReadonlySet<string>>;
  /** Forgets what jobs before this generation know of a document, so that the next one reads its item afresh. */
  forgetDocument(generation: Generation, sourceId: string): Promise<void>;
  /** Forgets all that it knows of the data source. May be repeated. */
  forget(dataSourceId: string): Promise<void>;
}

/** Those that this service has, one for each kind. */
export type Connectors = { readonly [K in ParametersKind]?: Connector<ParametersOf<K>> };

/** See `Connector.forgetDocument`. Of whichever kind its data source is: the connectors of others know nothing of it. */
export const forgetDocument = async (
  connectors: Connectors,
  generation: Generation,
  sourceId: string,
): Promise<void> => {
  for (const connector of all(connectors)) await connector.forgetDocument(generation, sourceId);
};

/** See `Connector.keeps`. */
export const ON_THEIR_WAY_MS = 15 * 60_000;

/** See `Connector.keeps`. Of whichever kind it is; none: its kind keeps nothing by itself. */
export const filesThatConnectorsKeep = async (
  connectors: Connectors,
  dataSourceId: string,
  without?: ReadonlySet<string>,
): Promise<ReadonlySet<string>> => {
  const kept = await Promise.all(
    all(connectors).map(
      async (connector) => (await connector.keeps?.(dataSourceId, without)) ?? new Set<string>(),
    ),
  );
  return new Set(kept.flatMap((files) => [...files]));
};

/** See `Connector.forget`. Of whichever kind it is. */
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
