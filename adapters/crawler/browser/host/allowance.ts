import type { Socket } from 'node:net';

/** What one page may still take of the network. */
export interface Allowance {
  /** Takes one request from it; false: there is none left. */
  readonly takeRequest: () => boolean;
  /** Watches a connection: its bytes in both directions are spent, and it ends with the allowance. */
  readonly hold: (socket: Socket) => void;
  /** Whether it is spent or was ended. */
  readonly ended: () => boolean;
  readonly atEnd: (then: () => void) => void;
  readonly end: () => void;
}

/** Once its bytes are spent every connection ends, and none is made. */
export const createAllowance = (requests: number, bytes: number): Allowance => {
  const sockets = new Set<Socket>();
  const endings: (() => void)[] = [];
  let [requestsLeft, finished] = [requests, false];
  /** Of connections that are closed. */
  let closedBytes = 0;
  const spent = (): number => [...sockets].reduce((sum, socket) => sum + bytesOf(socket), closedBytes);
  const end = (): void => {
    if (finished) return;
    finished = true;
    for (const socket of sockets) socket.destroy();
    for (const then of endings) then();
  };
  return {
    takeRequest: () => {
      requestsLeft -= 1;
      return requestsLeft >= 0 && !finished;
    },
    hold: (socket) => {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        closedBytes += bytesOf(socket);
      });
      socket.on('data', () => {
        if (spent() > bytes) end();
      });
      if (finished) socket.destroy();
    },
    ended: () => finished,
    atEnd: (then) => void endings.push(then),
    end,
  };
};

const bytesOf = (socket: Socket): number => socket.bytesRead + socket.bytesWritten;
