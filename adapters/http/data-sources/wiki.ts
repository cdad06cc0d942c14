import type { IngestionSettingRow, NamedDataSource } from '../../../application/ports/data-source-view.ts';
import type { NewDataSource } from '../../../application/sources/ingestion/create-data-source.ts';
import { wikiPageId } from '../../../domain/ingestion-setting/index.ts';
import { dataSourceHttp, dataSourceRecord, newOfAnyKind } from './kind.ts';
import { EXAMPLE_ID, Id, Name, Pagination, closed, DeletedAt } from '../schemas/common.ts';
import {
  RecurrenceRule,
  ReservedMetadata,
  dataSourceFields,
  itemErrors,
  itemErrorsQuery,
  rule,
  secretChanged,
  secretNeeded,
  syncOf,
} from '../schemas/data-source.ts';
import Type from 'typebox';
import type { Static } from 'typebox';

const PageId = Type.String({ description: 'Id of the page, in lower case and with dashes' });

const Wiki = Type.Object({ ...dataSourceFields, page_id: PageId });

const WikiList = Type.Object({ wikis: Type.Array(Wiki), pagination: Pagination });

const SECRET = 'the wiki is asked with: of type token';

const CHILDREN =
  'Whether the pages below the page, and the rows of databases in them, are read too. Rows of a database that is named ' +
  'itself are read either way';

const WikiCreate = closed(
  {
    name: Name,
    page_id: Type.String({
      minLength: 1,
      maxLength: 2000,
      description:
        'Page or database to begin at: its id, with or without dashes, or the link to it that the wiki copies',
    }),
    include_children: Type.Optional(Type.Boolean({ default: true, description: CHILDREN })),
    secret_id: secretNeeded(SECRET),
    rrule: Type.Optional(RecurrenceRule),
    metadata: Type.Optional(ReservedMetadata),
  },
  { examples: [{ name: 'Handbook', page_id: '1f0c3a5e7b9d4c2a8e6f0123456789ab', secret_id: EXAMPLE_ID }] },
);

const WikiSyncRequest = syncOf(
  'Look at these alone, and leave all others as they are: ids or links of pages, or locators of files as errors ' +
    'name them',
);

const WikiErrorsQuery = itemErrorsQuery('the id of a page, or the locator of a file');

const WikiErrors = itemErrors('Id of the page or database, or of the page and the file in it', {});

const WikiSetting = Type.Object({
  deleted_at: DeletedAt,
  id: Id,
  name: Type.String(),
  page_id: PageId,
  include_children: Type.Boolean({ description: CHILDREN }),
  rrule: Type.Optional(Type.String()),
  secret_id: Type.Optional(Id),
});

/** All parameters that can be changed. An absent field stays unchanged: there are no defaults. */
const WikiSettingChange = closed(
  {
    name: Type.Optional(Name),
    include_children: Type.Optional(Type.Boolean({ description: CHILDREN })),
    secret_id: secretChanged(SECRET),
    rrule: Type.Optional(rule('null removes the schedule')),
  },
  { minProperties: 1, examples: [{ rrule: 'FREQ=DAILY' }] },
);

/** Wikis over HTTP. */
export const wikiHttp = dataSourceHttp({
  kind: 'wiki',
  one: 'Wiki',
  many: 'Wikis',
  path: '/wikis',
  settingsPath: '/wiki-settings',
  tag: 'wikis',
  settingsTag: 'wiki settings',
  noun: 'wiki',
  namesSecret: true,
  create: {
    description:
      'The first job is queued at once. The wiki is the one that the operator has configured; whether the page is there, ' +
      'and whether the secret may read it, shows when the job begins, or before by `POST /wikis/test`. It is read with a secret alone.',
    body: WikiCreate,
    problems: ['invalid_rrule', 'secret_not_found', 'idempotency_conflict'],
    toNew: (body) => newWiki(body),
  },
  record: Wiki,
  list: WikiList,
  toRecord: (found) => wikiRecord(found),
  sync: {
    summary: 'Read the wiki again now',
    description: 'While a job is at work nothing new is queued, whatever `locators` say (200).',
    body: WikiSyncRequest,
    itemsIn: ({ locators }) => locators,
  },
  errors: {
    summary: 'Pages and files that failed in the newest job',
    description:
      'One page that fails does not fail the job. A database that is not shared with the integration is one of them.',
    query: WikiErrorsQuery,
    answer: WikiErrors,
    more: () => ({}),
  },
  setting: {
    record: WikiSetting,
    toRecord: (row) => wikiSettingRecord(row),
    change: WikiSettingChange,
    changeDescription:
      'What is absent stays as it is. An `rrule` of null removes the schedule, a `secret_id` of null the secret. ' +
      'Parameters are in force from the next job on. The page cannot change: that is another data source.',
    changeProblems: ['invalid_rrule', 'secret_not_found'],
  },
  components: {
    Wiki,
    WikiList,
    WikiCreate,
    WikiSyncRequest,
    WikiErrors,
    WikiSetting,
    WikiSettingChange,
  },
});

/** The body with its defaults; no schedule when the rule is null or empty. An invalid id is refused later. */
const newWiki = (body: WikiCreate): NewDataSource => ({
  ...newOfAnyKind(body),
  parameters: {
    kind: 'wiki',
    pageId: wikiPageId(body.page_id) ?? body.page_id,
    includeChildren: body.include_children ?? true,
    secretId: body.secret_id ?? null,
  },
});

const wikiRecord = (found: NamedDataSource): Wiki => {
  const { subject, id } = found.row;
  if (subject.kind !== 'wiki') throw new Error(`data source ${id} is not a wiki`);
  return { ...dataSourceRecord(found), page_id: subject.pageId };
};

const wikiSettingRecord = ({ id, name, parameters, schedule }: IngestionSettingRow): WikiSetting => {
  if (parameters.kind !== 'wiki') throw new Error(`ingestion setting ${id} does not belong to a wiki`);
  const { pageId, includeChildren, secretId } = parameters;
  return {
    id,
    name,
    page_id: pageId,
    include_children: includeChildren,
    ...(schedule !== null && { rrule: schedule.rrule }),
    ...(secretId !== null && { secret_id: secretId }),
  };
};

type Wiki = Static<typeof Wiki>;

type WikiCreate = Static<typeof WikiCreate>;

type WikiSetting = Static<typeof WikiSetting>;
