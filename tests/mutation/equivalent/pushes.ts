import type { Equivalents } from '../equivalent.ts';

export const PUSHES: readonly Equivalents[] = [
  {
    file: 'application/sources/pushes/document-fields.ts',
    why: 'what is no object has no key; a function that ends answers nothing',
    mutants: [
      ["typeof value !== 'object'", 'false'],
      ['{\n    return undefined;\n  }', '{}'],
    ],
  },
  {
    file: 'application/sources/pushes/end-job.ts',
    why: 'what is no push is refused before; what names a job of a push tells that it was queued, as it is handed over at once',
    mutants: [
      ['mustBePush(state);', ';'],
      ["event.type === 'JobQueued'", 'true'],
      ["event.type === 'JobQueued'", "event.type !== 'JobQueued'"],
    ],
  },
  {
    file: 'application/sources/pushes/jobs.ts',
    why: 'what names a job of a push tells that it was queued; an id was made; what does not complete a job fails it',
    mutants: [
      ["event.type === 'JobQueued'", 'true'],
      ["event.type === 'JobQueued'", "event.type !== 'JobQueued'"],
      ["''", '"Stryker was here!"'],
      ["'fail'", '""'],
    ],
  },
  {
    file: 'application/sources/pushes/pushed-source.ts',
    why: 'a row is given its id and its tenant when it is read, and one that was removed is not read',
    mutants: [
      ["''", '"Stryker was here!"'],
      ["row.status === 'removed'", 'false'],
      ["'removed'", '""'],
      ["'skipped'", '""'],
    ],
  },
  {
    file: 'application/sources/pushes/put-document.ts',
    why: 'it comes back only without having read',
    mutants: [['read === null', 'true']],
  },
  {
    file: 'application/sources/pushes/put-document.ts',
    why: 'bytes that were read before are there already; a stream is loaded; no document is ahead of the job but one that a caller took out',
    mutants: [
      ["owed === 'reading'", 'true'],
      ['found?.state', 'found.state'],
      ["state?.status === 'removed'", 'true'],
      ['state?.status', 'state.status'],
    ],
  },
  {
    file: 'application/sources/pushes/read-document.ts',
    why: 'what is not said is nothing; one document has one outcome',
    mutants: [
      ['mediaType !== undefined', 'true'],
      ['title !== undefined', 'true'],
      ['read === undefined', 'false'],
      ["'a document was read without an outcome'", '""'],
    ],
  },
  {
    file: 'application/sources/pushes/receive-document.ts',
    why: 'what is not said is nothing',
    mutants: [['part.mediaType !== undefined', 'true']],
  },
  {
    file: 'application/sources/pushes/record-document.ts',
    why: 'the job that reads all is the first, and knows nothing; what is only met again is not read; nobody lists, or tells of progress',
    mutants: [
      ["state.job.mode === 'incremental'", 'true'],
      ["'visit'", '""'],
      ["'reading'", '""'],
      ['read === null', 'false'],
      ['[]', '["Stryker was here"]'],
      ['async () => ({ units: [], next: null })', '() => undefined'],
      ['{ units: [], next: null }', '{}'],
      ['async () => NO_COUNTS', '() => undefined'],
    ],
  },
  {
    file: 'application/sources/pushes/report.ts',
    why: 'saves counting what is not told; what is due is told',
    mutants: [
      ['!progressIsDue(job, at)', 'false'],
      ['done.events.length > 0', 'true'],
      ['done.events.length > 0', 'done.events.length >= 0'],
    ],
  },
];
