import Type, { type Static } from 'typebox';
import { closed, CursorPagination, Id, Name, Pagination } from './common.ts';
import {
  dataSourceFields,
  RecurrenceRule,
  ReservedMetadata,
  rule,
  secretChanged,
  secretNeeded,
  syncOf,
  itemErrorFields,
  itemErrorsQuery,
} from './data-source.ts';

const PageId = Type.String({ description: 'Id of the page, in lower case and with dashes' });

export const Wiki = Type.Object({ ...dataSourceFields, page_id: PageId });
export type Wiki = Static<typeof Wiki>;
export const WikiList = Type.Object({ wikis: Type.Array(Wiki), pagination: Pagination });

const SECRET = 'the wiki is asked with: of type token';
const CHILDREN =
  'Whether the pages below the page, and the rows of databases in them, are read too. Rows of a database that is named ' +
  'itself are read either way';

export const WikiCreate = closed({
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
});
export type WikiCreate = Static<typeof WikiCreate>;

export const WikiSyncRequest = syncOf(
  'Look at these alone, and leave all others as they are: ids or links of pages, or locators of files as errors ' +
    'and sources name them',
);
export type WikiSyncRequest = Static<typeof WikiSyncRequest>;

export const WikiErrorsQuery = itemErrorsQuery('the id of a page, or the locator of a file');
export const WikiErrors = Type.Object({
  ...itemErrorFields('Id of the page or database, or of the page and the file in it'),
  pagination: CursorPagination,
});

export const WikiSetting = Type.Object({
  id: Id,
  name: Type.String(),
  page_id: PageId,
  include_children: Type.Boolean({ description: CHILDREN }),
  rrule: Type.Optional(Type.String()),
  secret_id: Type.Optional(Id),
});
export type WikiSetting = Static<typeof WikiSetting>;

/** Everything but the place itself. What is absent stays as it is: there are no defaults. */
export const WikiSettingChange = closed(
  {
    name: Type.Optional(Name),
    include_children: Type.Optional(Type.Boolean({ description: CHILDREN })),
    secret_id: secretChanged(SECRET),
    rrule: Type.Optional(rule('null removes the schedule')),
  },
  { minProperties: 1 },
);

/** Those with a name of their own in the document. */
export const wikiComponents = {
  Wiki,
  WikiList,
  WikiCreate,
  WikiSyncRequest,
  WikiErrors,
  WikiSetting,
  WikiSettingChange,
};
