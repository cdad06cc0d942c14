import { randomUUID } from 'node:crypto';
import type { ClientDuplexStream } from '@grpc/grpc-js';
import { type Answer, answerOf } from './answers.ts';
import { maybeWritten, tooLate } from './failures.ts';
import type { BatchResponse } from './wire/batch-responses.ts';

/** Appends over one call, which spares each the cost of a call. They do not wait for each other. */
export interface Batch {
  /** An answer that comes later than this is ignored. */
  readonly append: (message: (id: string) => Buffer, withinMs: number) => Promise<Answer>;
  /** The call has ended: nothing more can be appended over it. */
  readonly isOver: () => boolean;
  readonly end: () => void;
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** The client's own batch waits for ever for a lost answer, and fails with every broken connection of the process. */
export const createBatch = (call: ClientDuplexStream<Buffer, BatchResponse>): Batch => {
  const waiting = new Map<string, Waiting>();
  let isOver = false;
  const over = (error: unknown): void => {
    isOver = true;
    // Of several it is not known which one the server has refused, and what it had made of the others by then.
    const failure = waiting.size > 1 ? maybeWritten(error) : error;
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  };
  call.on('data', (response: BatchResponse) => {
    const asked = waiting.get(response.id);
    try {
      asked?.resolve(answerOf(response));
    } catch (error) {
      asked?.reject(error);
    }
  });
  call.on('error', over);
  call.on('end', () => over(maybeWritten(new Error('the node ended the call'))));

  return {
    append: async (message, withinMs) => {
      const id = randomUUID();
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const timer = setTimeout(() => reject(tooLate(withinMs)), withinMs);
      waiting.set(id, { resolve, reject });
      try {
        call.write(message(id));
        return await promise;
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
    isOver: () => isOver,
    end: () => call.cancel(),
  };
};
