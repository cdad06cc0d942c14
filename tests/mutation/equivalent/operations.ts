import type { Equivalents } from '../equivalent.ts';

/** Of what callers ask of the service, and of what is kept of it. */
export const OPERATIONS: readonly Equivalents[] = [
  {
    file: 'application/content/chunk-set.ts',
    why: 'what is a safe integer is a number, which the compiler is to be told',
    mutants: [["typeof value === 'number'", 'true']],
  },
  {
    file: 'application/content/recent-chunk-sets.ts',
    why: 'of more than so many one is the oldest, which the compiler is to be told',
    mutants: [['oldest !== undefined', 'true']],
  },
  {
    file: 'application/data-source/audit-trail.ts',
    why: 'a number that is none is 0 to slice, and none lies behind the last event',
    mutants: [
      ['after === undefined', 'false'],
      ['after !== undefined', 'true'],
    ],
  },
  {
    file: 'application/data-source/audit-trail.ts',
    why: 'a stream without events was refused before, which the compiler is to be told',
    mutants: [
      ['past.at(-1)?.revision', 'past.at(-1).revision'],
      ['-1n', '+1n'],
      ['past.at(-1)?.position', 'past.at(-1).position'],
      ["''", '"Stryker was here!"'],
    ],
  },
  {
    file: 'application/data-source/audit-trail.ts',
    why: 'what comes lies behind every event that a cursor may name; no job has no id',
    mutants: [
      ['entry.revision > after', 'true'],
      ['entry.revision > after', 'entry.revision >= after'],
      ['jobId !== null', 'true'],
    ],
  },
  {
    file: 'application/data-source/known-data-sources.ts',
    why: 'a round for none asks nobody',
    mutants: [['from < ids.length', 'from <= ids.length']],
  },
  {
    file: 'application/conversation/history.ts',
    why: 'a question is never kept without its words, which the compiler is to be told',
    mutants: [['parseQuestion(text).at(-1)?.content', 'parseQuestion(text).at(-1).content']],
  },
  {
    file: 'application/conversation/operations.ts',
    why: 'a question is never kept without its words, and has no pages to ask for; what is deleted was refused before, and what is not there is of no principal',
    mutants: [
      ['sent.at(-1)?.content', 'sent.at(-1).content'],
      ["''", '"Stryker was here!"'],
      ["role === 'user'", 'false'],
      ["'user'", '""'],
      ['row === null', 'false'],
      ["done.revision === 'none'", 'false'],
      ["'none'", '""'],
      ["state.status !== 'none'", 'true'],
    ],
  },
  {
    file: 'application/conversation/sweep.ts',
    why: 'nothing is less than a page; saves asking to forget nothing',
    mutants: [
      ['last === undefined', 'false'],
      ['stray.length > 0', 'true'],
      ['stray.length > 0', 'stray.length >= 0'],
    ],
  },
  {
    file: 'application/conversation/turn-command.ts',
    why: 'a parent that is undefined is none to a decision',
    mutants: [
      ['parentId === undefined', 'false'],
      ['parentId !== undefined', 'true'],
    ],
  },
  {
    file: 'application/conversation/turns.ts',
    why: 'saves reading a stream that is hardly there yet',
    mutants: [
      ["command.type === 'start'", 'false'],
      ["'start'", '""'],
    ],
  },
];
