import { REFERENCE_TYPES } from '../../../domain/ingestion-setting/index.ts';
import {
  dataSourceHttp,
  dataSourceRecord,
  newOfAnyKind,
  secretField,
  settingRecord,
  subjectOf,
} from './kind.ts';
import { Name, closed, patterned } from '../schemas/common.ts';
import {
  RecurrenceRule,
  ReservedMetadata,
  dataSourceFields,
  rule,
  secretChanged,
  secretGiven,
  secretShown,
  settingSchema,
  syncOf,
} from '../schemas/data-source.ts';
import Type, { type Static } from 'typebox';

const ReferenceType = Type.Enum([...REFERENCE_TYPES]);

const referenceFields = {
  reference_type: ReferenceType,
  reference_param: Type.String({
    description: 'Name of the branch or tag, or hash of the commit; empty for the default branch',
  }),
  path_filters: Type.Array(Type.String()),
};

const Repo = Type.Object({ ...dataSourceFields, repository: Type.String(), ...referenceFields });

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

const RepoSetting = settingSchema({ repository: Type.String(), ...referenceFields }, secretShown);

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
    toNew: (body) => ({
      ...newOfAnyKind(body),
      parameters: {
        kind: 'repo',
        repository: body.repository,
        referenceType: body.reference_type ?? 'default',
        referenceParam: body.reference_param ?? '',
        pathFilters: body.path_filters ?? [],
        secretId: body.secret_id ?? null,
      },
    }),
  },
  record: Repo,
  // As in its current setting; until that is known, as when the data source was created.
  toRecord: (found) => {
    const subject = subjectOf(found, 'repo');
    const { parameters } = found;
    const { referenceType, referenceParam, pathFilters } = parameters?.kind === 'repo' ? parameters : subject;
    return {
      ...dataSourceRecord(found),
      repository: subject.repository,
      reference_type: referenceType as Static<typeof ReferenceType>,
      reference_param: referenceParam,
      path_filters: [...pathFilters],
    };
  },
  sync: {
    summary: 'Read the repository again now',
    description: 'While a job is at work nothing new is queued, whatever `locators` say (200).',
    body: RepoSyncRequest,
    name: 'RepoSyncRequest',
    itemsIn: ({ locators }) => locators,
  },
  errors: {
    summary: 'Files that failed in the newest job',
    description:
      'One file that fails does not fail the job. Files that are left out (links, submodules, empty, too large, in Git LFS) are ' +
      'sources with a `skip_reason`.',
    after: 'the path of a file',
    locator: 'Path of the file',
  },
  setting: {
    record: RepoSetting,
    toRecord: settingRecord('repo', (parameters) => ({
      repository: parameters.repository,
      reference_type: parameters.referenceType,
      reference_param: parameters.referenceParam,
      path_filters: [...parameters.pathFilters],
      ...secretField(parameters),
    })),
    change: RepoSettingChange,
    changeDescription:
      'What is absent stays as it is. An `rrule` of null removes the schedule, a `secret_id` of null the secret. ' +
      'Parameters are in force from the next job on. The repository cannot change: that is another data source.',
    changeProblems: ['invalid_rrule', 'pattern_invalid', 'secret_not_found'],
  },
});
