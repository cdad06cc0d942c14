import { describe, expect, it } from 'vitest';
import { createPace, createQueue } from '../../../adapters/local-model/process/queue.ts';

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

  it('are left out where nobody waits any more', () => {
    const turns = createQueue();
    turns.add(request(1, false, 8, 8));
    turns.add(request(2, false, 8));
    turns.drop(1);
    turns.drop(7);
    expect([turns.take(8)?.request.id, turns.take(8)]).toEqual([2, null]);
  });
});

describe('the pace of a model', () => {
  it('comes to as many tokens as take 400 ms, within bounds', () => {
    const pace = createPace();
    for (let run = 0; run < 20; run += 1) pace.took(pace.tokens(), pace.tokens() / 2);
    expect(pace.tokens()).toBe(800);
    for (let run = 0; run < 20; run += 1) pace.took(pace.tokens(), 1);
    expect(pace.tokens()).toBe(4_096);
    for (let run = 0; run < 20; run += 1) pace.took(64, 60_000);
    expect(pace.tokens()).toBe(64);
  });
});
