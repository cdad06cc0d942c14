import type { IngestionSettingRow, NamedDataSource } from '../../../application/ports/data-source-view.ts';
import type { NewDataSource } from '../../../application/sources/ingestion/create-data-source.ts';
import type { ItemErrors } from '../../../application/sources/ingestion/operations.ts';
import type { JobCounts, JobStatus, StreamStatus } from '../../../domain/data-source/index.ts';
import type { ChangeableParameters, ParametersKind } from '../../../domain/ingestion-setting/index.ts';
import type { SnakeCase } from '../../../domain/shared/key-case.ts';
import type { ProblemType } from '../problem.ts';
import type { DataSourceRecord, Progress } from '../schemas/data-source.ts';
import type { Static, TSchema } from 'typebox';

/** The body of a change: parameters have the names of their kind, in snake_case. */
type ChangeBody<Kind extends ParametersKind> = {
  readonly name?: string;
  readonly rrule?: string | null;
} & {
  readonly [P in keyof ChangeableParameters<Kind> & string as SnakeCase<P>]?: ChangeableParameters<Kind>[P];
};

/** `unknown` for a valid body of a change of this kind without further fields. */
type ParameterNames<Kind extends ParametersKind> = SnakeCase<keyof ChangeableParameters<Kind> & string>;

/** The HTTP description of one kind of data source, for the operations that all kinds share. */
type Fitting<Kind extends ParametersKind, Change> =
  Change extends ChangeBody<Kind>
    ? [Exclude<keyof Change, keyof ChangeBody<Kind>> | Exclude<ParameterNames<Kind>, keyof Change>] extends [
        never,
      ]
      ? unknown
      : never
    : never;

/** Singular for operation ids: `getCrawl`, `listCrawls`. */
type Showing<Kind extends ParametersKind, Shown> = [Exclude<ParameterNames<Kind>, keyof Shown>] extends [
  never,
]
  ? unknown
  : never;

/** For example `/crawls`; the list in the response has the same name. */
interface DataSourceHttp<
  Kind extends ParametersKind,
  Create extends TSchema,
  Record extends TSchema,
  Setting extends TSchema,
  Change extends TSchema,
  Sync extends TSchema,
  Errors extends TSchema,
> {
  readonly kind: Kind;
  /** Absent together with `setting` when nothing can be changed. */
  readonly one: string;
  readonly many: string;
  /** A noun for descriptions that fits after `a`: `web crawl`. */
  readonly path: string;
  /** Absent, as `setting` is: nothing of it can be changed. */
  readonly settingsPath?: string;
  readonly tag: string;
  readonly settingsTag?: string;
  /** Absent when a separate route creates it. */
  readonly noun: string;
  /** Maps the body, with defaults for absent fields. */
  readonly namesSecret?: boolean;
  /** Absent when there is nothing to fetch: an external executor does its jobs. */
  readonly create?: {
    readonly description: string;
    readonly body: Create;
    readonly problems: readonly ProblemType[];
    /** The items named in the body. */
    toNew(body: Static<Create>): NewDataSource;
  };
  readonly record: Record;
  readonly list: TSchema;
  readonly toRecord: (found: NamedDataSource) => Static<Record>;
  /** Response fields in addition to `errors` and `pagination`. */
  readonly sync?: {
    readonly summary: string;
    readonly description: string;
    readonly body: Sync;
    /** Name, schedule and parameters of its kind, all optional; another property does not compile. */
    itemsIn(body: Static<Sync>): readonly string[] | undefined;
  };
  readonly errors: {
    readonly summary: string;
    readonly description: string;
    readonly query: TSchema;
    readonly answer: Errors;
    /** The type in the table of kinds, which erases the type parameters. */
    readonly more: (found: ItemErrors) => object;
  };
  readonly setting?: {
    readonly record: Setting;
    readonly toRecord: (row: IngestionSettingRow) => Static<Setting>;
    /** Checks at compile time that schemas and mappings match, and that a change names only parameters of its kind. */
    readonly change: Change;
    readonly changeDescription: string;
    readonly changeProblems: readonly ProblemType[];
  };
  /** The common fields of a new data source; no schedule when the rule is null or empty. */
  readonly components: { readonly [name: string]: TSchema };
}

/** The common fields of a data source in the API; unknown values are absent. */
export type AnyDataSourceHttp<Kind extends ParametersKind = ParametersKind> = DataSourceHttp<
  Kind,
  TSchema,
  TSchema,
  TSchema,
  TSchema,
  TSchema,
  TSchema
>;

/** `removed` appears only in the response to a DELETE whose purge has already finished. */
export const dataSourceHttp = <
  const K extends ParametersKind,
  C extends TSchema,
  R extends TSchema,
  S extends TSchema,
  G extends TSchema,
  Y extends TSchema,
  E extends TSchema,
>(
  definition: DataSourceHttp<K, C, R, S, G, Y, E> & {
    readonly setting?: {
      readonly change: Fitting<K, Static<G>>;
      readonly record: Showing<K, Static<S>>;
    };
  },
): AnyDataSourceHttp<K> => definition;

interface Body {
  readonly name: string;
  readonly rrule?: string | null;
  readonly metadata?: { readonly records?: readonly { readonly key: string; readonly val: string }[] };
}

/** What every new data source has, as its body gives it; no schedule where the rule is null. */
export const newOfAnyKind = ({ name, rrule, metadata }: Body): Omit<NewDataSource, 'parameters'> => ({
  name,
  ...(rrule !== undefined && rrule !== null && { rrule }),
  metadata: metadata?.records?.map(({ key, val }) => ({ key, val })) ?? [],
});

export const seconds = (ms: number): number => Math.floor(ms / 1000);

/** What all kinds of data sources have, as callers see it: what is not known yet is absent. */
export const dataSourceRecord = ({ row, name }: NamedDataSource): DataSourceRecord => ({
  id: row.id,
  name,
  status: visible(row.status),
  ingestion_setting_id: row.ingestionSettingId,
  creation_time: seconds(row.createdAt),
  ...(row.startedAt !== null && { start_time: seconds(row.startedAt) }),
  ...(row.endedAt !== null && { end_time: seconds(row.endedAt) }),
  ...(row.error !== null && { error: { title: row.error.title, message: row.error.message } }),
  progress: progressOf(row.counts),
  metadata: { records: row.metadata.map(({ key, val }) => ({ key, val, type: 'string' })) },
});

const progressOf = ({ seen, indexed, unchanged, skipped, failed, bytes }: JobCounts): Progress => ({
  seen,
  indexed,
  unchanged,
  skipped,
  failed,
  bytes,
});

/** `removed` is seen in the answer to a DELETE that the purge overtook, and nowhere else. */
export const visible = (status: StreamStatus): JobStatus => (status === 'removed' ? 'deleting' : status);
