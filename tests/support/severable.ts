import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { tcpHost } from './tcp-host.ts';

/** A way to a server that a test can cut: for the network between a service and its database. */
export interface Severable {
  readonly port: number;
  /** Breaks every connection, and refuses new ones until `restore`. */
  readonly cut: () => void;
  /** Lets nothing through any more, in either direction, without a word to either side, until `restore`. */
  readonly freeze: () => void;
  /**
   * Loses every byte until `restore`; the connections stay, and wait for answers that never come. Resolves with the first
   * byte that is lost.
   */
  readonly lose: () => Promise<void>;
  readonly restore: () => void;
  readonly close: () => Promise<void>;
}

/** Passes bytes on between 127.0.0.1 and the server. */
export const openSeverable = async (host: string, port: number): Promise<Severable> => {
  let state: 'open' | 'cut' | 'frozen' | 'lossy' = 'open';
  let onLoss = (): void => {};
  const sockets = new Set<Socket>();
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((near) => {
    track(near);
    if (state === 'cut') {
      near.destroy();
      return;
    }
    const far = track(connect(port, tcpHost(host)));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const)
      from.on('data', (bytes) => void (state === 'lossy' ? onLoss() : to.write(bytes)));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    if (state === 'frozen') for (const socket of [near, far]) socket.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      state = 'cut';
      breakAll();
    },
    freeze: () => {
      state = 'frozen';
      for (const socket of sockets) socket.pause();
    },
    lose: () => {
      state = 'lossy';
      return new Promise((resolve) => {
        onLoss = resolve;
      });
    },
    restore: () => {
      // What was frozen is broken: a network that comes back after long has lost its connections too.
      if (state === 'frozen') breakAll();
      state = 'open';
    },
    close: async () => {
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
};
