import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendResponse, AppendMessage } from './append-messages.ts';
import { type Batch, messagesOf, openBatch, StreamsService } from './calls.ts';
import { type Channel, channelCredentials, headersOf, openChannel } from './channel.ts';
import { type Endpoint, readConnectionString, type StoreAddress } from './connection-string.ts';
import { findLeader } from './discovery.ts';
import { withTimeout } from './deadlines.ts';
import { closed, failureOf, notConnected } from './errors.ts';
import type { ReadMessage } from './messages.ts';

/**
 * The calls to the store. All of them require the leader, which alone decides appends. They use the current
 * channel. The first call finds the leader and opens the channel; a failure that casts doubt on the channel
 * retires it.
 */
export interface Connection {
  /**
   * Yields the messages of a response, as many at once as have arrived. Leaving the loop early ends the call
   * on the server too. After `idleTimeoutMs` without a message the call ends with an error; without this
   * limit it may be idle forever, and ends with its channel.
   */
  readonly read: (
    request: ReadReq,
    limits: ReadLimits,
  ) => AsyncGenerator<readonly ReadMessage[], void, undefined>;
  /**
   * Sends one append as soon as there is a connection. If it gets no response within `callMs` it may have been
   * written; without a connection in the time left it was not. `onNode` receives the node that responded.
   */
  readonly append: (
    message: AppendMessage,
    limits: { readonly callMs: number; readonly left: () => number },
    onNode?: (node: object) => void,
  ) => Promise<AppendResponse>;
  /**
   * Reports that the responses of this node (as passed to `onNode`) cannot be trusted: the next call uses
   * another channel.
   */
  readonly invalidate: (node: object) => void;
  /** Ends all calls. */
  readonly close: () => void;
}

export interface ReadLimits {
  /**
   * Maximum time from one message to the next or to the end, counted while the reader is ready to take it.
   */
  readonly idleTimeoutMs?: number;
  /** Ends the call; the messages then end with an error. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the node before the first message: the same object for the same channel to the same node. */
  readonly onNode?: (node: object) => void;
}

/**
 * One per process. Nothing is sent before the first call. `onConnected` is called when a read uses another
 * channel than the previous read.
 *
 * @throws InvalidConnectionString
 */
export const connect = (
  connectionString: string,
  { connectMs, onConnected }: { readonly connectMs: number; readonly onConnected?: (() => void) | undefined },
): Connection => {
  const address = readConnectionString(connectionString);
  const headers = headersOf(address);
  const noUserReason = reasonForNoUser(address);
  const leader = leaderChannel(address, connectMs);
  /** Completes the error of a failed call and retires the channel if necessary. */
  const failed = (channel: LeaderChannel, error: unknown): unknown => {
    const raised =
      error instanceof Error && noUserReason !== null ? Object.assign(error, { noUserReason }) : error;
    const failure = failureOf(raised);
    if (failure.reconnect) leader.retire(channel, failure.leader);
    return raised;
  };

  let lastRead: object | null = null;
  const batches = new WeakMap<LeaderChannel, Batch>();
  const batchOn = (channel: LeaderChannel): Batch => {
    const open = batches.get(channel);
    if (open !== undefined && !open.hasEnded()) return open;
    const batch = openBatch(channel.service.batchAppend(headers));
    batches.set(channel, batch);
    return batch;
  };

  return {
    read: async function* read(request, { idleTimeoutMs, signal, onNode }) {
      signal?.throwIfAborted();
      const channel = await leader.current();
      signal?.throwIfAborted();
      if (channel !== lastRead) onConnected?.();
      lastRead = channel;
      onNode?.(channel);
      const call = channel.service.read(request, headers);
      const signals = idleTimeoutMs === undefined ? [signal, channel.retired] : [signal];
      const cancel = (): void => call.cancel();
      const end = channel.begin(cancel);
      let isComplete = false;
      for (const abortSignal of signals) abortSignal?.addEventListener('abort', cancel);
      try {
        yield* messagesOf(call, idleTimeoutMs);
        isComplete = true;
      } catch (error) {
        throw failed(channel, error);
      } finally {
        for (const abortSignal of signals) abortSignal?.removeEventListener('abort', cancel);
        if (!isComplete) cancel();
        end();
      }
    },
    append: async (message, { callMs, left }, onNode) => {
      const ms = left();
      const late = (): Error => notConnected(`no node was reached within ${Math.round(ms)} ms`);
      const channel = await withTimeout(ms, leader.current(), late);
      const batch = batchOn(channel);
      const end = channel.begin(batch.end);
      try {
        const response = await batch.append(message, Math.min(callMs, left()));
        onNode?.(channel);
        return response;
      } catch (error) {
        throw failed(channel, error);
      } finally {
        end();
      }
    },
    invalidate: leader.retire,
    close: leader.close,
  };
};

type LeaderChannel = Channel<StreamsService>;

/**
 * Manages the channel to the presumed leader, which all callers share, and retired channels with running
 * calls.
 */
const leaderChannel = ({ tls, keepAlive, nodes, discover }: StoreAddress, connectMs: number) => {
  const settings = { credentials: channelCredentials(tls), keepAlive, connectMs };
  const all = new Set<LeaderChannel>();
  let current: Promise<LeaderChannel> | null = null;
  /** The current channel, once it is open. */
  let opened: LeaderChannel | null = null;
  /** The leader that another node named. */
  let namedLeader: Endpoint | undefined;
  let isClosed = false;

  const open = async (): Promise<LeaderChannel> => {
    const known = namedLeader;
    namedLeader = undefined;
    const node = known ?? (discover ? await findLeader(nodes, settings) : nodes[0]!);
    const channel = await openChannel(StreamsService, node, settings);
    for (const earlier of all) if (!earlier.isOpen()) all.delete(earlier);
    all.add(channel);
    if (isClosed) channel.close();
    opened = channel;
    return channel;
  };
  const retire = (channel: object, leader?: Endpoint): void => {
    const found = [...all].find((candidate) => candidate === channel);
    // Only the current channel is not retired yet.
    if (found === undefined || found.retired.aborted) return;
    namedLeader = leader;
    [current, opened] = [null, null];
    found.retire();
  };

  return {
    current: async (): Promise<LeaderChannel> => {
      if (isClosed) throw closed();
      // A call on it would wait for a connection, and would not know afterwards whether it was sent.
      if (opened?.isConnected() === false) retire(opened);
      if (current !== null) return current;
      const opening = open();
      current = opening;
      opening.catch(() => {
        if (current === opening) current = null;
      });
      return opening;
    },
    /** The next call uses another channel: to `leader` if it is known. */
    retire,
    close: (): void => {
      isClosed = true;
      for (const channel of all) channel.close();
    },
  };
};

const reasonForNoUser = ({ tls, credentials }: StoreAddress): string | null => {
  if (tls === null) return 'the connection does not use TLS';
  return credentials === undefined ? 'the connection string names none' : null;
};
