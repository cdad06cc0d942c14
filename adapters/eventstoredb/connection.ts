import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Answer } from './answers.ts';
import { type Batch, createBatch } from './batch.ts';
import { readConnectionString, type StoreAddress } from './connection-string.ts';
import { channelCredentials, headersOf } from './credentials.ts';
import { createLines } from './lines.ts';
import { framesOf } from './frames.ts';
import type { Line } from './line.ts';
import type { Frame } from './wire/read-responses.ts';
import { StreamsService } from './wire/streams-service.ts';

/**
 * The calls to the store. All require the leader: it alone says what may be appended where. Each goes out on the
 * connection of now, which is found and opened by the first call, and left after a failure that speaks against it.
 */
export interface Connection {
  /**
   * The frames of an answer, as many at once as have come. Leaving early ends the call on the server too. A silence of
   * `silenceMs` ends it with an error; without that it may last for ever, and ends with its connection.
   */
  readonly read: (request: ReadReq, limits: ReadLimits) => AsyncGenerator<readonly Frame[], void, undefined>;
  /** One append, by its message. What is not answered in time may have been written. `onNode`: told who has answered. */
  readonly append: (
    message: (id: string) => Buffer,
    withinMs: number,
    onNode?: (node: object) => void,
  ) => Promise<Answer>;
  /** What this node says is not to be believed, as `onNode` told it: the next call goes to another connection. */
  readonly leave: (node: object) => void;
  /** Ends all calls. */
  readonly close: () => void;
}

export interface ReadLimits {
  /** Time from one frame to the next, or to the end, in which the reader was ready to take it. */
  readonly silenceMs?: number;
  /** Ends the call; the frames then end with an error. */
  readonly signal?: AbortSignal | undefined;
  /** Told, before the first frame, which node answers: the same object for the same connection to the same node. */
  readonly onNode?: (node: object) => void;
}

/**
 * One for the process. Nothing is sent before the first call. `onConnected` is called when a read goes to another
 * connection than the one before.
 *
 * @throws InvalidConnectionString
 */
export const connect = (
  connectionString: string,
  { connectMs, onConnected }: { readonly connectMs: number; readonly onConnected?: (() => void) | undefined },
): Connection => {
  const address = readConnectionString(connectionString);
  const credentials = channelCredentials(address.tls);
  const headers = headersOf(address);
  const withoutUser = reasonForNoUser(address);
  const lines = createLines(StreamsService, address, {
    credentials,
    keepAlive: address.keepAlive,
    connectMs,
  });
  /** What a call on a line ended with, in full. */
  const failed = (line: Line<StreamsService>, error: unknown): unknown => {
    const raised =
      error instanceof Error && withoutUser !== null ? Object.assign(error, { withoutUser }) : error;
    lines.failed(line, raised);
    return raised;
  };

  let readOn: object | null = null;
  const batches = new WeakMap<Line<StreamsService>, Batch>();
  const batchOn = (line: Line<StreamsService>): Batch => {
    const open = batches.get(line);
    if (open !== undefined && !open.isOver()) return open;
    const batch = createBatch(line.service.batchAppend(headers));
    batches.set(line, batch);
    return batch;
  };

  return {
    read: async function* read(request, { silenceMs, signal, onNode }) {
      signal?.throwIfAborted();
      const line = await lines.current();
      signal?.throwIfAborted();
      if (line !== readOn) onConnected?.();
      readOn = line;
      onNode?.(line);
      const call = line.service.read(request, headers);
      const ends = silenceMs === undefined ? [signal, line.left] : [signal];
      const cancel = (): void => call.cancel();
      const end = line.begin(cancel);
      let isLeft = true;
      for (const one of ends) one?.addEventListener('abort', cancel);
      try {
        yield* framesOf(call, silenceMs);
        isLeft = false;
      } catch (error) {
        throw failed(line, error);
      } finally {
        for (const one of ends) one?.removeEventListener('abort', cancel);
        if (isLeft) cancel();
        end();
      }
    },
    append: async (message, withinMs, onNode) => {
      const line = await lines.current();
      const batch = batchOn(line);
      const end = line.begin(batch.end);
      try {
        const answer = await batch.append(message, withinMs);
        onNode?.(line);
        return answer;
      } catch (error) {
        throw failed(line, error);
      } finally {
        end();
      }
    },
    leave: lines.leave,
    close: lines.close,
  };
};

const reasonForNoUser = ({ tls, credentials }: StoreAddress): string | null => {
  if (tls === null) return 'the connection is without TLS';
  return credentials === undefined ? 'the connection string names none' : null;
};
