import type { NamedDataSource } from '../../../application/ports/data-source-view.ts';
import { Id, Name, closed } from '../schemas/common.ts';
import { ReservedMetadata, dataSourceFields } from '../schemas/data-source.ts';
import { dataSourceHttp, dataSourceRecord, newOfAnyKind } from './kind.ts';
import Type from 'typebox';
import type { Static } from 'typebox';

export const Push = Type.Object({
  ...dataSourceFields,
  job_id: Type.String({ ...Id, description: 'The newest job: what its executor reports under' }),
});

const PushCreate = closed(
  { name: Name, metadata: Type.Optional(ReservedMetadata) },
  { examples: [{ name: 'Tickets' }] },
);

export const pushRecord = (found: NamedDataSource): Push => ({
  ...dataSourceRecord(found),
  job_id: found.row.jobId,
});

export type Push = Static<typeof Push>;

export type PushCreate = Static<typeof PushCreate>;

export const PushJobFailure = closed(
  {
    error: closed({
      title: Type.String({ minLength: 1, maxLength: 100, description: 'A short stable phrase' }),
      message: Type.String({
        maxLength: 2_000,
        description: 'What happened to what. It is kept: no secrets',
      }),
    }),
  },
  { examples: [{ error: { title: 'Export failed', message: 'the ticket system did not answer' } }] },
);

export type PushJobFailure = Static<typeof PushJobFailure>;

const Title = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Default: what the document says of itself, or the end of the locator',
});

const Url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'Where people open it, http or https. Default: where its bytes are to be had here',
});

const Metadata = Type.String({
  description:
    'JSON, as in `PUT /sources/{id}/metadata`: {"records": [{"key", "val", "type"}]}, which replaces all records. ' +
    'Default: those that there are stay',
});

const fields = {
  title: Type.Optional(Title),
  url: Type.Optional(Url),
  metadata: Type.Optional(Metadata),
};

/** Pushes over HTTP; `push-routes.ts` has the routes for their executors. */
export const DocumentQuery = closed(fields);

export type DocumentQuery = Static<typeof DocumentQuery>;

export const DocumentForm = closed(
  {
    file: Type.String({
      format: 'binary',
      description: 'The document; the Content-Type of its part says what it is',
    }),
    ...fields,
  },
  { examples: [{ file: '# Ticket 7', title: 'Ticket 7' }] },
);

/** Fields of the query, or of a form next to the file. */
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
    toNew: (body) => ({ ...newOfAnyKind(body), parameters: { kind: 'push' } }),
  },
  record: Push,
  toRecord: (found) => pushRecord(found),
  errors: {
    summary: 'Documents that could not be read in the newest job',
    description: 'One document that fails does not fail the job. In the order of the locators.',
    after: 'the locator of a document',
    locator: 'Of the document',
  },
  components: { PushJobFailure, DocumentForm },
});
