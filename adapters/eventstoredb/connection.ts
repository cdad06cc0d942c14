import { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { EventStoreUnavailable } from '../../application/ports/event-store.ts';
import { InvalidConnectionString, readConnectionString } from './connection-string.ts';

export interface Connection {
  readonly client: EventStoreDBClient;
  /**
   * For every call. All go to the leader: it alone shows what was acknowledged, so that "everything up to here" holds
   * from one call to the next. Credentials are given with each append because they select the client's plain append,
   * which has a deadline of its own; its batch append waits for ever, and one broken connection fails all batches of
   * the process.
   */
  readonly options: {
    readonly requiresLeader: true;
    readonly credentials?: { readonly username: string; readonly password: string };
  };
  /** The frames of an answer, at most for `deadlineMs`. Leaving early ends the call on the server too. */
  readonly read: (request: ReadReq, limits: ReadLimits) => AsyncGenerator<ReadResp, void, undefined>;
  readonly close: () => Promise<void>;
}

export interface ReadLimits {
  readonly deadlineMs: number;
  /** Ends the call; the frames then end with an error. */
  readonly signal?: AbortSignal | undefined;
  /** Told, before the first frame, which node answers: the same object for the same connection to the same node. */
  readonly onNode?: (node: object) => void;
}

type ReadCall = ReturnType<StreamsClient['read']>;
type ReadParameters = Parameters<StreamsClient['read']>;

/** The parts of the client from which it builds its own reads; its types keep them to its subclasses. */
interface Inside {
  readonly GRPCStreamCreator: (
    service: typeof StreamsClient,
    name: string,
    call: (client: StreamsClient) => ReadCall,
  ) => () => Promise<ReadCall>;
  readonly callArguments: (options: {
    readonly requiresLeader: boolean;
    readonly deadline: number;
  }) => [ReadParameters[1], ReadParameters[2]];
  supports: () => Promise<boolean>;
}

/** Never sent: without TLS the client keeps credentials to itself. It only selects the plain append. */
const NOBODY = { username: 'nobody', password: 'nothing' };

/**
 * One client for the process, connected at its first call. `onConnected` is called when a read goes to another connection
 * than the one before.
 *
 * @throws InvalidConnectionString
 */
export const connect = (connectionString: string, onConnected: () => void = () => {}): Connection => {
  const { text, tls, credentials } = readConnectionString(connectionString);
  const client = clientOf(text);
  const inside = client as unknown as Inside;
  // TLS without a user: a made-up one would be refused, so the choice of the plain append is made where it is asked.
  if (tls && credentials === undefined) inside.supports = () => Promise.resolve(false);
  const user = credentials ?? (tls ? undefined : NOBODY);
  const channels = new Set<{ readonly close: () => void }>();
  let closed = false;

  return {
    client,
    options: { requiresLeader: true, ...(user && { credentials: user }) },
    read: async function* read(request, { deadlineMs, signal, onNode }) {
      if (closed) throw new EventStoreUnavailable('the event store is closed');
      signal?.throwIfAborted();
      const open = inside.GRPCStreamCreator(StreamsClient, 'read', (service) => {
        const channel = service.getChannel();
        if (!channels.has(channel)) onConnected();
        channels.clear();
        channels.add(channel);
        onNode?.(channel);
        return service.read(request, ...inside.callArguments({ requiresLeader: true, deadline: deadlineMs }));
      });
      const call = await open();
      const cancel = (): void => call.cancel();
      // A call that was left reports its end as an error, which nobody waits for.
      call.on('error', () => {});
      signal?.addEventListener('abort', cancel);
      try {
        for await (const frame of call) yield frame as ReadResp;
      } finally {
        signal?.removeEventListener('abort', cancel);
        cancel();
      }
    },
    close: async () => {
      closed = true;
      await client.dispose();
      for (const channel of channels) channel.close();
    },
  };
};

const clientOf = (text: string): EventStoreDBClient => {
  try {
    return EventStoreDBClient.connectionString(text);
  } catch (error) {
    // Its parser repeats parts of the text; of the other errors only those about certificate files are left.
    const reason = /certificate|userCertFile/i.test(String(error))
      ? 'a certificate file that it names cannot be read'
      : 'the client cannot read it';
    throw new InvalidConnectionString(`the EventStoreDB connection string cannot be used: ${reason}`);
  }
};
