import Type, { type Static } from 'typebox';
import { closed, CursorPagination, Id, Name, Pagination } from './common.ts';
import { dataSourceFields, ReservedMetadata, itemErrorFields, itemErrorsQuery } from './data-source.ts';

export const Push = Type.Object({
  ...dataSourceFields,
  job_id: Type.String({ ...Id, description: 'The newest job: what its executor reports under' }),
});
export type Push = Static<typeof Push>;
export const PushList = Type.Object({ pushes: Type.Array(Push), pagination: Pagination });

export const PushCreate = closed({ name: Name, metadata: Type.Optional(ReservedMetadata) });
export type PushCreate = Static<typeof PushCreate>;

export const PushErrorsQuery = itemErrorsQuery('the locator of a document');
export const PushErrors = Type.Object({
  ...itemErrorFields('Of the document'),
  pagination: CursorPagination,
});

export const PushJobFailure = closed({
  error: closed({
    title: Type.String({ minLength: 1, maxLength: 100, description: 'A short stable phrase' }),
    message: Type.String({ maxLength: 2_000, description: 'What happened to what. It is kept: no secrets' }),
  }),
});
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
/** What may stand in the query, or beside the file in a form. */
export const DocumentQuery = closed(fields);
export type DocumentQuery = Static<typeof DocumentQuery>;
export const DocumentForm = closed({
  file: Type.String({
    format: 'binary',
    description: 'The document; the Content-Type of its part says what it is',
  }),
  ...fields,
});

/** Those with a name of their own in the document. */
export const pushComponents = {
  Push,
  PushList,
  PushCreate,
  PushErrors,
  PushJobFailure,
  DocumentForm,
};
