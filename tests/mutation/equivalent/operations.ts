import type { Equivalents } from '../equivalent.ts';

/** Of what callers ask of the service, and of what is kept of it. */
export const OPERATIONS: readonly Equivalents[] = [
  {
    file: 'domain/chunking/chunk-set.ts',
    why: 'what is a safe integer is a number, which the compiler is to be told',
    mutants: [["typeof value === 'number'", 'true']],
  },
  {
    file: 'application/sources/content/recent-chunk-sets.ts',
    why: 'of more than so many one is the oldest, which the compiler is to be told',
    mutants: [['oldest !== undefined', 'true']],
  },
  {
    file: 'application/sources/data-sources/audit-trail.ts',
    why: 'a number that is none is 0 to slice, and none lies behind the last event',
    mutants: [
      ['after === undefined', 'false'],
      ['after !== undefined', 'true'],
    ],
  },
  {
    file: 'application/sources/data-sources/audit-trail.ts',
    why: 'a stream without events was refused before, which the compiler is to be told',
    mutants: [
      ['past.at(-1)?.revision', 'past.at(-1).revision'],
      ['-1n', '+1n'],
      ['past.at(-1)?.position', 'past.at(-1).position'],
      ["''", '"Stryker was here!"'],
    ],
  },
  {
    file: 'application/sources/data-sources/audit-trail.ts',
    why: 'what comes lies behind every event that a cursor may name; no job has no id',
    mutants: [
      ['entry.revision > after', 'true'],
      ['entry.revision > after', 'entry.revision >= after'],
      ['jobId !== null', 'true'],
    ],
  },
  {
    file: 'application/access/api-keys/operations.ts',
    why: 'a round for none asks nobody',
    mutants: [['from < ids.length', 'from <= ids.length']],
  },
  {
    file: 'application/answers/conversations/turns.ts',
    why: 'a question is never kept without its words, which the compiler is to be told',
    mutants: [['parseQuestion(text).at(-1)?.content', 'parseQuestion(text).at(-1).content']],
  },
  {
    file: 'application/answers/conversations/operations.ts',
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
    file: 'application/agents/sweep-vault.ts',
    why: 'nothing is less than a page; saves asking to forget nothing',
    mutants: [
      ['last === undefined', 'false'],
      ['stray.length > 0', 'true'],
      ['stray.length > 0', 'stray.length >= 0'],
    ],
  },
  {
    file: 'application/answers/conversations/turn-command.ts',
    why: 'a parent that is undefined is none to a decision',
    mutants: [
      ['parentId === undefined', 'false'],
      ['parentId !== undefined', 'true'],
    ],
  },
  {
    file: 'application/answers/conversations/turns.ts',
    why: 'saves reading a stream that is hardly there yet',
    mutants: [
      ["command.type === 'start'", 'false'],
      ["'start'", '""'],
    ],
  },
  {
    file: 'application/access/secrets/access-token.ts',
    why: 'saves taking a turn; a signal aborts once, and a listener that is left behind does nothing any more',
    mutants: [
      ['kept !== undefined', 'false'],
      ['{ once: true }', '{}'],
      ['true', 'false'],
      ["{\n    signal.removeEventListener('abort', stop);\n  }", '{}'],
      ["'abort'", '""'],
    ],
  },
  {
    file: 'application/access/secrets/operations.ts',
    why: 'saves reading what was just kept, and a stream that is hardly there yet',
    mutants: [
      ['replayed', 'true'],
      ['{ probablyNew: !replayed }', '{}'],
      ['!replayed', 'replayed'],
    ],
  },
  {
    file: 'application/access/secrets/credentials.ts',
    why: 'what needs an exchange leaves the switch without an answer either way',
    mutants: [
      ["'oauth_refresh'", '""'],
      ["case 'service_account':\n      return undefined;", "case 'service_account':"],
      ["'service_account'", '""'],
    ],
  },
  {
    file: 'application/access/secrets/operations.ts',
    why: 'a change of what is deleted was refused by the decision, which the compiler is to be told',
    mutants: [
      ["before.status === 'kept'", 'true'],
      ["done.state.status !== 'kept'", 'false'],
    ],
  },
  {
    file: 'application/access/secrets/credentials.ts',
    why: 'the next read begins once the one before has ended',
    mutants: [['underWay === reading', 'true']],
  },
  {
    file: 'application/access/secrets/sweep.ts',
    why: 'a stream lies with the tenant of its texts; saves asking to forget nothing',
    mutants: [
      [
        '(await execute.load(secret, stream, tenant))?.state',
        '(await execute.load(secret, stream, tenant)).state',
      ],
      ['stray.length > 0', 'true'],
      ['stray.length > 0', 'stray.length >= 0'],
    ],
  },
  {
    file: 'domain/idempotency/completion-key.ts',
    why: 'the compiler holds streams to it, and nothing else reads it',
    mutants: [["'idempotency'", '""']],
  },
  {
    file: 'application/answers/completions/complete.ts',
    why: 'messages that are none were refused before; the last part of an id holds no dash',
    mutants: [
      ['messages.at(-1)?.content', 'messages.at(-1).content'],
      ["'-'", '""'],
      ["''", '"Stryker was here!"'],
    ],
  },
  {
    file: 'application/access/secrets/access-token.ts',
    why: 'a race hears of whoever comes second',
    mutants: [['work.catch(() => {});', ';']],
  },
  {
    file: 'application/access/secrets/access-token.ts',
    why: 'what is undefined is no claim',
    mutants: [['subject !== undefined', 'true']],
  },
];
