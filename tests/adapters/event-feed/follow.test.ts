import { describe, expect, it } from 'vitest';
import { type LogEnd, follow } from '../../../adapters/event-feed/follow.ts';
import type { FeedMessage, Position } from '../../../application/ports/event-store.ts';

/** Followed until it asks for more than `ends`: what it hears, and how often it asked the store for the end. */
const heard = async (ends: readonly LogEnd[], asked: LogEnd) => {
  const stop = new AbortController();
  const coming = [...ends];
  const messages: FeedMessage[] = [];
  let questions = 0;
  const followed = {
    tail: {
      refresh: async () => ((questions += 1), asked),
      beyond: async () => {
        const end = coming.shift();
        if (end === undefined) stop.abort();
        return end ?? asked;
      },
    },
    readPage: async (_: Position, end: LogEnd) => ({ events: [], position: end.position }),
    refreshesEndAfterFailure: true,
    mayRetry: () => false,
    pauses: { pauseMs: 1, maxPauseMs: 1 },
  };
  for await (const message of follow(followed, '0', stop.signal)) messages.push(message);
  return { messages: messages.map(({ kind, position }) => `${kind} ${position}`), questions };
};

describe('following a log', () => {
  it('has caught up at an end that it was told, without a question', async () => {
    expect(await heard([{ position: '1' }, { position: '2' }], { position: '0' })).toEqual({
      messages: ['caughtUp 0', 'checkpoint 1', 'caughtUp 1', 'checkpoint 2', 'caughtUp 2'],
      questions: 1,
    });
  });

  it('has not caught up where more of the log was seen already', async () => {
    const ends = [
      { position: '1', isPassed: true },
      { position: '2', isPassed: true },
      { position: '3', isPassed: false },
    ];
    expect(await heard(ends, { position: '0' })).toEqual({
      messages: ['caughtUp 0', 'checkpoint 1', 'checkpoint 2', 'checkpoint 3', 'caughtUp 3'],
      questions: 1,
    });
  });
});
