import Type, { type TSchema } from 'typebox';
import type { ParametersKind, ParametersOf } from '../../../../domain/ingestion-setting/index.ts';
import { MetadataKey, orNull, Texts, Uuid } from './facts.ts';

/** `maxDepth` → `max_depth`: a name as events store it. */
type Stored<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${Stored<Rest>}`
    : `_${Lowercase<First>}${Stored<Rest>}`
  : Name;

/** The fields of each kind of source: all kinds and all fields, so that none can be forgotten. */
type FieldsByKind = {
  readonly [Kind in ParametersKind]: {
    readonly [Field in Exclude<keyof ParametersOf<Kind>, 'kind'> as Stored<Field & string>]-?: TSchema;
  };
};

const FIELDS: FieldsByKind = {
  crawl: {
    start_url: Type.String(),
    max_depth: Type.Integer(),
    max_num_files: Type.Integer(),
    path_filters: Texts,
    content_pattern: Texts,
    html_only: Type.Boolean(),
    use_browser: Type.Boolean(),
    no_canonical_check: Type.Boolean(),
    file_extensions: Texts,
  },
  repo: {
    repository: Type.String(),
    reference_type: Type.String(),
    reference_param: Type.String(),
    path_filters: Texts,
    secret_id: orNull(Uuid),
  },
  cloud_drive: { folder_url: Type.String(), secret_id: orNull(Uuid) },
  wiki: { page_id: Type.String(), include_children: Type.Boolean(), secret_id: orNull(Uuid) },
  local_file_group: { chunk_metadata_keys: Type.Array(MetadataKey) },
  push: {},
};

/** What a data source of one kind goes by, as events hold it. */
export const Parameters = Type.Union(
  Object.entries(FIELDS).map(([kind, fields]) => Type.Object({ kind: Type.Literal(kind), ...fields })),
);
