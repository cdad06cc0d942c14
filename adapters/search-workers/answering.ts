import { parentPort } from 'node:worker_threads';
import type { LogFields } from '../../application/ports/logger.ts';
import type { FromThread, ToThread } from './messages.ts';
import { sentError } from './sent-error.ts';

/** What a thread does, by name. */
export type Operations = Readonly<Record<string, (input: never) => Promise<unknown>>>;

/** Has this thread answer what its pool asks, any number of questions at a time, until the pool ends it. */
export const answerQuestions = (operations: Operations, end: () => Promise<void>): void => {
  const port = parentPort;
  if (port === null) throw new Error('this is no thread');
  const answer = async (id: number, operation: string, input: unknown): Promise<void> => {
    try {
      const act = operations[operation];
      if (act === undefined) throw new Error(`a thread knows no ${operation}`);
      const found = await act(input as never);
      if (found instanceof Uint8Array) sendBytes(id, found);
      else port.postMessage({ kind: 'answer', id, answer: found } satisfies FromThread);
    } catch (error) {
      port.postMessage({ kind: 'failure', id, error: sentError(error) } satisfies FromThread);
    }
  };
  /** Handed over in memory of their own: to send a part of a larger piece would send all of it. */
  const sendBytes = (id: number, bytes: Uint8Array): void => {
    const own = new Uint8Array(bytes.length);
    own.set(bytes);
    port.postMessage({ kind: 'answer', id, answer: own } satisfies FromThread, [own.buffer]);
  };
  port.on('message', (message: ToThread) => {
    if (message.kind === 'question') void answer(message.id, message.operation, message.input);
    else if (message.kind === 'look') port.postMessage({ kind: 'alive' } satisfies FromThread);
    else void end().finally(() => port.close());
  });
  port.postMessage({ kind: 'ready' } satisfies FromThread);
};

/** Has the program log something. */
export const warnFromThread = (message: string, fields: LogFields = {}): void =>
  parentPort?.postMessage({ kind: 'warning', message, fields } satisfies FromThread);
