import type { Equivalents } from '../equivalent.ts';

const WIKI = 'domain/ingestion-setting/parameters/wiki.ts';

export const SETTINGS: readonly Equivalents[] = [
  {
    file: WIKI,
    why: 'what stands for an absent part holds no id either',
    mutants: [
      ["''", '"Stryker was here!"'],
      ['[]', '["Stryker was here"]'],
    ],
  },
  {
    file: WIKI,
    why: 'the pattern always goes to the end: a path, what follows ?, what follows #',
    mutants: [
      [
        '/^https?:\\/\\/[^/?#]+(\\/[^?#]*)(?:\\?([^#]*))?(?:#.*)?$/is',
        '/^https?:\\/\\/[^/?#]+(\\/[^?#]*)(?:\\?([^#]*))?(?:#.*)?/is',
      ],
    ],
  },
  {
    file: WIKI,
    why: 'an id has 32 digits, or its dashes in their places already',
    mutants: [
      ["'-'", '""'],
      ['/^(.{8})(.{4})(.{4})(.{4})(.{12})$/', '/(.{8})(.{4})(.{4})(.{4})(.{12})$/'],
      ['/^(.{8})(.{4})(.{4})(.{4})(.{12})$/', '/^(.{8})(.{4})(.{4})(.{4})(.{12})/'],
    ],
  },
  {
    file: 'domain/recurrence/time-zone.ts',
    why: 'a function that ends without a value answers nothing, too',
    mutants: [
      [
        `{
    return undefined;
  }`,
        '{}',
      ],
    ],
  },
];
