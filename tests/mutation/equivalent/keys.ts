import type { Equivalents } from '../equivalent.ts';

export const KEYS: readonly Equivalents[] = [
  {
    file: 'domain/api-key/decide.ts',
    why: 'words at the end of an error, for people: nothing goes by them',
    mutants: [
      ["'rotate a key that has it'", '""'],
      ["'revoke a key that has it'", '""'],
      ["'is not restricted to source groups and has not expired'", '""'],
      ["'grant it'", '""'],
    ],
  },
  {
    file: 'domain/secret/decide.ts',
    why: 'one that is not kept has no value that the command could name',
    mutants: [["state.status !== 'kept'", 'false']],
  },
  {
    file: 'domain/secret/decide.ts',
    why: 'words of an error, for people: nothing goes by them',
    mutants: [
      ['secretTypes.length === 0', 'true'],
      ['secretTypes.length === 0', 'false'],
      ['secretTypes.length === 0', 'secretTypes.length !== 0'],
      ["'none'", '""'],
      ["', '", '""'],
      ['uses.size === 1', 'true'],
      ['uses.size === 1', 'false'],
      ['uses.size === 1', 'uses.size !== 1'],
      ["'a data source names'", '""'],
      ['`${uses.size} data sources name`', '``'],
    ],
  },
  {
    file: 'domain/secret/decide.ts',
    why: 'what is in use has a first use',
    mutants: [['first?.dataSourceId', 'first.dataSourceId']],
  },
  {
    file: 'domain/secret/value.ts',
    why: 'a user name without a character is refused behind it, by the same code',
    mutants: [['end < 0', 'end <= 0']],
  },
  {
    file: 'domain/secret/value.ts',
    why: 'no field is unknown where there are no known ones; and words of an error',
    mutants: [
      ['known?.join', 'known.join'],
      ["', '", '""'],
    ],
  },
  {
    file: 'domain/secret/value.ts',
    why: 'what is a safe integer is a number',
    mutants: [["typeof value === 'number'", 'true']],
  },
  {
    file: 'domain/authz/decide.ts',
    why: 'attributes are an object, and its JSON is never that of nothing',
    mutants: [['known !== undefined', 'true']],
  },
  {
    file: 'domain/authz/policy-filter.ts',
    why: 'a condition on nothing, or with an operator of nothing, is refused when it is read: it is false all the same',
    mutants: [
      ['value === undefined', 'false'],
      ['asSet === null', 'false'],
      ['throw new Unreadable();', ';'],
    ],
  },
  {
    file: 'domain/authz/policy-filter.ts',
    why: 'what is no object refers to nothing, and goes on as it is',
    mutants: [["typeof raw !== 'object'", 'false']],
  },
  {
    file: 'domain/authz/policy-filter.ts',
    why: 'refused behind it by the same code, in other words',
    mutants: [
      ["operator === 'exists'", 'false'],
      ["'exists'", '""'],
    ],
  },
  {
    file: 'domain/authz/policy-filter.ts',
    why: 'any text will do as a sample of one',
    mutants: [["'a'", '""']],
  },
  {
    file: 'domain/conversation/decide.ts',
    why: 'no message has null as its id',
    mutants: [['id === null', 'false']],
  },
  {
    file: 'domain/conversation/tree.ts',
    why: 'no message has null as its id, and only an answer has a status',
    mutants: [
      ['parentId === null', 'false'],
      ["message.role === 'assistant'", 'true'],
    ],
  },
  {
    file: 'domain/source/shape.ts',
    why: 'where there is no source there is no generation either, let alone an infinite one',
    mutants: [
      ["state.status === 'none'", 'false'],
      ["'none'", '""'],
    ],
  },
  {
    file: 'domain/source/decide.ts',
    why: 'an indexed source has content; lists of one length have the same places',
    mutants: [
      ['known.content?.raw', 'known.content.raw'],
      ['b[i]?.key', 'b[i].key'],
    ],
  },
];
