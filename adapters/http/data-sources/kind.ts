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

/** Names of the parameters of a kind that may change, as they are sent. */
type ParameterNames<Kind extends ParametersKind> = SnakeCase<keyof ChangeableParameters<Kind> & string>;

/** `unknown` for the body of a change that holds each parameter of its kind, and nothing else; `never` for another. */
type Fitting<Kind extends ParametersKind, Change> =
  Change extends ChangeBody<Kind>
    ? [Exclude<keyof Change, keyof ChangeBody<Kind>> | Exclude<ParameterNames<Kind>, keyof Change>] extends [
        never,
      ]
      ? unknown
      : never
    : never;

/** `unknown` for a record that shows each parameter which may change; `never` for another. */
type Showing<Kind extends ParametersKind, Shown> = [Exclude<ParameterNames<Kind>, keyof Shown>] extends [
  never,
]
  ? unknown
  : never;

/** What one kind of data source brings to the operations that all kinds have. */
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
  /** As operation ids write it: `getCrawl`, `listCrawls`. */
  readonly one: string;
  readonly many: string;
  /** `/crawls`; the list of its answer is called the same. */
  readonly path: string;
  /** Absent, as `setting` is: nothing of it can be changed. */
  readonly settingsPath?: string;
  readonly tag: string;
  readonly settingsTag?: string;
  /** For people, such that `a` may stand before it: `web crawl`. */
  readonly noun: string;
  /** Whether its parameters name a secret. */
  readonly namesSecret?: boolean;
  /** Absent: it is created by a route of its own. */
  readonly create?: {
    readonly description: string;
    readonly body: Create;
    readonly problems: readonly ProblemType[];
    /** With the defaults of what is left out. */
    toNew(body: Static<Create>): NewDataSource;
  };
  readonly record: Record;
  readonly list: TSchema;
  readonly toRecord: (found: NamedDataSource) => Static<Record>;
  /** Absent: there is nothing to ask for; its jobs are done outside. */
  readonly sync?: {
    readonly summary: string;
    readonly description: string;
    readonly body: Sync;
    /** The items that the body names. */
    itemsIn(body: Static<Sync>): readonly string[] | undefined;
  };
  readonly errors: {
    readonly summary: string;
    readonly description: string;
    readonly query: TSchema;
    readonly answer: Errors;
    /** What the answer holds beside `errors` and `pagination`. */
    readonly more: (found: ItemErrors) => object;
  };
  readonly setting?: {
    readonly record: Setting;
    readonly toRecord: (row: IngestionSettingRow) => Static<Setting>;
    /** Name, schedule and parameters of its kind, all optional; another property does not compile. */
    readonly change: Change;
    readonly changeDescription: string;
    readonly changeProblems: readonly ProblemType[];
  };
  /** Schemas with a name of their own in the OpenAPI document. */
  readonly components: { readonly [name: string]: TSchema };
}

/** As it stands in the table of kinds, which forgets what each of them is generic in. */
export type AnyDataSourceHttp<Kind extends ParametersKind = ParametersKind> = DataSourceHttp<
  Kind,
  TSchema,
  TSchema,
  TSchema,
  TSchema,
  TSchema,
  TSchema
>;

/**
 * Checks that schemas and mappings fit each other, and that each parameter of the kind which may change is in the body of a
 * change and in the record of the setting: one that is missing does not compile.
 */
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
  readonly metadata?: { readonly records: readonly { readonly key: string; readonly val: string }[] };
}

/** What every new data source has, as its body gives it; no schedule where the rule is null or empty. */
export const newOfAnyKind = ({ name, rrule, metadata }: Body): Omit<NewDataSource, 'parameters'> => ({
  name,
  ...(rrule !== undefined && rrule !== null && rrule.trim() !== '' && { rrule }),
  metadata: metadata?.records.map(({ key, val }) => ({ key, val })) ?? [],
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
