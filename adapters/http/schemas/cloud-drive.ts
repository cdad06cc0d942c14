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

export const CloudDrive = Type.Object({ ...dataSourceFields, folder_url: Type.String() });
export type CloudDrive = Static<typeof CloudDrive>;
export const CloudDriveList = Type.Object({ cloud_drives: Type.Array(CloudDrive), pagination: Pagination });

const SECRET = 'the drive is asked with: of type service_account, oauth_refresh or token';

export const CloudDriveCreate = closed({
  name: Name,
  folder_url: Type.String({
    minLength: 1,
    maxLength: 2000,
    description:
      'Address of a folder of Google Drive, or of a shared drive, as a browser shows it or a link shares it',
  }),
  secret_id: secretNeeded(SECRET),
  rrule: Type.Optional(RecurrenceRule),
  metadata: Type.Optional(ReservedMetadata),
});
export type CloudDriveCreate = Static<typeof CloudDriveCreate>;

export const CloudDriveSyncRequest = syncOf(
  'Look at these files alone, given by their ids or addresses, and leave all others as they are',
);
export type CloudDriveSyncRequest = Static<typeof CloudDriveSyncRequest>;

export const CloudDriveErrorsQuery = itemErrorsQuery('the id of a file');
export const CloudDriveErrors = Type.Object({
  ...itemErrorFields('Id of the file in the drive; the message begins with its name'),
  pagination: CursorPagination,
});

export const CloudDriveSetting = Type.Object({
  id: Id,
  name: Type.String(),
  folder_url: Type.String(),
  rrule: Type.Optional(Type.String()),
  secret_id: Type.Optional(Id),
});
export type CloudDriveSetting = Static<typeof CloudDriveSetting>;

/** Everything but the place itself. What is absent stays as it is: there are no defaults. */
export const CloudDriveSettingChange = closed(
  {
    name: Type.Optional(Name),
    secret_id: secretChanged(SECRET),
    rrule: Type.Optional(rule('null removes the schedule')),
  },
  { minProperties: 1 },
);
export type CloudDriveSettingChange = Static<typeof CloudDriveSettingChange>;

/** Those with a name of their own in the document. */
export const cloudDriveComponents = {
  CloudDrive,
  CloudDriveList,
  CloudDriveCreate,
  CloudDriveSyncRequest,
  CloudDriveErrors,
  CloudDriveSetting,
  CloudDriveSettingChange,
};
