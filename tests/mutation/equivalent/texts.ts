import type { Equivalents } from '../equivalent.ts';

/** Of what is read from pages and models, hidden, and embedded, and of stores that are away. */
export const TEXTS: readonly Equivalents[] = [
  {
    file: 'application/event-sourcing/store-health/compare-log.ts',
    why: 'of two places that are the same either may be taken',
    mutants: [
      ['acknowledged > seen.end', 'acknowledged >= seen.end'],
      ['last.end > seen.end', 'last.end >= seen.end'],
      ['position > acknowledged', 'position >= acknowledged'],
    ],
  },
  {
    file: 'application/event-sourcing/store-health/store-watch.ts',
    why: 'what has lasted lasts longer; and nobody hears who comes second in a race',
    mutants: [
      ['trouble?.kind === kind && trouble.reported', 'false'],
      ['!over.signal.aborted', 'true'],
    ],
  },
  {
    file: 'application/search/embedding/embed-owed.ts',
    why: 'there is a text for each hash, which the compiler is to be told',
    mutants: [["''", '"Stryker was here!"']],
  },
  {
    file: 'application/answers/extract/extract.ts',
    why: 'no other value has such a member; nothing is returned either way',
    mutants: [
      ["typeof json !== 'object'", 'false'],
      ['{\n    return undefined;\n  }', '{}'],
    ],
  },
  {
    file: 'application/answers/extract/extract.ts',
    why: 'the last part of an id holds no dash; what is not told is not tried again',
    mutants: [
      ["'-'", '""'],
      ["''", '"Stryker was here!"'],
      ['{ retryable: false }', '{}'],
    ],
  },
  {
    file: 'application/answers/extract/read-contents.ts',
    why: 'a round for none asks nobody',
    mutants: [['at < ids.length', 'at <= ids.length']],
  },
  {
    file: 'application/answers/extract/redact-data.ts',
    why: 'saves a copy of what no rule changes',
    mutants: [['rules.rules.length === 0', 'false']],
  },
  {
    file: 'application/sources/scrape/scrape.ts',
    why: 'only a document has facts of a page',
    mutants: [["outcome.kind !== 'document'", 'false']],
  },
  {
    file: 'application/redaction/operations.ts',
    why: 'the decision checks the rules as well; what was decided on is there, which the compiler is to be told',
    mutants: [
      ['checkRules(request.rules);', ';'],
      ['row === null', 'false'],
      ['row === null || row.deleted', 'false'],
      ['row === null || row.deleted', 'row === null && row.deleted'],
    ],
  },
  {
    file: 'application/redaction/redactor.ts',
    why: 'a piece of nothing holds no match, and what begins where the next piece does is found either way',
    mutants: [
      ['base < text.length', 'base <= text.length'],
      ['at < to', 'at <= to'],
      ['span.start >= to', 'span.start > to'],
    ],
  },
  {
    file: 'application/redaction/policies-in-force.ts',
    why: 'any other number says that it was told to forget',
    mutants: [['forgotten += 1', 'forgotten -= 1']],
  },
  {
    file: 'application/redaction/redacted-catalog.ts',
    why: 'saves a copy of what no rule changes',
    mutants: [['rules.rules.length === 0', 'false']],
  },
  {
    file: 'application/redaction/redactor.ts',
    why: 'a pattern has one, which the compiler is to be told; saves looking for what is folded where nothing is',
    mutants: [
      ["''", '"Stryker was here!"'],
      ['true', 'false'],
    ],
  },
  {
    file: 'application/redaction/redactor.ts',
    why: 'saves looking: without rules nothing is found, and in a text that holds nothing folded the folded rules find what the plain ones do',
    mutants: [
      ['rules.length === 0', 'false'],
      ['rules.filter(({ isFolded }) => !isFolded)', 'rules'],
    ],
  },
  {
    file: 'application/redaction/redactor.ts',
    why: 'an empty class of characters matches nothing, and at a character that begins no replacement none is found',
    mutants: [
      ['known.length === 0', 'false'],
      ["''", '"Stryker was here!"'],
    ],
  },
  {
    file: 'application/redaction/redactor.ts',
    why: 'what is found begins a replacement, which the compiler is to be told',
    mutants: [['[]', '["Stryker was here"]']],
  },
  {
    file: 'application/redaction/stream-redactor.ts',
    why: 'who has no place yet goes on at the beginning',
    mutants: [['() => 0', '() => undefined']],
  },
  {
    file: 'application/redaction/stream-redactor.ts',
    why: 'of the first match that ends behind that place the smaller of both places counts, wherever it begins',
    mutants: [
      ['start < sure', 'true'],
      ['start < sure', 'start <= sure'],
    ],
  },
  {
    file: 'application/redaction/stream-redactor.ts',
    why: 'saves moving everything by nothing',
    mutants: [['count === 0', 'false']],
  },
];
