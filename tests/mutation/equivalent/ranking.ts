import type { Equivalents } from '../equivalent.ts';

export const RANKING: readonly Equivalents[] = [
  {
    file: 'domain/ranking/collapse.ts',
    why: 'saves comparing texts that begin differently, and counting what comes behind the first places',
    mutants: [
      ["(counts.get(beginnings[i] ?? '') ?? 0) > 1", 'true'],
      ["(counts.get(beginnings[i] ?? '') ?? 0) > 1", "(counts.get(beginnings[i] ?? '') ?? 0) >= 1"],
      ['fits', 'true'],
    ],
  },
  {
    file: 'domain/ranking/mistakes.ts',
    why: 'saves comparing words that are too far apart; nothing is read of the row before the first two',
    mutants: [
      ['Math.abs(a.length - b.length) > most', 'false'],
      ['[]', '["Stryker was here"]'],
      ['least > most', 'false'],
    ],
  },
  {
    file: 'domain/ranking/fuse.ts',
    why: 'no content is there twice',
    mutants: [['a.contentId < b.contentId', 'a.contentId <= b.contentId']],
  },
  {
    file: 'domain/ranking/link-lists.ts',
    why: 'saves looking for an end in a whole line',
    mutants: [['line.slice(-8)', 'line']],
  },
  {
    file: 'domain/ranking/byte-writer.ts',
    why: 'makes more room than there has to be, or reads a small number by the longer way',
    mutants: [
      ['length + more <= buffer.length', 'length + more < buffer.length'],
      ['to - from', 'to + from'],
      ['byte < 128', 'false'],
    ],
  },
  {
    file: 'domain/ranking/collapse.ts',
    why: 'every text has its beginning',
    mutants: [["''", '"Stryker was here!"']],
  },
  {
    file: 'domain/ranking/collapse.ts',
    why: 'saves reading the longer beginnings',
    mutants: [
      ['(text) => firstCharacters(text, FEW)', '() => undefined'],
      ['(counts.get(beginning) ?? 0) > 1', 'true'],
      ['(counts.get(beginning) ?? 0) > 1', 'false'],
      ['(counts.get(beginning) ?? 0) > 1', '(counts.get(beginning) ?? 0) >= 1'],
      ['(counts.get(beginning) ?? 0) > 1', '(counts.get(beginning) ?? 0) <= 1'],
      ['counts.get(beginning) ?? 0', 'counts.get(beginning) && 0'],
    ],
  },
  {
    file: 'domain/ranking/fuse.ts',
    why: 'only legs that are there are read',
    mutants: [
      ['{ ranked: [], best: 0, floor: 0 }', '{}'],
      ['[]', '["Stryker was here"]'],
    ],
  },
  {
    file: 'domain/ranking/merge-policy.ts',
    why: 'there is a last run',
    mutants: [['runs.at(-1)?.push', 'runs.at(-1).push']],
  },
  {
    file: 'domain/ranking/merge-segments.ts',
    why: 'there are as many lists as heads, and a term that is the least already stays it',
    mutants: [
      ['lists[i]?.next', 'lists[i].next'],
      ['head.term < term', 'head.term <= term'],
    ],
  },
  {
    file: 'domain/ranking/packed-postings.ts',
    why: 'what a title has, its text has as well: no byte is 128',
    mutants: [['frequency < 128', 'frequency <= 128']],
  },
  {
    file: 'domain/ranking/page-evidence.ts',
    why: 'the pages of the first hits are known',
    mutants: [['pages.get(pageOf(hit))?.sum', 'pages.get(pageOf(hit)).sum']],
  },
  {
    file: 'domain/ranking/postings.ts',
    why: 'saves new arrays where no title has it, and the end of the list is in no title',
    mutants: [
      ['titled.length === 0', 'false'],
      ['i < offsets.length', 'i <= offsets.length'],
    ],
  },
  {
    file: 'domain/ranking/query-syntax.ts',
    why: 'what is quoted or excluded is there; the blank beside words makes none',
    mutants: [
      ["''", '"Stryker was here!"'],
      ["' '", '""'],
    ],
  },
  {
    file: 'domain/ranking/query-syntax.ts',
    why: 'saves reading texts, and searching those that lack a word',
    mutants: [
      ['phrases.length + excluded.length === 0', 'false'],
      ['phrase.every((word) => all.has(word))', 'phrase.some(word => all.has(word))'],
      ['phrase.length === 1', 'false'],
    ],
  },
  {
    file: 'domain/ranking/segment-builder.ts',
    why: 'saves an empty list; no word is unknown, and what is no term occurs nowhere',
    mutants: [
      ['of.length > 1', 'true'],
      ['of.length > 1', 'of.length >= 1'],
      ['[]', '["Stryker was here"]'],
      ['-1', '+1'],
    ],
  },
  {
    file: 'domain/ranking/segment-documents.ts',
    why: 'makes another room than there has to be',
    mutants: [
      ['offsets.length * (ID_BYTES + 5) + 16', 'offsets.length * (ID_BYTES + 5) - 16'],
      ['offsets.length * (ID_BYTES + 5)', 'offsets.length / (ID_BYTES + 5)'],
      ['ID_BYTES + 5', 'ID_BYTES - 5'],
    ],
  },
  {
    file: 'domain/ranking/segment-documents.ts',
    why: 'beyond the last there is no number, and the same one is found before',
    mutants: [
      ['offsets.length - 1', 'offsets.length + 1'],
      ['there < offset', 'there <= offset'],
    ],
  },
  {
    file: 'domain/ranking/shared-rarity.ts',
    why: 'saves looking at words of one term, which is as rare as they are',
    mutants: [
      ['asked.filter((word) => word.terms.length > 1)', 'asked'],
      ['word.terms.length > 1', 'true'],
      ['word.terms.length > 1', 'word.terms.length >= 1'],
      ['several.length === 0', 'false'],
    ],
  },
  {
    file: 'domain/ranking/slot-layout.ts',
    why: 'saves noting contents one by one; behind the last word of a set is nothing',
    mutants: [
      ['bits === null', 'true'],
      ['i < bits.length', 'i <= bits.length'],
    ],
  },
  {
    file: 'domain/ranking/term-blocks.ts',
    why: 'the text begins with the end of a line, the term is among those that are read, and beyond the last is no block',
    mutants: [
      ["'\\n'", '""'],
      ['{ df: 0, titleDf: 0, cf: 0, length: 0 }', '{}'],
      ['firsts.length - 1', 'firsts.length + 1'],
    ],
  },
];
