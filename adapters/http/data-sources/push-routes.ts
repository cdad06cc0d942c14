import {
  type DocumentFields,
  withDocumentField,
} from '../../../application/sources/pushes/document-fields.ts';
import type { PushJobs } from '../../../application/sources/pushes/jobs.ts';
import type { PutDocument } from '../../../application/sources/pushes/put-document.ts';
import type { RemoveDocument } from '../../../application/sources/pushes/remove-document.ts';
import { created, ok } from '../json-response.ts';
import { readDocument } from '../multipart/read-document.ts';
import { sourceRecord } from '../routes/sources.ts';
import { type AnyRoute, route } from '../route.ts';
import { Nothing } from '../schemas/common.ts';
import { DocumentForm, DocumentQuery, Push, PushJobFailure, pushRecord } from './push.ts';
import { Source } from '../schemas/source.ts';

export interface PushRoutesDeps {
  readonly pushJobs: PushJobs;
  readonly putDocument: PutDocument;
  readonly removeDocument: RemoveDocument;
}

const common = { tag: 'pushes', scope: 'ingestion:manage', writes: true } as const;
const job = { ...common, method: 'post', settles: ['data_source'], problems: ['source_deleting'] } as const;
const DOCUMENT = '/source-groups/{id}/sources/{locator}';

/** The routes for the external executor of a push. */
export const pushRoutes = ({
  pushJobs,
  putDocument,
  removeDocument,
}: PushRoutesDeps): readonly AnyRoute[] => [
  route({
    ...job,
    path: '/pushes/{id}/jobs',
    operationId: 'openPushJob',
    summary: 'Open a job of a push',
    description:
      'It takes documents until it is ended. While one is open nothing changes (200). What a job does not bring stays: ' +
      'documents go by DELETE alone.',
    body: Nothing,
    bodyOptional: true,
    idempotent: true,
    answers: { 201: Push, 200: Push },
    problems: ['source_deleting', 'idempotency_conflict'],
    handler: async ({ caller, id, idempotencyKey }) => {
      const opened = await pushJobs.open(caller, id, idempotencyKey);
      const record = pushRecord(opened.record);
      if (!opened.changed && opened.replayed !== true) return ok(record, opened.position);
      return created(record, `/pushes/${id}`, opened);
    },
  }),
  route({
    ...job,
    path: '/pushes/{id}/jobs/{job_id}/complete',
    operationId: 'completePushJob',
    summary: 'End a job of a push that is done',
    description:
      'All that it brought can be found when this is answered. Sent again, it changes nothing. A job that was to be ' +
      'canceled, and is complete before, has succeeded.',
    body: Nothing,
    bodyOptional: true,
    answers: { 200: Push },
    handler: async ({ caller, id, params }) => {
      const { record, position } = await pushJobs.complete(caller, id, jobIdIn(params));
      return ok(pushRecord(record), position);
    },
  }),
  route({
    ...job,
    path: '/pushes/{id}/jobs/{job_id}/fail',
    operationId: 'failPushJob',
    summary: 'End a job of a push that cannot go on, or that is to be canceled',
    description: 'What it brought stays. Sent again, it changes nothing.',
    body: PushJobFailure,
    answers: { 200: Push },
    handler: async ({ caller, id, params, body }) => {
      const { title, message } = body.error;
      const { record, position } = await pushJobs.fail(caller, id, jobIdIn(params), { title, message });
      return ok(pushRecord(record), position);
    },
  }),
  route({
    ...common,
    method: 'put',
    path: DOCUMENT,
    operationId: 'putSource',
    summary: 'Put a document into a push, or a new version of it',
    description:
      'While a job of the push is open. The answer comes when the document was read: it may have `failed`, and is then ' +
      'among the errors of the job. The same again changes nothing. Of two at once, the one that is recorded last counts.',
    query: DocumentQuery,
    document: {
      description: 'At most 500 MB, of any type that is read, named by Content-Type; or a form with it',
      form: DocumentForm,
    },
    settles: ['catalog'],
    answers: { 200: Source },
    problems: ['source_deleting'],
    handler: async ({ caller, id, params, query, req, res }) => {
      const { locator = '' } = params;
      const given = fieldsIn(query);
      const { record, position } = await putDocument(caller, id, locator, readDocument(req, res), given);
      return ok(sourceRecord(record), position);
    },
  }),
  route({
    ...common,
    method: 'delete',
    path: DOCUMENT,
    operationId: 'removeSource',
    summary: 'Take a document out of a push',
    description:
      'While a job of the push is open. Hidden from every read from this moment; its bytes are deleted soon after. The ' +
      'answer shows it as it was. Put again, it is there again.',
    settles: ['catalog'],
    answers: { 200: Source },
    problems: ['source_deleting'],
    handler: async ({ caller, id, params }) => {
      const { record, position } = await removeDocument(caller, id, params['locator'] ?? '');
      return ok(sourceRecord(record), position);
    },
  }),
];

const jobIdIn = (params: Readonly<Record<string, string>>): string => (params['job_id'] ?? '').toLowerCase();

const fieldsIn = (query: DocumentQuery): DocumentFields =>
  Object.entries(query).reduce<DocumentFields>(
    (fields, [name, value]) => (value === undefined ? fields : withDocumentField(fields, name, value)),
    {},
  );
