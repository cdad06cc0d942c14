import type { AddFiles } from '../../../application/sources/uploads/add-files.ts';
import type { CreateGroup } from '../../../application/sources/uploads/create-group.ts';
import { accepted, created, ok } from '../answer.ts';
import { readForm } from '../multipart/read-form.ts';
import { type AnyRoute, route } from '../route.ts';
import {
  CreatedLocalFileGroup,
  LocalFileGroup,
  LocalFileGroupForm,
  LocalFilesForm,
} from '../schemas/local-file-group.ts';
import { localFileGroupRecord } from './local-file-group.ts';

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

/** Files in. */
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
