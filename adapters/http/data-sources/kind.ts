import type { Static, TSchema } from 'typebox';
import type { NewDataSource } from '../../../application/sources/ingestion/create-data-source.ts';
import type { ItemErrors } from '../../../application/sources/ingestion/item-errors.ts';
import type { NamedDataSource, IngestionSettingRow } from '../../../application/ports/data-source-view.ts';
import type { ParametersKind } from '../../../domain/ingestion-setting/index.ts';
import type { ProblemType } from '../problem.ts';

/** What one kind of data source brings to the operations that all kinds have. */
export interface DataSourceHttp<
  Create extends TSchema,
  Record extends TSchema,
  Setting extends TSchema,
  Change extends TSchema,
  Sync extends TSchema,
  Errors extends TSchema,
> {
  readonly kind: ParametersKind;
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
    readonly change: Change;
    readonly changeDescription: string;
    readonly changeProblems: readonly ProblemType[];
  };
}

/** As it stands in the table of kinds, which forgets what each of them is generic in. */
export type AnyDataSourceHttp = DataSourceHttp<TSchema, TSchema, TSchema, TSchema, TSchema, TSchema>;

/** Checks that schemas and mappings fit each other. */
export const dataSourceHttp = <
  C extends TSchema,
  R extends TSchema,
  S extends TSchema,
  G extends TSchema,
  Y extends TSchema,
  E extends TSchema,
>(
  definition: DataSourceHttp<C, R, S, G, Y, E>,
): AnyDataSourceHttp => definition;
