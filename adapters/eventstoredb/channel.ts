import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import {
  type ChannelCredentials,
  type ChannelOptions,
  type Client,
  connectivityState,
  credentials as grpcCredentials,
  Metadata,
} from '@grpc/grpc-js';
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
 * @throws notConnected if the node does not respond in time; a refused connection is reported by the first
 * call
 */
export const openChannel = async <Service extends Client>(
  ServiceClient: ServiceClass<Service>,
  node: Endpoint,
  { credentials, keepAlive, connectMs }: ChannelSettings,
): Promise<Channel<Service>> => {
  const sockets = new Set<Socket>();
  const observed = observeSockets(credentials, (socket) => {
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
  let isOpen = true;
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
    await firstResponse(service, node, connectMs);
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
  };
};

const firstResponse = (service: Client, { host, port }: Endpoint, withinMs: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const channel = service.getChannel();
    const deadline = Date.now() + withinMs;
    const check = (): void => {
      const state = channel.getConnectivityState(true);
      if (state !== connectivityState.IDLE && state !== connectivityState.CONNECTING) return resolve();
      channel.watchConnectivityState(state, deadline, (late) => {
        if (late) reject(notConnected(`${host}:${port} did not answer within ${withinMs} ms`));
        else check();
      });
    };
    check();
  });

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
      return connect(socket);
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
