import Type, { type Static } from 'typebox';
import { closed, CursorPagination, Name, Pagination } from './common.ts';
import { dataSourceFields, syncOf, itemErrorFields, itemErrorsQuery } from './data-source.ts';
import { MetadataType } from './source.ts';

const { ingestion_setting_id: _, ...fields } = dataSourceFields;
const ChunkMetadataKey = Type.Object({ key: Type.String(), type: MetadataType });

export const LocalFileGroup = Type.Object({
  ...fields,
  upload_time: Type.Optional(
    Type.Integer({
      description: 'Of the newest upload, Unix timestamp in seconds; absent until there is one',
    }),
  ),
  chunk_metadata_keys: Type.Array(ChunkMetadataKey),
  chunk_metadatas_count: Type.Integer({ description: 'Contents that have a value of one of these keys' }),
});
export type LocalFileGroup = Static<typeof LocalFileGroup>;
export const LocalFileGroupList = Type.Object({
  local_file_groups: Type.Array(LocalFileGroup),
  pagination: Pagination,
});

export const CreatedLocalFileGroup = Type.Object({
  source_group_id: Type.String({
    format: 'uuid',
    description: 'Id of the source group, and of the local file group',
  }),
});

const files = Type.Array(Type.String({ format: 'binary' }), {
  minItems: 1,
  maxItems: 2000,
  description:
    'Each a part with a filename. A relative path in it is kept as the name of the file, so that files of equal names in ' +
    'several folders stay apart',
});
const lastModified = Type.Array(Type.Integer(), {
  minItems: 1,
  maxItems: 2000,
  description:
    'Unix epoch milliseconds of each file: a part for each, in the order of the files, wherever they stand',
});

export const LocalFileGroupForm = closed({
  name: Name,
  files,
  last_modified: lastModified,
  chunk_metadata_keys: Type.Optional(
    Type.String({
      description:
        'A JSON array of {"key", "type"}, with the types string, integer, float, date, datetime: columns of tables and ' +
        'members of JSON lines whose values become typed metadata of the content of their row',
    }),
  ),
});
export const LocalFilesForm = closed({ files, last_modified: lastModified });

export const LocalFileGroupSync = syncOf(
  'Read these files alone, by their names, and leave all others as they are',
);

export const LocalFileGroupErrorsQuery = itemErrorsQuery('a file of the group');
export const LocalFileGroupErrors = Type.Object({
  ...itemErrorFields('Name of the file'),
  pagination: CursorPagination,
});

/** Those with a name of their own in the document. */
export const localFileGroupComponents = {
  LocalFileGroup,
  LocalFileGroupList,
  LocalFileGroupForm,
  LocalFilesForm,
  LocalFileGroupSync,
  LocalFileGroupErrors,
  CreatedLocalFileGroup,
};
