import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface Relay {
  readonly port: number;
  /** Ends every connection at once, as a dying host would. New ones are accepted. */
  readonly cut: () => void;
  /** Cuts, and lets nobody in until `restore`. */
  readonly isolate: () => Promise<void>;
  readonly restore: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Hands bytes on to `target`: its connections can be cut without the server's consent. */
export const startRelay = async (target: number, port = 0): Promise<Relay> => {
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    const outgoing = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from);
      // Small frames that wait for an acknowledgement would cost 40 ms each.
      from.setNoDelay(true);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  const listen = async (at: number): Promise<void> => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const shut = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    cut();
    await closed;
  };
  await listen(port);
  const own = (server.address() as AddressInfo).port;
  return { port: own, cut, isolate: shut, restore: () => listen(own), close: shut };
};
