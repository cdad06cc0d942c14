import { describe, expect, it } from 'vitest';
import { createQueue } from '../../../adapters/local-model/process/queue.ts';

const request = (id: number, urgent: boolean, ...lengths: readonly number[]) => ({
  id,
  urgent,
  tokens: lengths.map((length) => ({ ids: Array.from({ length }, () => 1), types: [] })),
});

describe('texts that wait for a model', () => {
  it('are computed in batches of a bounded size, the longest of a request first', () => {
    const turns = createQueue();
    turns.add(request(1, false, 10, 40, 20, 30, 500));
    const taken = Array.from({ length: 4 }, () => turns.take(80)?.places);
    expect(taken).toEqual([[4], [1, 3], [2, 0], undefined]);
  });

  it('give way to those that somebody waits for, and go on afterwards', () => {
    const turns = createQueue();
    turns.add(request(1, false, 8, 8));
    turns.add(request(2, false, 8));
    expect(turns.take(8)?.request.id).toBe(1);
    turns.add(request(3, true, 8));
    expect([1, 2, 3].map(() => turns.take(8)?.request.id)).toEqual([3, 1, 2]);
    expect(turns.take(8)).toBe(null);
  });
});
