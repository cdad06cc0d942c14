import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../console/src/pages/source/attempts.ts';
import { stretchesOf, within } from '../../console/src/pages/source/stretches.ts';
import { nextBatch, sentOfEach, type Upload } from '../../console/src/pages/source/batches.ts';

const attempt = (queuedAt: number, endedAt?: number): Attempt => ({
  jobId: String(queuedAt),
  number: 1,
  trigger: 'sync',
  by: { actor: { kind: 'worker', id: 'w' }, position: '1' },
  queuedAt,
  ...(endedAt !== undefined && { endedAt }),
});
const NOW = 1_000_000;
/** Newest first: one that runs, a retry behind what it repeats, and one long before. */
const ATTEMPTS = [
  attempt(900_000),
  attempt(520_000, 530_000),
  attempt(500_000, 520_000),
  attempt(1_000, 9_000),
];

describe('the timeline of a source', () => {
  it('folds the time between jobs to its length, and keeps a retry beside what it repeats', () => {
    const found = stretchesOf(ATTEMPTS, NOW);
    expect(
      found.map(({ attempts, from, to, idleBefore }) => [attempts.length, from, to, idleBefore]),
    ).toEqual([
      [1, 900_000, NOW, 370_000],
      [2, 500_000, 530_000, 491_000],
      [1, 1_000, 9_000, null],
    ]);
    expect(found[1]!.attempts.map(({ queuedAt }) => queuedAt)).toEqual([520_000, 500_000]);
  });

  it('shows the attempts of which a part lies in the range', () => {
    const starts = (range: object) => within(ATTEMPTS, range, NOW).map(({ queuedAt }) => queuedAt);
    expect(starts({})).toHaveLength(4);
    expect(starts({ from: 529_000 })).toEqual([900_000, 520_000]);
    expect(starts({ from: 5_000, to: 510_000 })).toEqual([500_000, 1_000]);
    expect(starts({ from: 999_000 })).toEqual([900_000]);
  });
});

const upload = (path: string, size: number, more: Partial<Upload> = {}): Upload => ({
  path,
  file: { size } as File,
  state: 'waiting',
  sent: 0,
  ...more,
});

describe('an upload', () => {
  it('goes in requests of a bounded size, each with the next files that wait', () => {
    const paths = (uploads: readonly Upload[]) => nextBatch(uploads).map(({ path }) => path);
    const all = [
      upload('stored', 1, { state: 'stored' }),
      upload('a', 10_000_000),
      upload('canceled', 1, { state: 'canceled' }),
      upload('b', 5_000_000),
      upload('c', 5_000_000),
    ];
    expect(paths(all)).toEqual(['a', 'b']);
    expect(paths([upload('huge', 90_000_000), upload('a', 1)])).toEqual(['huge']);
    expect(paths(Array.from({ length: 99 }, (_, i) => upload(`${i}`, 1)))).toHaveLength(50);
    expect(paths([upload('a', 1), upload('alone', 1, { isAlone: true })])).toEqual(['a']);
    expect(paths([upload('alone', 1, { isAlone: true }), upload('a', 1)])).toEqual(['alone']);
    expect(paths([upload('failed', 1, { state: 'failed' })])).toEqual([]);
  });

  it('tells how much of each file has gone', () => {
    const sent = sentOfEach([upload('a', 10), upload('b', 20), upload('c', 5)], 18);
    expect([...sent]).toEqual([
      ['a', 10],
      ['b', 8],
      ['c', 0],
    ]);
  });
});
