import type { Equivalents } from '../equivalent.ts';

export const SCORES: readonly Equivalents[] = [
  {
    file: 'domain/ranking/add-terms.ts',
    why: 'saves waiting for nothing',
    mutants: [['pause !== null', 'true']],
  },
  {
    file: 'domain/ranking/score-table.ts',
    why: 'saves looking at blocks that nothing has: all beyond the last are empty',
    mutants: [
      ['block * 32 < count', 'block * 32 <= count'],
      ['block * 32', 'block / 32'],
      ['ranked === 0', 'false'],
      ['{ base: 0, feedback: 0 }', '{}'],
    ],
  },
  {
    file: 'domain/ranking/score-table.ts',
    why: 'takes a score for another that is the same',
    mutants: [
      ['score > highestHere', 'score >= highestHere'],
      ['highestHere > highest', 'highestHere >= highest'],
      ['score <= (blocks.base[block] as number)', 'score < (blocks.base[block] as number)'],
      ['score > higher', 'score >= higher'],
    ],
  },
  {
    file: 'domain/ranking/top-k.ts',
    why: 'saves looking at what is left out in the end',
    mutants: [
      ['ofBlock.base * per.base + ofBlock.feedback * per.feedback >= least - MARGIN', 'true'],
      ['place < least - MARGIN', 'false'],
    ],
  },
  {
    file: 'domain/ranking/top-k.ts',
    why: 'no score lies exactly at the end of a margin that is there because sums of fractions are not exact',
    mutants: [
      [
        'ofBlock.base * per.base + ofBlock.feedback * per.feedback >= least - MARGIN',
        'ofBlock.base * per.base + ofBlock.feedback * per.feedback > least - MARGIN',
      ],
      ['place < least - MARGIN', 'place <= least - MARGIN'],
      [
        '(base[slot] as number) * per.base + (feedback[slot] as number) * per.feedback >= least - MARGIN',
        '(base[slot] as number) * per.base + (feedback[slot] as number) * per.feedback > least - MARGIN',
      ],
      ['score < cut', 'score <= cut'],
    ],
  },
  {
    file: 'domain/ranking/top-k.ts',
    why: 'behind the last is nothing that is less, and of equal scores it does not matter which is above',
    mutants: [
      ['child + 1 < heap.length', 'true'],
      ['child + 1 < heap.length', 'child + 1 <= heap.length'],
      ['child + 1', 'child - 1'],
      [
        '(heap[child + 1] as number) < (heap[child] as number)',
        'heap[child + 1] as number <= (heap[child] as number)',
      ],
      ['(heap[child] as number) >= score', 'heap[child] as number > score'],
      ['score > (heap[0] as number)', 'score >= (heap[0] as number)'],
    ],
  },
  {
    file: 'domain/ranking/two-pass-scoring.ts',
    why: 'saves new arrays for the next search, and doing twice or later what is done ahead',
    mutants: [['goesOn', 'false']],
  },
  {
    file: 'domain/ranking/two-pass-scoring.ts',
    why: 'there are as many of the one as of the other',
    mutants: [['others[i]?.get', 'others[i].get']],
  },
  {
    file: 'domain/ranking/two-pass-scoring.ts',
    why: 'all ways to lay out and to add up answer the same: which is taken only makes it quicker or slower',
    mutants: [
      ['slots.isDense && slots.count > few', 'false'],
      ['slots.count > few', 'true'],
      ['slots.count > few', 'slots.count >= few'],
      ['slots.count > few', 'slots.count <= few'],
      ['(sum, { firstNo, lastNo }) => sum + lastNo - firstNo + 1', '() => undefined'],
      ['sum + lastNo - firstNo + 1', 'sum + lastNo - firstNo - 1'],
      ['sum + lastNo - firstNo', 'sum + lastNo + firstNo'],
      ['sum + lastNo', 'sum - lastNo'],
      ['slots <= few', 'true'],
      ['slots <= few', 'false'],
      ['slots <= few', 'slots < few'],
      ['slots <= few', 'slots > few'],
      [
        'occurrences += of.get(term)?.offsets.length ?? 0',
        'occurrences -= of.get(term)?.offsets.length ?? 0',
      ],
      ['of.get(term)?.offsets.length ?? 0', 'of.get(term)?.offsets.length && 0'],
      ['slots <= occurrences * BLOCKS_BY_POSTING', 'false'],
      ['slots <= occurrences * BLOCKS_BY_POSTING', 'slots < occurrences * BLOCKS_BY_POSTING'],
      ['occurrences * BLOCKS_BY_POSTING', 'occurrences / BLOCKS_BY_POSTING'],
    ],
  },
  {
    file: 'domain/ranking/two-pass-scoring.ts',
    why: 'what is not done ahead is done later',
    mutants: [
      [
        `{
        if (goesOn) await first.widen();
      }`,
        '{}',
      ],
    ],
  },
  {
    file: 'domain/ranking/two-pass-scoring.ts',
    why: 'saves new arrays for the next search, and doing later what is done ahead',
    mutants: [
      ['async () => void (await widenOnce())', '() => undefined'],
      ['() => pool.release(accumulators, slots.count)', '() => undefined'],
    ],
  },
  {
    file: 'domain/ranking/bm25.ts',
    why: 'the highest stays what it was where another is as high',
    mutants: [['share > highest', 'share >= highest']],
  },
  {
    file: 'domain/ranking/titled.ts',
    why: 'passes over titles that lack the query, which is no part of theirs then',
    mutants: [['` ${asked} `', '``']],
  },
];
