import { type StopSteps, stopping } from './stop-signals.ts';
import { problemOf } from './error-response.ts';
import { sendProblem } from './json-response.ts';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';

/** Requests that were sent before have arrived by then, except from very distant senders. */
const QUIET_MS = 100;
/** A server that always gets new connections still closes after this many turns of its event loop. */
const MAX_TURNS = 1_000;
/** Interval of the check for connections that have become idle. */
const POLL_MS = 25;
/** A request that has begun to arrive is complete within this time, or its sender has stopped. */
const ARRIVE_MS = 500;
/** Time for aborted work to be recorded and answered. */
const LAST_CALL_MS = 500;
/** Time for the last responses to be sent. */
const FLUSH_MS = 50;

interface Ending {
  readonly server: Server;
  readonly steps: StopSteps;
  readonly connections: ConnectionTracker;
}

/**
 * Withdraws readiness and serves on until `until`. Then takes no more connections, tells streams to end, and lets
 * requests in flight finish. Half a second before `graceMs` are over it aborts them; at the end it answers 503 to
 * requests without a response and cuts the others. `cut`: some requests were left by then.
 * Requests that were sent before are read, however late this process gets to it. A request that has not arrived
 * completely half a second later is cut: its sender may never continue.
 * Node's own close waits for ever for a stream, and for the client to close a keep-alive connection; and it resets
 * connections with an unread request.
 */
export const shutDownGracefully = async (
  { server, steps, connections }: Ending,
  graceMs: number,
  until: Promise<unknown>,
): Promise<'clean' | 'cut'> => {
  steps.leave();
  await until;
  steps.drain();
  await everythingRead(connections, Math.min(QUIET_MS, graceMs));
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // Each check runs after pending input is read: a busy process may be late with that, and its timers run first.
  const look = setInterval(() => setImmediate(() => server.closeIdleConnections()), POLL_MS);
  const arriving = setTimeout(() => setImmediate(connections.cutUnfinished), Math.min(ARRIVE_MS, graceMs));
  const lastCall = setTimeout(steps.refuse, Math.max(0, graceMs - LAST_CALL_MS));
  const inTime = new AbortController();
  const late = delay(graceMs, 'cut' as const, { signal: inTime.signal }).catch(() => 'clean' as const);
  const ended = await Promise.race([closed.then(() => 'clean' as const), late]);
  inTime.abort();
  if (ended === 'cut') await refuse(server, connections, closed);
  clearInterval(look);
  clearTimeout(arriving);
  clearTimeout(lastCall);
  return ended;
};

/**
 * Resolves when each pending connection was accepted and read once: a turn of the event loop that accepts none has read
 * those that the previous turn accepted.
 */
const everythingRead = async ({ taken }: ConnectionTracker, quietMs: number): Promise<void> => {
  await delay(quietMs);
  let before = -1;
  for (let turn = 0; turn < MAX_TURNS && before !== taken(); turn += 1) {
    before = taken();
    await nextTurn();
  }
};

/** Answers 503 to requests without a response, and cuts the rest. */
const refuse = async (
  server: Server,
  { unanswered }: ConnectionTracker,
  closed: Promise<void>,
): Promise<void> => {
  const problem = problemOf(stopping())!;
  for (const response of unanswered()) sendProblem(response, problem);
  const flushed = new AbortController();
  await Promise.race([closed, delay(FLUSH_MS, undefined, { signal: flushed.signal }).catch(() => {})]);
  flushed.abort();
  server.closeAllConnections();
};

/** The connections of a server, and their requests. */
interface ConnectionTracker {
  /** Total number of accepted connections. */
  readonly taken: () => number;
  /** Responses that have not begun, to requests whose headers have arrived. */
  readonly unanswered: () => readonly ServerResponse[];
  /** Closes the connections without a complete request: silent ones, and those with half of one. */
  readonly cutUnfinished: () => void;
}

/** Tracks the connections of a server from their opening on. Call it before the server listens. */
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
      // The next request of the connection may already have arrived.
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
