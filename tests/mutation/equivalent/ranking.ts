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
    file: 'domain/ranking/edit-distance.ts',
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
    file: 'domain/ranking/identifiers.ts',
    why: 'saves looking for what cannot be there, or with the slower pattern',
    mutants: [
      ['/\\P{ASCII}/u', '/\\p{ASCII}/u'],
      ["text.split('\\n').filter((line) => MAY_HOLD.test(line))", "text.split('\\n')"],
    ],
  },
  {
    file: 'domain/ranking/link-lists.ts',
    why: 'saves looking for an end in a whole line',
    mutants: [['line.slice(-8)', 'line']],
  },
];
