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

const CloudDrive = Type.Object({ ...dataSourceFields, folder_url: Type.String() });

const SECRET = 'the drive is asked with: of type service_account, oauth_refresh or token';

const CloudDriveCreate = closed(
  {
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
  },
  {
    examples: [
      {
        name: 'Team',
        folder_url: 'https://drive.google.com/drive/folders/1AbCdEfGhIjK',
        secret_id: EXAMPLE_ID,
      },
    ],
  },
);

const CloudDriveSyncRequest = syncOf(
  'Look at these files alone, given by their ids or addresses, and leave all others as they are',
);

const CloudDriveSetting = settingSchema({ folder_url: Type.String() }, secretShown);

/** All parameters that can be changed. An absent field stays unchanged: there are no defaults. */
const CloudDriveSettingChange = closed(
  {
    name: Type.Optional(Name),
    secret_id: secretChanged(SECRET),
    rrule: Type.Optional(rule('null removes the schedule')),
  },
  { minProperties: 1, examples: [{ rrule: 'FREQ=DAILY' }] },
);

/** Cloud drives over HTTP. */
export const cloudDriveHttp = dataSourceHttp({
  kind: 'cloud_drive',
  one: 'CloudDrive',
  many: 'CloudDrives',
  path: '/cloud-drives',
  settingsPath: '/cloud-drive-settings',
  tag: 'cloud drives',
  settingsTag: 'cloud drive settings',
  noun: 'cloud drive',
  namesSecret: true,
  create: {
    description:
      'The first job is queued at once. It reads the folder and all folders in it, and what shortcuts lead to. Whether ' +
      'the folder is there and shared with the account of the secret shows when the job begins, or before by `POST /cloud-drives/test`. It is read with a secret alone.',
    body: CloudDriveCreate,
    problems: ['invalid_rrule', 'secret_not_found', 'idempotency_conflict'],
    toNew: (body) => ({
      ...newOfAnyKind(body),
      parameters: { kind: 'cloud_drive', folderUrl: body.folder_url, secretId: body.secret_id ?? null },
    }),
  },
  record: CloudDrive,
  toRecord: (found) => ({
    ...dataSourceRecord(found),
    folder_url: subjectOf(found, 'cloud_drive').folderUrl,
  }),
  sync: {
    summary: 'Read the cloud drive again now',
    description: 'While a job is at work nothing new is queued, whatever `locators` say (200).',
    body: CloudDriveSyncRequest,
    name: 'CloudDriveSyncRequest',
    itemsIn: ({ locators }) => locators,
  },
  errors: {
    summary: 'Files that failed in the newest job',
    description:
      'One file that fails does not fail the job. Files that are left out (empty, too large, not to be downloaded, of a type ' +
      'without text, shortcuts that lead nowhere) are sources with a `skip_reason`.',
    after: 'the id of a file',
    locator: 'Id of the file in the drive; the message begins with its name',
  },
  setting: {
    record: CloudDriveSetting,
    toRecord: settingRecord('cloud_drive', (parameters) => ({
      folder_url: parameters.folderUrl,
      ...secretField(parameters),
    })),
    change: CloudDriveSettingChange,
    changeDescription:
      'What is absent stays as it is. An `rrule` of null removes the schedule, a `secret_id` of null the secret. Another ' +
      'secret is in force from the next job on. The folder cannot change: that is another data source.',
    changeProblems: ['invalid_rrule', 'secret_not_found'],
  },
});
