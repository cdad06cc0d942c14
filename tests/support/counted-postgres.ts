import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tcpHost } from './tcp-host.ts';

/** A way to a Postgres server that counts what is asked of it. */
export interface CountedPostgres {
  readonly port: number;
  /** The statements of each transaction that has ended; one that stands alone is a transaction of its own. */
  readonly transactions: readonly (readonly string[])[];
  readonly close: () => Promise<void>;
}

/** Passes bytes on between 127.0.0.1 and the server, and reads the protocol in them. */
export const openCountedPostgres = async (host: string, port: number): Promise<CountedPostgres> => {
  const transactions: (readonly string[])[] = [];
  const sockets = new Set<Socket>();
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((near) => {
    const far = track(connect(port, tcpHost(host)));
    const { sent, answered } = watchConnection((statements) => transactions.push(statements));
    track(near).on('data', sent).pipe(far);
    far.on('data', answered).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    transactions,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};

/** Statements go out in Query, Parse and Bind; ReadyForQuery says when none of them has left a transaction open. */
const watchConnection = (onTransaction: (statements: readonly string[]) => void) => {
  const prepared = new Map<string, string>();
  let statements: string[] = [];
  const [onSent, onAnswered] = [
    (type: string, body: Buffer): void => {
      const texts = body.toString('utf8').split('\0');
      if (type === 'Q') statements.push(texts[0]!);
      if (type === 'P') prepared.set(texts[0]!, texts[1]!);
      if (type === 'B') statements.push(prepared.get(texts[1]!) ?? texts[1]!);
    },
    (type: string, body: Buffer): void => {
      if (type !== 'Z' || body.toString('utf8') !== 'I' || statements.length === 0) return;
      onTransaction(statements.map((text) => text.replaceAll(/\s+/g, ' ').trim()));
      statements = [];
    },
  ];
  // The first message of a client has a length and no type.
  return { sent: messagesOf(onSent, true), answered: messagesOf(onAnswered, false) };
};

const messagesOf = (onMessage: (type: string, body: Buffer) => void, untypedFirst: boolean) => {
  let rest: Buffer = Buffer.alloc(0);
  let typed = untypedFirst ? 0 : 1;
  return (chunk: Buffer): void => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= typed + 4) {
      const end = typed + rest.readUInt32BE(typed);
      if (rest.length < end) return;
      if (typed === 1) onMessage(String.fromCodePoint(rest[0]!), rest.subarray(5, end));
      rest = rest.subarray(end);
      typed = 1;
    }
  };
};
