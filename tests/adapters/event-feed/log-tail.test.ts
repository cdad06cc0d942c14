import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchTail } from '../../../adapters/event-feed/follow.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A log whose end is asked for; an answer comes when it is let. */
const openTail = () => {
  let [end, known, questions] = ['p1', '', 0];
  let hold: Promise<void> = Promise.resolve();
  let failure: Error | null = null;
  const tail = watchTail({
    ask: async () => {
      questions += 1;
      const found = end;
      await hold;
      if (failure !== null) throw failure;
      known = found;
      return { position: found };
    },
    known: () => ({ position: known }),
    pollMs: 100,
  });
  const { signal } = new AbortController();
  return {
    tail,
    grow: (to: string) => (end = to),
    fail: (error: Error | null) => (failure = error),
    questions: () => questions,
    beyond: (position: string) => tail.beyond(position, signal),
    /** Answers wait until the returned function is called. */
    holdAnswers: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      hold = promise;
      return resolve;
    },
  };
};

describe('the watched end of a log', () => {
  it('is asked for once, however many hint at the same place', async () => {
    const { tail, grow, questions, beyond, holdAnswers } = openTail();
    await tail.refresh();
    const waiting = beyond('p1');
    const answer = holdAnswers();
    grow('p2');
    tail.hint('p2');
    tail.hint('p2');
    answer();
    expect(await waiting).toEqual({ position: 'p2' });
    tail.hint('p2');
    tail.hint('p1');
    void beyond('p2');
    await vi.advanceTimersByTimeAsync(1);
    expect(questions()).toBe(2);
  });

  it('is asked for again where a hint went further than the answer', async () => {
    const { tail, grow, questions, beyond, holdAnswers } = openTail();
    await tail.refresh();
    const waiting = beyond('p2');
    const answer = holdAnswers();
    grow('p2');
    tail.hint('p2');
    grow('p3');
    tail.hint('p3');
    answer();
    expect(await waiting).toEqual({ position: 'p3' });
    expect(questions()).toBe(3);
  });

  it('serves whoever waits from an answer that another asked for', async () => {
    const { tail, grow, questions, beyond } = openTail();
    await tail.refresh();
    const waiting = beyond('p1');
    grow('p2');
    await tail.refresh();
    // Says nothing new any more.
    tail.hint('p2');
    expect(await Promise.race([waiting, vi.advanceTimersByTimeAsync(50)])).toEqual({ position: 'p2' });
    expect(questions()).toBe(2);
  });

  it('fails for all who wait behind a question that fails, and is asked anew by who comes later', async () => {
    const { tail, questions, holdAnswers, fail } = openTail();
    const answer = holdAnswers();
    const asked = [tail.refresh(), tail.refresh(), tail.refresh()];
    fail(new Error('nobody is there'));
    answer();
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(questions()).toBe(1);
    fail(null);
    expect(await tail.refresh()).toEqual({ position: 'p1' });
  });
});
