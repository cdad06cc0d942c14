import type { Equivalents } from '../equivalent.ts';

export const UPLOADS: readonly Equivalents[] = [
  {
    file: 'application/sources/uploads/add-files.ts',
    why: 'a group that is there has a setting of its kind, which the compiler is to be told',
    mutants: [
      ["setting?.state.status !== 'defined'", 'false'],
      ['setting?.state', 'setting.state'],
      ["parameters.kind !== 'local_file_group'", 'false'],
    ],
  },
  {
    file: 'application/sources/uploads/commit-files.ts',
    why: 'a group that was there is found; nobody reads the name of what is caught at once',
    mutants: [
      [
        '(await execute.load(dataSource, dataSourceStream(id), tenant))?.state',
        '(await execute.load(dataSource, dataSourceStream(id), tenant)).state',
      ],
      ["'ListMoved'", '""'],
    ],
  },
  {
    file: 'application/sources/uploads/create-group.ts',
    why: 'registered again, nothing changes; there is a name by then',
    mutants: [
      ['true', 'false'],
      ["''", '"Stryker was here!"'],
    ],
  },
  {
    file: 'application/sources/uploads/file-list.ts',
    why: 'no two files of a list have the same name',
    mutants: [['a.name < b.name', 'a.name <= b.name']],
  },
  {
    file: 'application/sources/uploads/file-names.ts',
    why: 'the ending goes first of what is too much, and is put behind again',
    mutants: [
      ['name.slice(0, name.length - ending.length)', 'name'],
      ['name.length - ending.length', 'name.length + ending.length'],
    ],
  },
  {
    file: 'application/sources/uploads/add-files.ts',
    why: 'the group is there by then; a list that is none names nothing',
    mutants: [
      [
        '(await execute.load(dataSource, dataSourceStream(id), undefined))?.state',
        '(await execute.load(dataSource, dataSourceStream(id), undefined)).state',
      ],
      ["state === undefined || state.status === 'none'", 'false'],
      ["state === undefined || state.status === 'none'", "state === undefined && state.status === 'none'"],
      ['state === undefined', 'false'],
      ["state.status === 'none'", 'false'],
      ["'none'", '""'],
      ['newest === null', 'false'],
      ['found?.state', 'found.state'],
    ],
  },
  {
    file: 'application/sources/uploads/add-files.ts',
    why: 'saves looking up what counts as changed anyway, and nothing at the end',
    mutants: [
      ['uploaded.filter(({ name, sha256 }) => listed.get(name) === sha256)', 'uploaded'],
      ['listed.get(name) === sha256', 'true'],
      ['next < same.length', 'next <= same.length'],
    ],
  },
  {
    file: 'application/sources/uploads/remove-left.ts',
    why: 'no data source has null as its name; one that is there has a status',
    mutants: [
      ['createdId === null', 'false'],
      ["created.state.status !== 'none'", 'true'],
      ["'none'", '""'],
      ['createdId !== null', 'true'],
    ],
  },
  {
    file: 'application/sources/uploads/upload-fields.ts',
    why: 'what is no object has no key; a function that ends answers nothing',
    mutants: [
      ["typeof value !== 'object'", 'false'],
      ['{\n    return undefined;\n  }', '{}'],
    ],
  },
];
