import type { Equivalents } from '../equivalent.ts';

const CREATE = 'application/sources/ingestion/create-data-source.ts';
const COMMAND = 'application/sources/ingestion/command-data-source.ts';
const OPERATIONS = 'application/sources/ingestion/operations.ts';
const SETTING = 'application/sources/ingestion/setting-operations.ts';
const LISTED = 'application/sources/ingestion/listed';
const LOCAL_FILES = 'application/sources/local-files/connector.ts';
const SETTING_SECRET = 'application/sources/ingestion/setting-secret.ts';

export const INGESTION: readonly Equivalents[] = [
  {
    file: COMMAND,
    why: 'a data source that was written or read has a history, and so a row, which the compiler is to be told',
    mutants: [
      ['row === null', 'false'],
      ['`data source ${id} has no history`', '``'],
    ],
  },
  {
    file: COMMAND,
    why: 'a stream that is asked for within its tenant can be read, which the compiler is to be told',
    mutants: [['setting === null', 'false']],
  },
  {
    file: COMMAND,
    why: 'saves asking for those of other kinds, which are answered as they are',
    mutants: [["found.row.subject.kind === 'local_file_group'", 'true']],
  },
  {
    file: CREATE,
    why: 'saves making ids: without a key nothing was registered before, and the refusal is thrown all the same',
    mutants: [
      ['refusal !== null && idempotencyKey === undefined', 'false'],
      ['!replayed', 'false'],
    ],
  },
  {
    file: CREATE,
    why: 'three ids are claimed, their streams are of the tenant, and what registers has a row, which the compiler is to be told',
    mutants: [
      ["''", '"Stryker was here!"'],
      ['found !== null', 'true'],
      ['row === null', 'false'],
    ],
  },
  {
    file: CREATE,
    why: 'no secret is of that type',
    mutants: [['[]', '["Stryker was here"]']],
  },
  {
    file: 'application/sources/ingestion/documents.ts',
    why: 'the same position is as far as before',
    mutants: [['position > written', 'position >= written']],
  },
  {
    file: 'application/sources/ingestion/documents.ts',
    why: 'what was written is of this very job, and so of no earlier one',
    mutants: [['events.length === 0', 'true']],
  },
  {
    file: OPERATIONS,
    why: 'saves asking for those of other kinds, which are answered as they are',
    mutants: [["kind !== 'local_file_group'", 'false']],
  },
  {
    file: OPERATIONS,
    why: 'to the aggregate units that are not given and units that are absent are one',
    mutants: [['named !== undefined', 'true']],
  },
  {
    file: OPERATIONS,
    why: 'nothing is behind no position, two facts are never at the same one, and of no secret nothing is detached',
    mutants: [
      ['detached !== null', 'true'],
      ['detached > position', 'detached >= position'],
      ['secretId === null', 'false'],
    ],
  },
  {
    file: OPERATIONS,
    why: 'a stream that is asked for within its tenant can be read, which the compiler is to be told',
    mutants: [
      [
        '(await execute.load(ingestionSetting, ingestionSettingStream(settingId), tenant))?.state',
        '(await execute.load(ingestionSetting, ingestionSettingStream(settingId), tenant)).state',
      ],
      ['setting?.status', 'setting.status'],
    ],
  },
  {
    file: 'application/sources/ingestion/parameters-in-force.ts',
    why: 'a change of what was not created fails before, which the compiler is to be told',
    mutants: [
      ["before.status === 'none'", 'false'],
      ["'none'", '""'],
    ],
  },
  {
    file: 'application/sources/ingestion/read-documents.ts',
    why: 'saves making titles for documents that have a text: they are not used',
    mutants: [
      ['[]', '["Stryker was here"]'],
      ["outcomes[i]?.kind === 'document'", 'false'],
      ['outcomes[i]?.kind', 'outcomes[i].kind'],
      ["'document'", '""'],
    ],
  },
  {
    file: SETTING,
    why: 'who has looked at a setting, or written it, finds it defined, which the compiler is to be told',
    mutants: [
      ["state.status === 'none'", 'false'],
      ["'none'", '""'],
      ["state.status === 'none' || revision === 'none'", 'false'],
      ["state.status === 'none' || revision === 'none'", "state.status === 'none' && revision === 'none'"],
      ["revision === 'none'", 'false'],
      ['found?.state', 'found.state'],
    ],
  },
  {
    file: SETTING,
    why: 'nothing is behind no position, and two facts are never at the same one',
    mutants: [
      ['detached !== null', 'true'],
      ['detached > done.position', 'detached >= done.position'],
    ],
  },
  {
    file: SETTING_SECRET,
    why: 'a setting that was changed is defined before and after, which the compiler is to be told',
    mutants: [
      ["before.status === 'none' || after.status === 'none'", 'false'],
      [
        "before.status === 'none' || after.status === 'none'",
        "before.status === 'none' && after.status === 'none'",
      ],
      ["before.status === 'none'", 'false'],
      ["after.status === 'none'", 'false'],
      ["'none'", '""'],
      ['found?.state', 'found.state'],
    ],
  },
  {
    file: SETTING_SECRET,
    why: 'saves looking whether it is named: of a secret that the setting names, and of none, nothing is detached',
    mutants: [
      ['former === null || former === now', 'false'],
      ['former === null || former === now', 'former === null && former === now'],
      ['former === null', 'false'],
      ['former === now', 'false'],
    ],
  },
  {
    file: SETTING_SECRET,
    why: 'no secret is of that type',
    mutants: [['[]', '["Stryker was here"]']],
  },
  {
    file: LOCAL_FILES,
    why: 'saves opening the area: a list without a part has no files',
    mutants: [['newest === null', 'false']],
  },
  {
    file: LOCAL_FILES,
    why: 'neither nothing nor that is the newest part of a list',
    mutants: [['[]', '["Stryker was here"]']],
  },
  {
    file: LOCAL_FILES,
    why: 'a stream that is asked for whatever its tenant can be read, and what is not registered has no files, which the compiler is to be told',
    mutants: [
      ['found?.state', 'found.state'],
      ["found === null || found.state.status === 'none'", 'false'],
      ["found === null || found.state.status === 'none'", "found === null && found.state.status === 'none'"],
      ['found === null', 'false'],
      ["found.state.status === 'none'", 'false'],
      ["'none'", '""'],
    ],
  },
  {
    file: 'application/sources/ingestion/prepare-text.ts',
    why: 'no tag has four letters, as the word for none has',
    mutants: [['tag !== null', 'true']],
  },
  {
    file: 'application/sources/ingestion/job-handler.ts',
    why: 'saves a look: once it is reported how a job has ended, it is not being canceled',
    mutants: [['true', 'false']],
  },
  {
    file: 'application/sources/ingestion/job-handler.ts',
    why: 'to the aggregate counts that are not given and counts that are absent are one',
    mutants: [['counts === undefined', 'false']],
  },
  {
    file: 'application/sources/ingestion/purge-handler.ts',
    why: 'nobody is told of what another process has taken up meanwhile',
    mutants: [["'the deletion has been taken up'", '""']],
  },
  {
    file: 'application/sources/ingestion/failed-purge.ts',
    why: 'what was found has events, and so was registered, which the compiler is to be told',
    mutants: [
      ["found.state.status === 'none'", 'false'],
      ["'none'", '""'],
    ],
  },
  {
    file: 'application/sources/ingestion/job-handler.ts',
    why: 'what is neither done nor failed is tried again',
    mutants: [["'transient'", '""']],
  },
  {
    file: 'application/sources/ingestion/purge-handler.ts',
    why: 'where nothing was found it is over, and gone, which the compiler is to be told',
    mutants: [
      ['found === null', 'false'],
      ["'gone'", '""'],
    ],
  },
  {
    file: 'application/sources/ingestion/purge-handler.ts',
    why: 'nobody is told why work was lost',
    mutants: [["'another worker has ended the deletion'", '""']],
  },
  {
    file: 'application/sources/ingestion/purge.ts',
    why: 'there is a last one of those that were removed, which the compiler is to be told',
    mutants: [["''", '"Stryker was here!"']],
  },
  {
    file: `${LISTED}/carry-others.ts`,
    why: 'what was found is looked at, and neither owed nor carried any more',
    mutants: [['found[i]?.locator !== locator', 'true']],
  },
  {
    file: `${LISTED}/fetch-batch.ts`,
    why: 'the first that is fetched is put in its place',
    mutants: [['[]', '["Stryker was here"]']],
  },
  {
    file: `${LISTED}/run-listed.ts`,
    why: 'others stay on a last page alone',
    mutants: [['next === null', 'true']],
  },
  {
    file: `${LISTED}/run-listed.ts`,
    why: 'no unit has that name',
    mutants: [['[]', '["Stryker was here"]']],
  },
  {
    file: `${LISTED}/run-listed.ts`,
    why: 'saves asking for what was never there: its removal leads to no event, and nothing is known to be forgotten',
    mutants: [['gone\n    .filter((locator) => known.has(locator))', 'gone']],
  },
  {
    file: `${LISTED}/unit-pipeline.ts`,
    why: 'saves looking: nothing on its way holds no unit, and is over at once',
    mutants: [
      ['underWay.size === 0', 'false'],
      ['false', 'true'],
    ],
  },
  {
    file: `${LISTED}/unit-visit.ts`,
    why: 'it is the last case, which leads on whether or not it is named',
    mutants: [
      ["case 'document':\n      break;", "case 'document':"],
      ["'document'", '""'],
    ],
  },
  {
    file: `${LISTED}/visit-units.ts`,
    why: 'what is not given and what is absent are one',
    mutants: [
      ['was !== undefined', 'true'],
      ['title !== undefined', 'true'],
    ],
  },
  {
    file: `${LISTED}/visit-units.ts`,
    why: 'only a document that was indexed is told to be the same',
    mutants: [["visited.outcome === 'indexed'", 'true']],
  },
];
