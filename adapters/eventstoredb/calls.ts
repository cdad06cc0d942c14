import { randomUUID } from 'node:crypto';
import { Client, type ClientDuplexStream, type ClientReadableStream, type Metadata } from '@grpc/grpc-js';
import { StreamsService as Generated } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import {
  type AppendResponse,
  type AppendMessage,
  appendResponseOf,
  type BatchResponse,
  readBatchResponse,
} from './append-messages.ts';
import { maybeWritten, timedOut } from './errors.ts';
import { type ReadMessage, readMessage } from './messages.ts';

/** The two used calls of the service `event_store.client.streams.Streams`. */
export class StreamsService extends Client {
  read(request: ReadReq, headers: Metadata): ClientReadableStream<ReadMessage> {
    const { path, requestSerialize } = Generated.read;
    return this.makeServerStreamRequest(path, requestSerialize, readMessage, request, headers);
  }

  /** Sends messages of `appendMessage`. */
  batchAppend(headers: Metadata): ClientDuplexStream<Buffer, BatchResponse> {
    const identity = (message: Buffer): Buffer => message;
    return this.makeBidiStreamRequest(Generated.batchAppend.path, identity, readBatchResponse, headers);
  }
}

/**
 * Sends appends over one call, which saves the cost of a call per append. Appends do not wait for each other.
 */
export interface Batch {
  /** Ignores a response that comes after `withinMs`. */
  readonly append: (message: AppendMessage, withinMs: number) => Promise<AppendResponse>;
  /** Whether the call has ended. */
  readonly hasEnded: () => boolean;
  readonly end: () => void;
}

/**
 * Opens a batch. The official client's batch waits forever for a lost response, and fails with every broken
 * connection of the process.
 */
export const openBatch = (call: ClientDuplexStream<Buffer, BatchResponse>): Batch => {
  const pending = new Map<string, PromiseWithResolvers<AppendResponse>>();
  let hasEnded = false;
  const fail = (error: unknown): void => {
    hasEnded = true;
    // With several pending appends it is unknown which one the server rejected, and which others it has
    // written.
    const failure = pending.size > 1 ? maybeWritten(error) : error;
    for (const { reject } of pending.values()) reject(failure);
    pending.clear();
  };
  call.on('data', (response: BatchResponse) => {
    const request = pending.get(response.id);
    try {
      request?.resolve(appendResponseOf(response));
    } catch (error) {
      request?.reject(error);
    }
  });
  call.on('error', fail);
  call.on('end', () => fail(maybeWritten(new Error('the node ended the call'))));

  return {
    append: async (message, withinMs) => {
      const id = randomUUID();
      const response = Promise.withResolvers<AppendResponse>();
      const timer = setTimeout(() => response.reject(timedOut(withinMs)), withinMs);
      pending.set(id, response);
      try {
        call.write(message(id));
        return await response.promise;
      } finally {
        clearTimeout(timer);
        pending.delete(id);
      }
    },
    hasEnded: () => hasEnded,
    end: () => call.cancel(),
  };
};

/**
 * Yields the messages of a call, as many at once as have arrived. The server sends no more than the reader
 * takes.
 *
 * `idleTimeoutMs`: maximum time until the next message, counted only while the reader waits for it.
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
  /** Resolves to false if nothing came in time. */
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
