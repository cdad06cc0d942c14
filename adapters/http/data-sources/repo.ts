import type { NewDataSource } from '../../../application/sources/ingestion/create-data-source.ts';
import type { IngestionSettingRow, NamedDataSource } from '../../../application/ports/data-source-view.ts';
import { dataSourceRecord } from '../records/data-source-record.ts';
import {
  Repo,
  RepoCreate,
  RepoErrors,
  RepoErrorsQuery,
  RepoList,
  RepoSetting,
  RepoSettingChange,
  RepoSyncRequest,
} from '../schemas/repo.ts';
import { dataSourceHttp } from './kind.ts';
import { newOfAnyKind } from './new-of-any-kind.ts';

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
      'there, and whether the secret may read it, shows when the job begins.',
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
      'One file that fails does not fail the job. Files that are left out (links, submodules, too large, in Git LFS) are ' +
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
});

/** The body with its defaults; no schedule where the rule is null or empty. */
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

/** As its setting says now; until that is known, as it was when the data source was created. */
const repoRecord = (found: NamedDataSource): Repo => {
  const { parameters, row } = found;
  const { subject } = row;
  if (subject.kind !== 'repo') throw new Error(`data source ${row.id} is no repository`);
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
  if (parameters.kind !== 'repo') throw new Error(`ingestion setting ${id} is none of a repository`);
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
