import type { IngestionSettingRow, NamedDataSource } from '../../../application/ports/data-source-view.ts';
import type { NewDataSource } from '../../../application/sources/ingestion/create-data-source.ts';
import { REFERENCE_TYPES } from '../../../domain/ingestion-setting/index.ts';
import { dataSourceHttp, dataSourceRecord, newOfAnyKind } from './kind.ts';
import { Id, Name, Pagination, closed, patterned, DeletedAt } from '../schemas/common.ts';
import {
  RecurrenceRule,
  ReservedMetadata,
  dataSourceFields,
  itemErrors,
  itemErrorsQuery,
  rule,
  secretChanged,
  secretGiven,
  syncOf,
} from '../schemas/data-source.ts';
import Type from 'typebox';
import type { Static } from 'typebox';

const ReferenceType = Type.Enum([...REFERENCE_TYPES]);

const referenceFields = {
  reference_type: ReferenceType,
  reference_param: Type.String({
    description: 'Name of the branch or tag, or hash of the commit; empty for the default branch',
  }),
  path_filters: Type.Array(Type.String()),
};

const Repo = Type.Object({ ...dataSourceFields, repository: Type.String(), ...referenceFields });

const RepoList = Type.Object({ repos: Type.Array(Repo), pagination: Pagination });

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

const RepoCreate = closed(
  {
    name: Name,
    repository: Repository,
    reference_type: Type.Optional(Type.Enum([...REFERENCE_TYPES], { default: 'default' })),
    reference_param: Type.Optional(ReferenceParam),
    path_filters: Type.Optional(PathFilters),
    secret_id: secretGiven(SECRET),
    rrule: Type.Optional(RecurrenceRule),
    metadata: Type.Optional(ReservedMetadata),
  },
  { examples: [{ name: 'Code', repository: 'acme/docs', path_filters: ['docs/**'] }] },
);

const RepoSyncRequest = syncOf('Look at the files of these paths alone, and leave all others as they are');

const RepoErrorsQuery = itemErrorsQuery('the path of a file');

const RepoErrors = itemErrors('Path of the file', {});

const RepoSetting = Type.Object({
  deleted_at: DeletedAt,
  id: Id,
  name: Type.String(),
  repository: Type.String(),
  ...referenceFields,
  rrule: Type.Optional(Type.String()),
  secret_id: Type.Optional(Id),
});

/** All parameters that can be changed. An absent field stays unchanged: there are no defaults. */
const RepoSettingChange = closed(
  {
    name: Type.Optional(Name),
    reference_type: Type.Optional(ReferenceType),
    reference_param: Type.Optional(ReferenceParam),
    path_filters: Type.Optional(PathFilters),
    secret_id: secretChanged(SECRET),
    rrule: Type.Optional(rule('null removes the schedule')),
  },
  { minProperties: 1, examples: [{ reference_type: 'branch', reference_param: 'main' }] },
);

/** Repositories over HTTP. */
export const repoHttp = dataSourceHttp({
  kind: 'repo',
  one: 'Repo',
  many: 'Repos',
  path: '/repos',
  settingsPath: '/repo-settings',
  tag: 'repositories',
  settingsTag: 'repository settings',
  noun: 'repository',
  namesSecret: true,
  create: {
    description:
      'The first job is queued at once. The repository is on the host that the operator has configured; whether it is ' +
      'there, and whether the secret may read it, shows when the job begins, or before by `POST /repos/test`.',
    body: RepoCreate,
    problems: ['invalid_rrule', 'pattern_invalid', 'secret_not_found', 'idempotency_conflict'],
    toNew: (body) => newRepo(body),
  },
  record: Repo,
  list: RepoList,
  toRecord: (found) => repoRecord(found),
  sync: {
    summary: 'Read the repository again now',
    description: 'While a job is at work nothing new is queued, whatever `locators` say (200).',
    body: RepoSyncRequest,
    itemsIn: ({ locators }) => locators,
  },
  errors: {
    summary: 'Files that failed in the newest job',
    description:
      'One file that fails does not fail the job. Files that are left out (links, submodules, empty, too large, in Git LFS) are ' +
      'sources with a `skip_reason`.',
    query: RepoErrorsQuery,
    answer: RepoErrors,
    more: () => ({}),
  },
  setting: {
    record: RepoSetting,
    toRecord: (row) => repoSettingRecord(row),
    change: RepoSettingChange,
    changeDescription:
      'What is absent stays as it is. An `rrule` of null removes the schedule, a `secret_id` of null the secret. ' +
      'Parameters are in force from the next job on. The repository cannot change: that is another data source.',
    changeProblems: ['invalid_rrule', 'pattern_invalid', 'secret_not_found'],
  },
  components: {
    Repo,
    RepoList,
    RepoCreate,
    RepoSyncRequest,
    RepoErrors,
    RepoSetting,
    RepoSettingChange,
  },
});

/** The body with its defaults; no schedule when the rule is null or empty. */
const newRepo = (body: RepoCreate): NewDataSource => ({
  ...newOfAnyKind(body),
  parameters: {
    kind: 'repo',
    repository: body.repository,
    referenceType: body.reference_type ?? 'default',
    referenceParam: body.reference_param ?? '',
    pathFilters: body.path_filters ?? [],
    secretId: body.secret_id ?? null,
  },
});

/** As in its current setting; until that is known, as when the data source was created. */
const repoRecord = (found: NamedDataSource): Repo => {
  const { parameters, row } = found;
  const { subject } = row;
  if (subject.kind !== 'repo') throw new Error(`data source ${row.id} is not a repository`);
  const { referenceType, referenceParam, pathFilters } = parameters?.kind === 'repo' ? parameters : subject;
  return {
    ...dataSourceRecord(found),
    repository: subject.repository,
    reference_type: referenceType as Repo['reference_type'],
    reference_param: referenceParam,
    path_filters: [...pathFilters],
  };
};

const repoSettingRecord = ({ id, name, parameters, schedule }: IngestionSettingRow): RepoSetting => {
  if (parameters.kind !== 'repo') throw new Error(`ingestion setting ${id} does not belong to a repository`);
  const { repository, referenceType, referenceParam, pathFilters, secretId } = parameters;
  return {
    id,
    name,
    repository,
    reference_type: referenceType,
    reference_param: referenceParam,
    path_filters: [...pathFilters],
    ...(schedule !== null && { rrule: schedule.rrule }),
    ...(secretId !== null && { secret_id: secretId }),
  };
};

type Repo = Static<typeof Repo>;

type RepoCreate = Static<typeof RepoCreate>;

type RepoSetting = Static<typeof RepoSetting>;
