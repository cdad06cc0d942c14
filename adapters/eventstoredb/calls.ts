import { randomUUID } from 'node:crypto';
import { Client, type ClientDuplexStream, type ClientReadableStream, type Metadata } from '@grpc/grpc-js';
import { StreamsService as Generated } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import {
  type AppendAnswer,
  type AppendMessage,
  answerOf,
  type BatchResponse,
  readBatchResponse,
} from './append-messages.ts';
import { maybeWritten, timedOut } from './errors.ts';
import { type ReadMessage, readMessage } from './messages.ts';

/** The two calls of the service `event_store.client.streams.Streams` that are used. */
export class StreamsService extends Client {
  read(request: ReadReq, headers: Metadata): ClientReadableStream<ReadMessage> {
    const { path, requestSerialize } = Generated.read;
    return this.makeServerStreamRequest(path, requestSerialize, readMessage, request, headers);
  }

  /** Takes messages of `appendMessage`. */
  batchAppend(headers: Metadata): ClientDuplexStream<Buffer, BatchResponse> {
    const asItIs = (message: Buffer): Buffer => message;
    return this.makeBidiStreamRequest(Generated.batchAppend.path, asItIs, readBatchResponse, headers);
  }
}

/** Appends over one call, which saves each the cost of a call. They do not wait for each other. */
export interface Batch {
  /** A later answer is ignored. */
  readonly append: (message: AppendMessage, withinMs: number) => Promise<AppendAnswer>;
  /** The call has ended. */
  readonly isOver: () => boolean;
  readonly end: () => void;
}

/** The official client's batch waits for ever for a lost answer, and fails with every broken connection of the process. */
export const openBatch = (call: ClientDuplexStream<Buffer, BatchResponse>): Batch => {
  const waiting = new Map<string, PromiseWithResolvers<AppendAnswer>>();
  let isOver = false;
  const over = (error: unknown): void => {
    isOver = true;
    // Of several it is not known which one the server refused, and what it had made of the others by then.
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
      const answer = Promise.withResolvers<AppendAnswer>();
      const timer = setTimeout(() => answer.reject(timedOut(withinMs)), withinMs);
      waiting.set(id, answer);
      try {
        call.write(message(id));
        return await answer.promise;
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
    isOver: () => isOver,
    end: () => call.cancel(),
  };
};

/**
 * The messages of a call, as many at once as are there. The server sends no more than the reader takes.
 *
 * `idleTimeoutMs`: time for the next one, counted only while the reader waits for it.
 */
export const messagesOf = async function* messagesOf<Message>(
  call: ClientReadableStream<Message>,
  idleTimeoutMs: number | undefined,
): AsyncGenerator<readonly Message[], void, undefined> {
  let ended: { readonly error?: Error } | null = null;
  let wake = (): void => {};
  const onEnd = (error?: Error): void => {
    ended ??= error ? { error } : {};
    wake();
  };
  call.on('readable', () => wake());
  call.on('end', () => onEnd());
  // An error may come after the reader has left: without a listener it would end the process.
  call.on('error', onEnd);
  /** False: nothing came in time. */
  const more = async (): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    wake = () => resolve(true);
    const late = idleTimeoutMs === undefined ? undefined : setTimeout(() => resolve(false), idleTimeoutMs);
    try {
      return await promise;
    } finally {
      clearTimeout(late);
    }
  };
  for (;;) {
    const messages: Message[] = [];
    for (let next = call.read() as Message | null; next !== null; next = call.read() as Message | null) {
      messages.push(next);
    }
    if (messages.length > 0) {
      yield messages;
      continue;
    }
    const end = ended as { readonly error?: Error } | null;
    if (end?.error) throw end.error;
    if (end) return;
    if (!(await more())) throw timedOut(idleTimeoutMs ?? 0);
  }
};
