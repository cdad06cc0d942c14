import type { NamedDataSource } from '../../../application/ports/data-source-view.ts';
import { dataSourceRecord } from '../records/data-source-record.ts';
import { Push, PushCreate, PushErrors, PushErrorsQuery, PushList } from '../schemas/push.ts';
import { dataSourceHttp } from './kind.ts';

/** Pushes over HTTP; `push-routes.ts` has what their executors report. */
export const pushHttp = dataSourceHttp({
  kind: 'push',
  one: 'Push',
  many: 'Pushes',
  path: '/pushes',
  tag: 'pushes',
  noun: 'push',
  create: {
    description:
      'A process outside feeds it: its first job is `managed` at once, and takes documents until that process ends it. ' +
      'A process that is silent for 30 minutes makes it `unknown`, until it reports again.',
    body: PushCreate,
    problems: ['idempotency_conflict'],
    toNew: ({ name, metadata }) => ({
      name,
      metadata: metadata?.records.map(({ key, val }) => ({ key, val })) ?? [],
      parameters: { kind: 'push' },
    }),
  },
  record: Push,
  list: PushList,
  toRecord: (found) => pushRecord(found),
  errors: {
    summary: 'Documents that could not be read in the newest job',
    description: 'One document that fails does not fail the job. In the order of the locators.',
    query: PushErrorsQuery,
    answer: PushErrors,
    more: () => ({}),
  },
});

export const pushRecord = (found: NamedDataSource): Push => {
  const { subject, id, jobId } = found.row;
  if (subject.kind !== 'push') throw new Error(`data source ${id} is no push`);
  return { ...dataSourceRecord(found), job_id: jobId };
};
