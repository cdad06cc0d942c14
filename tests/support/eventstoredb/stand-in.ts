import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { handleAppend } from './append-handlers.ts';
import { handleBatchAppend } from './batch-handler.ts';
import { handleFeatures, handleGossip } from './cluster.ts';
import { createFaults } from './faults.ts';
import { type StandInLog, createLog } from './log.ts';
import { type Node, type Role, type User, refuser } from './node.ts';
import { handleRead } from './read-handler.ts';
import { type Relay, startRelay } from './relay.ts';

/**
 * A STAND-IN for EventStoreDB: it speaks the protocol of its streams service on a port of this machine and keeps
 * everything in memory. It is no event store.
 *
 * Seen on a real server (24.2.0: one node, one with TLS and users, three with TLS), and done here as it was seen:
 *
 * - all that the contract suites ask;
 * - conflicts that name what reads do not show yet: a leader checks against what it has written (`log.lag`);
 * - a leader that was deposed while it was frozen shows an earlier log (`asOf`), silence at any moment
 *   (`network.fallSilent`, `silence`, `stall`), and connections that hang while they are made;
 * - tombstones, soft deletion and `$maxAge`, scavenged or not: what reads show, what a repetition is answered, and the wording;
 * - streams that end with a foreign event, which reads show like any other;
 * - a position with the right commit and a wrong prepare, and revisions beyond 2^63 - 1: "Exception was thrown by
 *   handler."
 *
 * Taken from the source of the server (EventStore/EventStore and kurrent-io/KurrentDB on GitHub, 20.6 to 26.0), by
 * reading, and not checked against one:
 *
 * - that an append which is half known is a conflict: `ReaderIndex/IndexWriter.cs` (CheckCommit); that the ids of "any"
 *   are forgotten in time is not done here;
 * - the position of an append is that of its last event, with commit and prepare alike: `StorageChaser.cs`,
 *   `RequestManagerBase.cs`; reads show the same: `ReaderIndex/AllReader.cs`, `Grpc/Streams.Read.cs`. Here a position
 *   grows by the bytes of the records, as in a log, but no record lies between those of events;
 * - reads of the log are inclusive, subscriptions exclusive; a read at a place where no record begins is refused, backwards
 *   at once (`TFChunkReadSide.cs`): `StorageReaderWorker.AllFiltered.cs` (the wording differs between versions; a scavenged place is a good one there);
 * - checkpoints, their interval and "caught up": `Enumerator.AllSubscriptionFiltered.cs`; a server also thins them out
 *   while it catches up by pages, and up to 22.10 repeats an old one once it is live (its issue 3697);
 * - a slow subscriber is dropped with CANCELLED: older servers drop it, newer ones go back to catching up;
 * - refusals, their codes and trailers, but for those above: `Grpc/RpcExceptions.cs`; a wrong password ends as HTTP 401,
 *   which gRPC translates to UNAUTHENTICATED; access lists are not done here;
 * - a leader is required by a header: `Grpc/Streams.*.cs`; a node that is none writes for others here as it would
 *   forward there;
 * - the size of an append counts data and metadata: before 25.1 the server counts data only.
 *
 * Not there at all: persistent subscriptions, deletion over the wire, links, projections, HTTP.
 */
export interface StandIn extends Pick<Node, 'log' | 'faults' | 'calls' | 'subscribedAfter' | 'open'> {
  /** For one node, with the user if there is one. */
  readonly connectionString: string;
  readonly port: number;
  /** What lies between it and its clients. */
  readonly network: Omit<Relay, 'port' | 'close'>;
  readonly become: (role: Role) => void;
  readonly close: () => Promise<void>;
}

export interface StandInOptions {
  readonly port?: number;
  /** Nodes of a cluster share theirs. */
  readonly log?: StandInLog;
  readonly role?: Role;
  readonly maxAppendBytes?: number;
  /** With TLS, and only then, a user can be asked for. */
  readonly tls?: { readonly key: string; readonly certificate: string; readonly user: User };
}

/** Of a server without configuration; what is larger must be refused by us, before. */
const MAX_APPEND_BYTES = 1024 * 1024;

export const startStandIn = async (options: StandInOptions = {}): Promise<StandIn> => {
  const { log = createLog(), tls, maxAppendBytes = MAX_APPEND_BYTES } = options;
  const server = new Server();
  let relay: Relay | undefined;
  const node: Node = {
    log,
    faults: createFaults(),
    maxAppendBytes,
    calls: { append: 0, batchAppend: 0, read: 0, readStream: 0, readGarbage: 0, subscribe: 0, eventsRead: 0 },
    subscribedAfter: [],
    open: new Set(),
    role: options.role ?? { kind: 'leader' },
    refusalFor: refuser(() => node.role, tls?.user),
    cut: () => relay?.cut(),
  };
  serve(server, node, () => relay?.port ?? 0);
  const credentials = tls
    ? ServerCredentials.createSsl(null, [
        { private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.certificate) },
      ])
    : ServerCredentials.createInsecure();
  relay = await startRelay(await bound(server, credentials), options.port);
  const { port, close } = relay;
  const user = tls && `${encodeURIComponent(tls.user.name)}:${encodeURIComponent(tls.user.password)}@`;
  return {
    ...node,
    // Node takes no IP address as a name in TLS.
    connectionString: tls ? `esdb://${user}localhost:${port}?tls=true` : `esdb://127.0.0.1:${port}?tls=false`,
    port,
    network: relay,
    become: (role) => (node.role = role),
    close: async () => {
      await close();
      server.forceShutdown();
    },
  };
};

const serve = (server: Server, node: Node, port: () => number): void => {
  const unimplemented = (
    _call: unknown,
    answer: (error: { readonly code: status; readonly details: string }) => void,
  ): void => answer({ code: status.UNIMPLEMENTED, details: 'the stand-in does not do this' });
  server.addService(StreamsService, {
    append: handleAppend(node),
    batchAppend: handleBatchAppend(node),
    read: handleRead(node),
    delete: unimplemented,
    tombstone: unimplemented,
  });
  server.addService(ServerFeaturesService, { getSupportedMethods: handleFeatures });
  server.addService(GossipService, { read: handleGossip(node, port) });
};

const bound = (server: Server, credentials: ServerCredentials): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', credentials, (error, port) => (error ? reject(error) : resolve(port)));
  });
