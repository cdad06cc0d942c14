import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Connections of a server, and what has come on them. */
export interface ConnectionTracker {
  /** How many connections were ever taken. */
  readonly taken: () => number;
  /** Answers that have not begun, to requests whose headers have come. */
  readonly unanswered: () => readonly ServerResponse[];
  /** Closes the connections that have no whole request to answer: silent ones, and those with half of one. */
  readonly cutUnfinished: () => void;
}

/** Watches the connections of a server from their opening on. Call it before the server listens. */
export const trackConnections = (server: Server): ConnectionTracker => {
  const connections = new Map<Socket, ServerResponse | undefined>();
  let taken = 0;
  server.on('connection', (socket) => {
    taken += 1;
    connections.set(socket, undefined);
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', ({ socket }, response) => {
    connections.set(socket, response);
    response.once('close', () => {
      // The next request of the connection may be there already.
      if (connections.get(socket) === response) connections.set(socket, undefined);
    });
  });
  return {
    taken: () => taken,
    unanswered: () =>
      [...connections.values()].filter((response) => response?.headersSent === false) as ServerResponse[],
    cutUnfinished: () => {
      for (const [socket, response] of connections) if (response?.req.complete !== true) socket.destroy();
    },
  };
};
