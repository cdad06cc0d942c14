import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Which connections wait for a request that has not wholly arrived. */
export interface Arrivals {
  /** Closes the connections that have no whole request to answer: silent ones, and those with half of one. */
  readonly cutUnfinished: () => void;
}

/** Watches the connections of a server from their opening on. Call it before the server listens. */
export const watchArrivals = (server: Server): Arrivals => {
  const connections = new Map<Socket, IncomingMessage | undefined>();
  server.on('connection', (socket) => {
    connections.set(socket, undefined);
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', (request, response) => {
    const { socket } = request;
    connections.set(socket, request);
    response.once('close', () => {
      // The next request of the connection may be there already.
      if (connections.get(socket) === request) connections.set(socket, undefined);
    });
  });
  return {
    cutUnfinished: () => {
      for (const [socket, request] of connections) if (request?.complete !== true) socket.destroy();
    },
  };
};
