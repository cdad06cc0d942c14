import type { Equivalents } from '../equivalent.ts';

const WORDS = 'words in the middle of an error, for people: nothing goes by them';

export const DATA_SOURCE: readonly Equivalents[] = [
  {
    file: 'domain/data-source/decide-queue.ts',
    why: 'a tick names no units: the type of the command tells the compiler so',
    mutants: [["by.type === 'enqueue'", 'true']],
  },
  {
    file: 'domain/data-source/decide-queue.ts',
    why: WORDS,
    mutants: [
      ["'canceling: wait until it is canceled'", '""'],
      ['`backing off until ${notBefore}`', '``'],
    ],
  },
  {
    file: 'domain/data-source/decide-work.ts',
    why: WORDS,
    mutants: [
      ['`${status}, held by epoch ${holder} of job ${job.jobId}`', '``'],
      ["'managed'", '""'],
      ["'canceling'", '""'],
    ],
  },
  {
    file: 'domain/data-source/decide.ts',
    why: WORDS,
    mutants: [
      ["'not registered'", '""'],
      ["'removed'", '""'],
      ["'cancel'", '""'],
    ],
  },
  {
    file: 'domain/data-source/decide.ts',
    why: 'no other command has a registration: its type tells the compiler so',
    mutants: [["command.type === 'enqueue'", 'true']],
  },
  {
    file: 'domain/data-source/deletion-rules.ts',
    why: 'no sum of pauses is an hour exactly: 1,022 s, and then ten minutes each',
    mutants: [['pausesBefore(tries) >= DELETION_PATIENCE', 'pausesBefore(tries) > DELETION_PATIENCE']],
  },
  {
    file: 'domain/data-source/push-rules.ts',
    why: 'behind the last case nothing follows: what is not refused is let through there too',
    mutants: [
      ["'managed'", '""'],
      ["'unknown'", '""'],
    ],
  },
  {
    file: 'domain/data-source/state.ts',
    why: 'the event notes nothing: nothing and {} add the same to a state',
    mutants: [
      ["'DataSourceRegistered'", '""'],
      ["'JobStarted'", '""'],
      ["'JobProgressed'", '""'],
      ["'JobSucceeded'", '""'],
      ["'JobFailed'", '""'],
      ["'JobRequeued'", '""'],
      ["'JobCanceled'", '""'],
      ["'DataSourceDeletionRequested'", '""'],
      ["'DataSourceDeleted'", '""'],
      ["'DataSourceDeletionFailed'", '""'],
      ["'JobStatusLost'", '""'],
      ["'JobStatusReconciled'", '""'],
      ["case 'JobStatusReconciled':\n      return {};", "case 'JobStatusReconciled':"],
    ],
  },
];
