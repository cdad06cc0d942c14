import type { Equivalents } from '../equivalent.ts';

export const SOURCES: readonly Equivalents[] = [
  {
    file: 'application/sources/documents/operations.ts',
    why: 'a document whose metadata was changed just now is there, which the compiler is to be told',
    mutants: [
      ["state.status === 'none'", 'false'],
      ["'none'", '""'],
      ['[]', '["Stryker was here"]'],
    ],
  },
  {
    file: 'application/sources/documents/operations.ts',
    why: 'a document of the catalog has events, and the guard notes its files before anything is read',
    mutants: [
      ['[]', '["Stryker was here"]'],
      ["before.status === 'none'", 'false'],
      ["'none'", '""'],
    ],
  },
  {
    file: 'application/sources/documents/operations.ts',
    why: 'no state is there only of a data source of another tenant, whose documents the caller does not find',
    mutants: [
      [
        '(await execute.load(dataSource, dataSourceStream(dataSourceId), tenant))?.state',
        '(await execute.load(dataSource, dataSourceStream(dataSourceId), tenant)).state',
      ],
      ['state === undefined', 'false'],
    ],
  },
  {
    file: 'application/sources/schedules/check-schedule.ts',
    why: 'none that is too near, or two: the first of all is near to nothing',
    mutants: [
      ['first === undefined || second === undefined', 'first === undefined && second === undefined'],
      ['first === undefined', 'false'],
      ['second === undefined', 'false'],
    ],
  },
];
