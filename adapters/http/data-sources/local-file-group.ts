import type { NamedDataSource } from '../../../application/ports/data-source-view.ts';
import type { AddFiles } from '../../../application/sources/uploads/add-files.ts';
import type { CreateGroup } from '../../../application/sources/uploads/create-group.ts';
import { accepted, created, ok } from '../json-response.ts';
import { readForm } from '../multipart/read-form.ts';
import { dataSourceHttp, dataSourceRecord, seconds, subjectOf } from './kind.ts';
import { type AnyRoute, route } from '../route.ts';
import { Name, closed } from '../schemas/common.ts';
import { dataSourceFields, syncOf } from '../schemas/data-source.ts';
import { MetadataType } from '../schemas/source.ts';
import Type from 'typebox';
import type { Static } from 'typebox';

const { ingestion_setting_id: _setting, ...groupFields } = dataSourceFields;

const ChunkMetadataKey = Type.Object({ key: Type.String(), type: MetadataType });

const LocalFileGroup = Type.Object({
  ...groupFields,
  upload_time: Type.Optional(
    Type.Integer({
      description: 'Of the newest upload, Unix timestamp in seconds; absent until there is one',
    }),
  ),
  chunk_metadata_keys: Type.Array(ChunkMetadataKey),
  chunk_metadatas_count: Type.Integer({ description: 'Contents that have a value of one of these keys' }),
});

const LocalFileGroupSync = syncOf('Read these files alone, by their names, and leave all others as they are');

const CreatedLocalFileGroup = Type.Object({
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

const ONE_FILE = { files: ['# Backups'], last_modified: [1_790_000_000_000] };
const LocalFileGroupForm = closed(
  {
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
  },
  { examples: [{ name: 'Manuals', ...ONE_FILE }] },
);

const LocalFilesForm = closed({ files, last_modified: lastModified }, { examples: [ONE_FILE] });

/** Groups of uploaded files over HTTP; `upload-routes.ts` has the routes for uploads. */
export const localFileGroupHttp = dataSourceHttp({
  kind: 'local_file_group',
  one: 'LocalFileGroup',
  many: 'LocalFileGroups',
  path: '/local-file-groups',
  tag: 'local file groups',
  noun: 'local file group',
  record: LocalFileGroup,
  toRecord: (found) => localFileGroupRecord(found),
  sync: {
    summary: 'Read the files of a local file group again now',
    description:
      'What has been read stays as it is, unless `mode` is `full`; what could not be read is tried again, as after a ' +
      'provider was set up. While a job is at work nothing new is queued, whatever `locators` say (200).',
    body: LocalFileGroupSync,
    name: 'LocalFileGroupSync',
    itemsIn: ({ locators }) => locators,
  },
  errors: {
    summary: 'Files that could not be read in the newest job',
    description:
      'Files that failed, and those that were skipped, such as files of types that are not read. The job fails if every ' +
      'file failed. In the order of the names.',
    after: 'a file of the group',
    locator: 'Name of the file',
  },
  components: { LocalFileGroupForm, LocalFilesForm, CreatedLocalFileGroup },
});

const localFileGroupRecord = (found: NamedDataSource): LocalFileGroup => {
  const { uploadedAt } = found.row;
  const { ingestion_setting_id: _, ...record } = dataSourceRecord(found);
  return {
    ...record,
    ...(uploadedAt !== null && { upload_time: seconds(uploadedAt) }),
    chunk_metadata_keys: (subjectOf(found, 'local_file_group').chunkMetadataKeys ?? []).map(
      ({ key, type }) => ({ key, type }),
    ),
    chunk_metadatas_count: found.chunkMetadataCount ?? 0,
  };
};

type LocalFileGroup = Static<typeof LocalFileGroup>;

export interface UploadRoutesDeps {
  readonly createLocalFileGroup: CreateGroup;
  readonly addLocalFiles: AddFiles;
}

const common = {
  tag: 'local file groups',
  scope: 'ingestion:manage',
  method: 'post',
  writes: true,
} as const;

const ABOUT =
  'At most 500 MB and 2,000 files. The parts may come in any order. What is refused, or breaks off, leaves nothing behind.';

/** The routes for uploads. */
export const uploadRoutes = ({
  createLocalFileGroup,
  addLocalFiles,
}: UploadRoutesDeps): readonly AnyRoute[] => [
  route({
    ...common,
    path: '/local-file-groups',
    operationId: 'createLocalFileGroup',
    summary: 'Create a local file group from files, and start ingestion',
    description:
      'The group is in the list, as `not_started`, while its files are on their way, if `name` comes before them. Files of ' +
      'equal names are all kept: the second `a.txt` is called `a (2).txt`.',
    form: { description: ABOUT, schema: LocalFileGroupForm },
    idempotent: true,
    settles: ['data_source', 'ingestion_setting'],
    answers: { 201: CreatedLocalFileGroup },
    problems: ['idempotency_conflict', 'source_deleting'],
    handler: async ({ caller, req, res, idempotencyKey }) => {
      const made = await createLocalFileGroup(caller, readForm(req, res), idempotencyKey);
      const { sourceGroupId } = made.record;
      return created({ source_group_id: sourceGroupId }, `/local-file-groups/${sourceGroupId}`, made);
    },
  }),
  route({
    ...common,
    path: '/local-file-groups/{id}/files',
    operationId: 'addLocalFiles',
    summary: 'Add files to a local file group, or replace those of the same names',
    description:
      'A job reads what is new: at once, or behind the one at work. Files that are there already, byte for byte, change ' +
      'nothing (200 when all are), unless their sources were deleted or could not be read: those are read again.',
    form: { description: ABOUT, schema: LocalFilesForm },
    settles: ['data_source'],
    answers: { 202: LocalFileGroup, 200: LocalFileGroup },
    problems: ['source_deleting'],
    handler: async ({ caller, id, req, res }) => {
      const { record, position, changed } = await addLocalFiles(caller, id, readForm(req, res));
      return (changed ? accepted : ok)(localFileGroupRecord(record), position);
    },
  }),
];
