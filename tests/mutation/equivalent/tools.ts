import type { Equivalents } from '../equivalent.ts';

/** Of the tools of the knowledge base. */
export const TOOLS: readonly Equivalents[] = [
  {
    file: 'application/agents/tools/argument-schema.ts',
    why: 'no field has that name',
    mutants: [['[]', '["Stryker was here"]']],
  },
  {
    file: 'application/agents/tools/principal-arguments.ts',
    why: 'no argument has that name',
    mutants: [['[]', '["Stryker was here"]']],
  },
  {
    file: 'application/agents/tools/content-uri.ts',
    why: 'neither is a UUID, and what is no URL has no protocol',
    mutants: [
      ["''", '"Stryker was here!"'],
      ['url === null', 'false'],
    ],
  },
  {
    file: 'application/agents/tools/define.ts',
    why: 'to whoever takes arguments what is undefined is as what is absent',
    mutants: [
      ['value === undefined', 'false'],
      ['principalId !== undefined', 'true'],
      ['authzPolicy !== undefined', 'true'],
    ],
  },
  {
    file: 'application/agents/tools/shown-content.ts',
    why: 'it only saves work: no rule hides nothing',
    mutants: [['rules.rules.length === 0', 'false']],
  },
  {
    file: 'application/agents/tools/shown-content.ts',
    why: 'the last twelve characters of a UUID have none of its hyphens',
    mutants: [
      ["'-'", '""'],
      ["''", '"Stryker was here!"'],
    ],
  },
];
