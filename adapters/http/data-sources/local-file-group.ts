import type { NamedDataSource } from '../../../application/ports/data-source-view.ts';
import { dataSourceRecord, seconds } from '../records/data-source-record.ts';
import {
  LocalFileGroup,
  LocalFileGroupErrors,
  LocalFileGroupErrorsQuery,
  LocalFileGroupList,
  LocalFileGroupSync,
} from '../schemas/local-file-group.ts';
import { dataSourceHttp } from './kind.ts';

/** Groups of uploaded files over HTTP; `upload-routes.ts` has what takes files in. */
export const localFileGroupHttp = dataSourceHttp({
  kind: 'local_file_group',
  one: 'LocalFileGroup',
  many: 'LocalFileGroups',
  path: '/local-file-groups',
  tag: 'local file groups',
  noun: 'local file group',
  record: LocalFileGroup,
  list: LocalFileGroupList,
  toRecord: (found) => localFileGroupRecord(found),
  sync: {
    summary: 'Read the files of a local file group again now',
    description:
      'What has been read stays as it is, unless `mode` is `full`; what could not be read is tried again, as after a ' +
      'provider was set up. While a job is at work nothing new is queued, whatever `locators` say (200).',
    body: LocalFileGroupSync,
    itemsIn: ({ locators }) => locators,
  },
  errors: {
    summary: 'Files that could not be read in the newest job',
    description: 'One file that fails does not fail the job. In the order of the names.',
    query: LocalFileGroupErrorsQuery,
    answer: LocalFileGroupErrors,
    more: () => ({}),
  },
});

export const localFileGroupRecord = (found: NamedDataSource): LocalFileGroup => {
  const { subject, id, uploadedAt } = found.row;
  if (subject.kind !== 'local_file_group') throw new Error(`data source ${id} is no local file group`);
  const { ingestion_setting_id: _, ...record } = dataSourceRecord(found);
  return {
    ...record,
    ...(uploadedAt !== null && { upload_time: seconds(uploadedAt) }),
    chunk_metadata_keys: (subject.chunkMetadataKeys ?? []).map(({ key, type }) => ({ key, type })),
    chunk_metadatas_count: found.chunkMetadatas ?? 0,
  };
};
