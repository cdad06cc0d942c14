import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { CERTIFICATE, KEY } from './eventstoredb/certificate.ts';

/** A Postgres that speaks TLS, in front of one that does not. */
export interface TlsFront {
  readonly port: number;
  /** Clients whose handshake succeeded. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

/** Length and code of the message that asks for TLS: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

export const openTlsFront = async (host: string, port: number): Promise<TlsFront> => {
  const sockets = new Set<Socket>();
  let connections = 0;
  const track = <T extends Socket>(socket: T): T => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((near) => {
    track(near).once('data', (first) => {
      if (!SSL_REQUEST.equals(first)) {
        near.destroy();
        return;
      }
      near.write('S');
      const secure = track(new TLSSocket(near, { isServer: true, cert: CERTIFICATE, key: KEY }));
      secure.once('secure', () => {
        connections += 1;
        const far = track(connect(port, host));
        secure.pipe(far);
        far.pipe(secure);
        secure.on('close', () => far.destroy());
        far.on('close', () => secure.destroy());
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
