import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import {
  type ChannelCredentials,
  type ChannelOptions,
  type Client,
  connectivityState,
  credentials as grpcCredentials,
  Metadata,
  status,
} from '@grpc/grpc-js';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { type Endpoint, invalid, type StoreAddress } from './connection-string.ts';
import { notConnected } from './errors.ts';

/** A connection to one node. */
export interface Channel<Service> {
  readonly service: Service;
  /** Aborts when the channel is retired, for calls that would never end by themselves. */
  readonly retired: AbortSignal;
  /**
   * Registers a call; `cancel` ends the call when the channel is closed. The caller must call the returned
   * function once when the call ends.
   */
  readonly begin: (cancel: () => void) => () => void;
  /** Accepts no new calls, and closes after the running ones have ended. */
  readonly retire: () => void;
  /** Ends all calls and closes. */
  readonly close: () => void;
  readonly isOpen: () => boolean;
  /** Whether a new call is sent at once, instead of waiting for a connection. */
  readonly isConnected: () => boolean;
}

export type ServiceClass<Service extends Client> = new (
  address: string,
  credentials: ChannelCredentials,
  options: ChannelOptions,
) => Service;

export interface ChannelSettings {
  readonly credentials: ChannelCredentials;
  readonly keepAlive: StoreAddress['keepAlive'];
  /** Time for the node's first response. */
  readonly connectMs: number;
}

/** Other clients and projections may have written events of up to 16 MiB. */
const MAX_MESSAGE_BYTES = 17 * 1024 * 1024;
/**
 * Flow-control window: some hundred events, so that the server continues to send while a page is processed.
 */
const WINDOW_BYTES = 1024 * 1024;

/**
 * Opens a separate connection: otherwise the library shares one, even one that hangs, between all clients of
 * the process.
 *
 * @throws notConnected if the node does not respond in time; gRPC's error, with the reason, if no connection
 * is possible
 */
export const openChannel = async <Service extends Client>(
  ServiceClient: ServiceClass<Service>,
  node: Endpoint,
  { credentials, keepAlive, connectMs }: ChannelSettings,
): Promise<Channel<Service>> => {
  const sockets = new Set<Socket>();
  let isOpen = true;
  const observed = observeSockets(credentials, (socket) => {
    // After a failed attempt the library connects once more, even if the channel is closed by then.
    if (!isOpen) return void socket.destroy();
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const service = new ServiceClient(`${node.host}:${node.port}`, observed, {
    'grpc.use_local_subchannel_pool': 1,
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc-node.flow_control_window': WINDOW_BYTES,
    ...(keepAlive && {
      'grpc.keepalive_time_ms': keepAlive.intervalMs,
      'grpc.keepalive_timeout_ms': keepAlive.timeoutMs,
    }),
  });
  const calls = new Set<() => void>();
  const retired = new AbortController();
  const shut = (): void => {
    isOpen = false;
    service.close();
    // A hanging connection would stay open although its channel is closed.
    for (const socket of sockets) socket.destroy();
  };
  const retire = (): void => {
    if (retired.signal.aborted) return;
    retired.abort();
    if (calls.size === 0) shut();
  };
  try {
    await connected(service, node, connectMs);
  } catch (error) {
    retire();
    throw error;
  }
  return {
    service,
    retired: retired.signal,
    begin: (cancel) => {
      calls.add(cancel);
      return () => {
        if (calls.delete(cancel) && calls.size === 0 && retired.signal.aborted) shut();
      };
    },
    retire,
    close: () => {
      retire();
      for (const cancel of calls) cancel();
    },
    isOpen: () => isOpen,
    isConnected: () => isOpen && service.getChannel().getConnectivityState(false) === connectivityState.READY,
  };
};

const connected = async (service: Client, { host, port }: Endpoint, withinMs: number): Promise<void> => {
  const late = notConnected(`${host}:${port} did not answer within ${withinMs} ms`);
  const deadline = Date.now() + withinMs;
  const channel = service.getChannel();
  for (;;) {
    const state = channel.getConnectivityState(true);
    if (state === connectivityState.READY) return;
    if (state !== connectivityState.IDLE && state !== connectivityState.CONNECTING) {
      return throwReason(service, deadline);
    }
    await new Promise<void>((resolve, reject) =>
      channel.watchConnectivityState(state, deadline, (error) => (error ? reject(late) : resolve())),
    );
  }
};

/** Only a call tells why there is no connection. Any answer means that there is one after all. */
const throwReason = (service: Client, deadline: number): Promise<void> => {
  const { path } = GossipService.read;
  const bytes = (message: Buffer): Buffer => message;
  return new Promise((resolve, reject) => {
    service.makeUnaryRequest(path, bytes, bytes, Buffer.alloc(0), new Metadata(), { deadline }, (error) =>
      error?.code === status.UNAVAILABLE || error?.code === status.DEADLINE_EXCEEDED
        ? reject(error)
        : resolve(),
    );
  });
};

/** The library's private member that creates a connection from an open socket. */
const CONNECTOR = '_createSecureConnector';

/**
 * Wraps the credentials so that they report each socket as soon as it is open: the library keeps a connection
 * that hangs during its handshake forever, even after its channel is closed.
 */
const observeSockets = (
  given: ChannelCredentials,
  onSocket: (socket: Socket) => void,
): ChannelCredentials => {
  const observed = Object.create(given) as ChannelCredentials;
  observed[CONNECTOR] = (...args) => {
    const connector = given[CONNECTOR](...args);
    const connect = connector.connect.bind(connector);
    connector.connect = (socket) => {
      onSocket(socket);
      return socket.destroyed ? Promise.reject(new Error('the channel is closed')) : connect(socket);
    };
    return connector;
  };
  return observed;
};

/** @throws InvalidConnectionString if a certificate file cannot be read or contains no certificate */
export const channelCredentials = (tls: StoreAddress['tls']): ChannelCredentials => {
  if (tls === null) return grpcCredentials.createInsecure();
  const [authority, key, certificate] = [tls.authority, tls.key, tls.certificate].map(fileOf);
  try {
    // Node takes an authority that is none, and trusts nobody then.
    if (authority) void new X509Certificate(authority);
    return grpcCredentials.createSsl(authority, key, certificate);
  } catch {
    return invalid('one of its certificate files contains no certificate or no key');
  }
};

const fileOf = (path: string | undefined): Buffer | null => {
  try {
    return path === undefined ? null : readFileSync(path);
  } catch {
    return invalid('one of its certificate files cannot be read');
  }
};

/** Headers of every call. Without TLS no user is sent, because the network could read the password. */
export const headersOf = ({ tls, credentials: user, connectionName }: StoreAddress): Metadata => {
  const headers = new Metadata();
  headers.set('requires-leader', 'true');
  if (connectionName !== undefined) headers.set('connection-name', connectionName);
  if (tls !== null && user !== undefined) {
    const { username, password } = user;
    headers.set('authorization', `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`);
  }
  return headers;
};
