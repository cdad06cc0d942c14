import Type, { type Static } from 'typebox';
import { REFERENCE_TYPES } from '../../../domain/ingestion-setting/index.ts';
import { closed, CursorPagination, Id, Name, Pagination, patterned } from './common.ts';
import {
  dataSourceFields,
  RecurrenceRule,
  ReservedMetadata,
  rule,
  secretChanged,
  secretGiven,
  syncOf,
  itemErrorFields,
  itemErrorsQuery,
} from './data-source.ts';

const ReferenceType = Type.Enum([...REFERENCE_TYPES]);
const referenceFields = {
  reference_type: ReferenceType,
  reference_param: Type.String({
    description: 'Name of the branch or tag, or hash of the commit; empty for the default branch',
  }),
  path_filters: Type.Array(Type.String()),
};

export const Repo = Type.Object({ ...dataSourceFields, repository: Type.String(), ...referenceFields });
export type Repo = Static<typeof Repo>;
export const RepoList = Type.Object({ repos: Type.Array(Repo), pagination: Pagination });

const NAMED_SO =
  'must be owner/repo, such as acme/handbook, without an address: its host is the one that ' +
  'KNOWLEDGER_REPOSITORY_API_URL names';
const Repository = patterned('^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$', NAMED_SO, { maxLength: 200 });
const ReferenceParam = Type.String({
  maxLength: 255,
  description:
    'Name of the branch or tag, or hash of the commit; required unless `reference_type` is default',
});
const PathFilters = Type.Array(Type.String({ minLength: 1 }), {
  'x-max-total-length': 2000,
  description:
    'Globs on the path of the file; `!` before a pattern excludes. At most 2000 characters over all elements',
});
const SECRET = 'the host is asked with: of type token, basic or app';

export const RepoCreate = closed({
  name: Name,
  repository: Repository,
  reference_type: Type.Optional(Type.Enum([...REFERENCE_TYPES], { default: 'default' })),
  reference_param: Type.Optional(ReferenceParam),
  path_filters: Type.Optional(PathFilters),
  secret_id: secretGiven(SECRET),
  rrule: Type.Optional(RecurrenceRule),
  metadata: Type.Optional(ReservedMetadata),
});
export type RepoCreate = Static<typeof RepoCreate>;

export const RepoSyncRequest = syncOf(
  'Look at the files of these paths alone, and leave all others as they are',
);
export type RepoSyncRequest = Static<typeof RepoSyncRequest>;

export const RepoErrorsQuery = itemErrorsQuery('the path of a file');
export const RepoErrors = Type.Object({
  ...itemErrorFields('Path of the file'),
  pagination: CursorPagination,
});

export const RepoSetting = Type.Object({
  id: Id,
  name: Type.String(),
  repository: Type.String(),
  ...referenceFields,
  rrule: Type.Optional(Type.String()),
  secret_id: Type.Optional(Id),
});
export type RepoSetting = Static<typeof RepoSetting>;

/** Everything but the place itself. What is absent stays as it is: there are no defaults. */
export const RepoSettingChange = closed(
  {
    name: Type.Optional(Name),
    reference_type: Type.Optional(ReferenceType),
    reference_param: Type.Optional(ReferenceParam),
    path_filters: Type.Optional(PathFilters),
    secret_id: secretChanged(SECRET),
    rrule: Type.Optional(rule('null removes the schedule')),
  },
  { minProperties: 1 },
);
export type RepoSettingChange = Static<typeof RepoSettingChange>;

/** Those with a name of their own in the document. */
export const repoComponents = {
  Repo,
  RepoList,
  RepoCreate,
  RepoSyncRequest,
  RepoErrors,
  RepoSetting,
  RepoSettingChange,
};
