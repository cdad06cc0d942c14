import type { Socket } from 'node:net';
import { type ChannelCredentials, type ChannelOptions, type Client, connectivityState } from '@grpc/grpc-js';
import type { Endpoint, StoreAddress } from './connection-string.ts';
import { tellingSockets } from './credentials.ts';
import { notConnected } from './failures.ts';

/** One connection to one node, for the calls that begin while it is the one to use. */
export interface Line<Service> {
  readonly node: Endpoint;
  readonly service: Service;
  /** Aborts when the line is left, for calls that would never end by themselves. */
  readonly left: AbortSignal;
  /** A call begins; `cancel` ends it should the line be cut. Answers what must be called at its end, once. */
  readonly begin: (cancel: () => void) => () => void;
  /** No new call: it is closed once those under way have ended. */
  readonly leave: () => void;
  /** Ends all calls, and closes it. */
  readonly cut: () => void;
  readonly isOpen: () => boolean;
}

type ServiceOf<Service extends Client> = new (
  address: string,
  credentials: ChannelCredentials,
  options: ChannelOptions,
) => Service;

export interface LineOptions {
  readonly credentials: ChannelCredentials;
  readonly keepAlive: StoreAddress['keepAlive'];
  /** Until the node has answered the first time. */
  readonly connectMs: number;
}

/** Other clients and projections may have written events of up to 16 MiB. */
const MAX_MESSAGE_BYTES = 17 * 1024 * 1024;
/** What a server may send before it is taken: some hundred events, so that it goes on while a page is handed over. */
const WINDOW_BYTES = 1024 * 1024;

/**
 * Opens a connection of its own: the library would else share one that hangs between all clients of the process.
 *
 * @throws notConnected when the node has not answered in time; a refused connection is told by the first call
 */
export const openLine = async <Service extends Client>(
  ServiceClient: ServiceOf<Service>,
  node: Endpoint,
  { credentials, keepAlive, connectMs }: LineOptions,
): Promise<Line<Service>> => {
  const sockets = new Set<Socket>();
  const telling = tellingSockets(credentials, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const service = new ServiceClient(`${node.host}:${node.port}`, telling, {
    'grpc.use_local_subchannel_pool': 1,
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc-node.flow_control_window': WINDOW_BYTES,
    ...(keepAlive && {
      'grpc.keepalive_time_ms': keepAlive.intervalMs,
      'grpc.keepalive_timeout_ms': keepAlive.timeoutMs,
    }),
  });
  const calls = new Set<() => void>();
  const left = new AbortController();
  let isOpen = true;
  const close = (): void => {
    isOpen = false;
    service.close();
    // One that hangs would stay open with its channel closed.
    for (const socket of sockets) socket.destroy();
  };
  const leave = (): void => {
    if (left.signal.aborted) return;
    left.abort();
    if (calls.size === 0) close();
  };
  const line: Line<Service> = {
    node,
    service,
    left: left.signal,
    begin: (cancel) => {
      calls.add(cancel);
      return () => {
        if (calls.delete(cancel) && calls.size === 0 && left.signal.aborted) close();
      };
    },
    leave,
    cut: () => {
      leave();
      for (const cancel of calls) cancel();
    },
    isOpen: () => isOpen,
  };
  try {
    await answered(service, node, connectMs);
  } catch (error) {
    leave();
    throw error;
  }
  return line;
};

const answered = (service: Client, { host, port }: Endpoint, withinMs: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const channel = service.getChannel();
    const until = Date.now() + withinMs;
    const look = (): void => {
      const state = channel.getConnectivityState(true);
      if (state !== connectivityState.IDLE && state !== connectivityState.CONNECTING) return resolve();
      channel.watchConnectivityState(state, until, (late) => {
        if (late) reject(notConnected(`${host}:${port} did not answer within ${withinMs} ms`));
        else look();
      });
    };
    look();
  });
