import type { NewDataSource } from '../../../application/sources/ingestion/create-data-source.ts';
import type { IngestionSettingRow, NamedDataSource } from '../../../application/ports/data-source-view.ts';
import { wikiPageId } from '../../../domain/ingestion-setting/index.ts';
import { dataSourceRecord } from '../records/data-source-record.ts';
import {
  Wiki,
  WikiCreate,
  WikiErrors,
  WikiErrorsQuery,
  WikiList,
  WikiSetting,
  WikiSettingChange,
  WikiSyncRequest,
} from '../schemas/wiki.ts';
import { dataSourceHttp } from './kind.ts';
import { newOfAnyKind } from './new-of-any-kind.ts';

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
      'and whether the secret may read it, shows when the job begins. It is read with a secret alone.',
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
});

/** The body with its defaults; no schedule where the rule is null or empty. An id that is none is refused later. */
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
  if (subject.kind !== 'wiki') throw new Error(`data source ${id} is no wiki`);
  return { ...dataSourceRecord(found), page_id: subject.pageId };
};

const wikiSettingRecord = ({ id, name, parameters, schedule }: IngestionSettingRow): WikiSetting => {
  if (parameters.kind !== 'wiki') throw new Error(`ingestion setting ${id} is none of a wiki`);
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
