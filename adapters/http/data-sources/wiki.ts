import { wikiPageId } from '../../../domain/ingestion-setting/index.ts';
import {
  dataSourceHttp,
  dataSourceRecord,
  newOfAnyKind,
  secretField,
  settingRecord,
  subjectOf,
} from './kind.ts';
import { EXAMPLE_ID, Name, closed } from '../schemas/common.ts';
import {
  RecurrenceRule,
  ReservedMetadata,
  dataSourceFields,
  rule,
  secretChanged,
  secretNeeded,
  secretShown,
  settingSchema,
  syncOf,
} from '../schemas/data-source.ts';
import Type from 'typebox';

const PageId = Type.String({ description: 'Id of the page, in lower case and with dashes' });

const Wiki = Type.Object({ ...dataSourceFields, page_id: PageId });

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

const WikiSetting = settingSchema(
  { page_id: PageId, include_children: Type.Boolean({ description: CHILDREN }) },
  secretShown,
);

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
    // An invalid id is refused later.
    toNew: (body) => ({
      ...newOfAnyKind(body),
      parameters: {
        kind: 'wiki',
        pageId: wikiPageId(body.page_id) ?? body.page_id,
        includeChildren: body.include_children ?? true,
        secretId: body.secret_id ?? null,
      },
    }),
  },
  record: Wiki,
  toRecord: (found) => ({ ...dataSourceRecord(found), page_id: subjectOf(found, 'wiki').pageId }),
  sync: {
    summary: 'Read the wiki again now',
    description: 'While a job is at work nothing new is queued, whatever `locators` say (200).',
    body: WikiSyncRequest,
    name: 'WikiSyncRequest',
    itemsIn: ({ locators }) => locators,
  },
  errors: {
    summary: 'Pages and files that failed in the newest job',
    description:
      'One page that fails does not fail the job. A database that is not shared with the integration is one of them.',
    after: 'the id of a page, or the locator of a file',
    locator: 'Id of the page or database, or of the page and the file in it',
  },
  setting: {
    record: WikiSetting,
    toRecord: settingRecord('wiki', (parameters) => ({
      page_id: parameters.pageId,
      include_children: parameters.includeChildren,
      ...secretField(parameters),
    })),
    change: WikiSettingChange,
    changeDescription:
      'What is absent stays as it is. An `rrule` of null removes the schedule, a `secret_id` of null the secret. ' +
      'Parameters are in force from the next job on. The page cannot change: that is another data source.',
    changeProblems: ['invalid_rrule', 'secret_not_found'],
  },
});
