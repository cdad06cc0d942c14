import type { IngestionSettingRow, NamedDataSource } from '../../../application/ports/data-source-view.ts';
import type { NewDataSource } from '../../../application/sources/ingestion/create-data-source.ts';
import type { ItemErrors } from '../../../application/sources/ingestion/operations.ts';
import type { JobCounts, JobStatus, StreamStatus } from '../../../domain/data-source/index.ts';
import type { ChangeableParameters, ParametersKind } from '../../../domain/ingestion-setting/index.ts';
import type { SnakeCase } from '../../../domain/shared/key-case.ts';
import type { ProblemType } from '../problem.ts';
import { Pagination } from '../schemas/common.ts';
import { type DataSourceRecord, type Progress, itemErrors, itemErrorsQuery } from '../schemas/data-source.ts';
import Type, { type Static, type TProperties, type TSchema } from 'typebox';

/** The body of a change: parameters have the names of their kind, in snake_case. */
type ChangeBody<Kind extends ParametersKind> = {
  readonly name?: string;
  readonly rrule?: string | null;
} & {
  readonly [P in keyof ChangeableParameters<Kind> & string as SnakeCase<P>]?: ChangeableParameters<Kind>[P];
};

type ParameterNames<Kind extends ParametersKind> = SnakeCase<keyof ChangeableParameters<Kind> & string>;

/** `unknown` for a valid body of a change of this kind without further fields. */
type Fitting<Kind extends ParametersKind, Change> =
  Change extends ChangeBody<Kind>
    ? [Exclude<keyof Change, keyof ChangeBody<Kind>> | Exclude<ParameterNames<Kind>, keyof Change>] extends [
        never,
      ]
      ? unknown
      : never
    : never;

/** `unknown` for a setting that shows all parameters of this kind. */
type Showing<Kind extends ParametersKind, Shown> = [Exclude<ParameterNames<Kind>, keyof Shown>] extends [
  never,
]
  ? unknown
  : never;

/** The HTTP description of one kind of data source, for the operations that all kinds share. */
interface Definition<
  Kind extends ParametersKind,
  Create extends TSchema,
  Record extends TSchema,
  Setting extends TSchema,
  Change extends TSchema,
  Sync extends TSchema,
> {
  readonly kind: Kind;
  /** Singular for operation ids: `getCrawl`, `listCrawls`; the schemas are called by it. */
  readonly one: string;
  readonly many: string;
  /** For example `/crawls`; the list in the response has the same name. */
  readonly path: string;
  /** Absent, as `setting` is: nothing of it can be changed. */
  readonly settingsPath?: string;
  readonly tag: string;
  readonly settingsTag?: string;
  /** A noun for descriptions that fits after `a`: `web crawl`. */
  readonly noun: string;
  readonly namesSecret?: boolean;
  /** Absent when a separate route creates it. */
  readonly create?: {
    readonly description: string;
    readonly body: Create;
    readonly problems: readonly ProblemType[];
    /** Maps the body, with defaults for absent fields. */
    toNew(body: Static<Create>): NewDataSource;
  };
  readonly record: Record;
  readonly toRecord: (found: NamedDataSource) => Static<Record>;
  /** Absent when there is nothing to fetch: an external executor does its jobs. */
  readonly sync?: {
    readonly summary: string;
    readonly description: string;
    readonly body: Sync;
    /** How the schema of the body is called. */
    readonly name: string;
    /** The items named in the body. */
    itemsIn(body: Static<Sync>): readonly string[] | undefined;
  };
  readonly errors: {
    readonly summary: string;
    readonly description: string;
    /** What the locator of an error is, after which a page begins, and in the response. */
    readonly after: string;
    readonly locator: string;
    /** Response fields in addition to `errors` and `pagination`. */
    readonly fields?: TProperties;
    readonly more?: (found: ItemErrors) => object;
  };
  readonly setting?: {
    readonly record: Setting;
    readonly toRecord: (row: IngestionSettingRow) => Static<Setting>;
    /** Name, schedule and parameters of its kind, all optional; another property does not compile. */
    readonly change: Change;
    readonly changeDescription: string;
    readonly changeProblems: readonly ProblemType[];
  };
  /** Named schemas of this kind alone. */
  readonly components?: { readonly [name: string]: TSchema };
}

/** The type in the table of kinds, which erases the type parameters. */
export type AnyDataSourceHttp<Kind extends ParametersKind = ParametersKind> = Definition<
  Kind,
  TSchema,
  TSchema,
  TSchema,
  TSchema,
  TSchema
> & {
  readonly list: TSchema;
  readonly errors: { readonly query: TSchema; readonly answer: TSchema };
  readonly components: { readonly [name: string]: TSchema };
};

/** Checks at compile time that schemas and mappings match, and that a change names only parameters of its kind. */
export const dataSourceHttp = <
  const K extends ParametersKind,
  C extends TSchema,
  R extends TSchema,
  S extends TSchema,
  G extends TSchema,
  Y extends TSchema,
>(
  definition: Definition<K, C, R, S, G, Y> & {
    readonly setting?: {
      readonly change: Fitting<K, Static<G>>;
      readonly record: Showing<K, Static<S>>;
    };
  },
): AnyDataSourceHttp<K> => {
  const { one, path, record, create, sync, errors, setting } = definition;
  const list = Type.Object({ [listedAs(path)]: Type.Array(record), pagination: Pagination });
  const answer = itemErrors(errors.locator, errors.fields ?? {});
  return {
    ...definition,
    list,
    errors: { ...errors, query: itemErrorsQuery(errors.after), answer },
    components: {
      [one]: record,
      [`${one}List`]: list,
      ...(create !== undefined && { [`${one}Create`]: create.body }),
      ...(sync !== undefined && { [sync.name]: sync.body }),
      [`${one}Errors`]: answer,
      ...(setting !== undefined && {
        [`${one}Setting`]: setting.record,
        [`${one}SettingChange`]: setting.change,
      }),
      ...definition.components,
    },
  };
};

/** The name of the list in a response. */
export const listedAs = (path: string): string => path.slice(1).replaceAll('-', '_');

/** @throws Error for a data source of another kind */
export const subjectOf = <const K extends ParametersKind>({ row }: NamedDataSource, kind: K) => {
  const { subject, id } = row;
  if (subject.kind !== kind) throw new Error(`data source ${id} is of another kind than ${kind}`);
  return subject as Extract<typeof subject, { readonly kind: K }>;
};

/** What settings of all kinds have, and the parameters of this one as `toFields` shows them. */
export const settingRecord =
  <const K extends ParametersKind, Fields>(kind: K, toFields: (parameters: ParametersOf<K>) => Fields) =>
  ({ id, name, parameters, schedule }: IngestionSettingRow) => {
    if (parameters.kind !== kind) throw new Error(`ingestion setting ${id} is of another kind than ${kind}`);
    // Fields come in this order: a database reorders those of objects, and responses should not depend on the store.
    return {
      id,
      name,
      ...toFields(parameters as ParametersOf<K>),
      ...(schedule !== null && { rrule: schedule.rrule }),
    };
  };
type ParametersOf<K extends ParametersKind> = Extract<
  IngestionSettingRow['parameters'],
  { readonly kind: K }
>;

/** The field of a secret; none without one. */
export const secretField = ({ secretId }: { readonly secretId: string | null }) =>
  secretId === null ? {} : { secret_id: secretId };

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
  progress: {
    ...progressOf(row.counts),
    ...(row.generation > row.wholeGeneration && { named_items: true }),
  },
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
