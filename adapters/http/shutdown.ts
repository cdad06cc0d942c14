import { type StopSteps, stopping } from './stop-signals.ts';
import { problemOf } from './error-answer.ts';
import { sendProblem } from './answer.ts';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';

/** What was sent before has arrived by then, but for a sender who is far away. */
const QUIET_MS = 100;
/** A server that is never without a new connection closes after so many turns of its event loop all the same. */
const MAX_TURNS = 1_000;
/** How often connections are looked for that have become idle since. */
const POLL_MS = 25;
/** A request whose beginning is there is whole within this time, or its sender has stopped. */
const ARRIVE_MS = 500;
/** For what is given up to be recorded and answered. */
const LAST_CALL_MS = 500;
/** For the last answers to leave. */
const FLUSH_MS = 50;

interface Ending {
  readonly server: Server;
  readonly steps: StopSteps;
  readonly connections: ConnectionTracker;
}

/**
 * Withdraws readiness and serves on until `until`. Then takes no more connections, tells streams to end, and lets
 * requests in flight finish; half a second before `graceMs` are over it gives them up, and at the end answers 503 to
 * those that have no answer yet and cuts the others. `cut`: something was left by then.
 *
 * Requests that were sent before are read, however late this process comes to it. One that has not wholly arrived half
 * a second later is cut: its sender may never go on.
 *
 * Node's own close waits for ever for a stream, and for the client to close a connection whose last answer promised to
 * keep it alive; and it resets connections on which a request lies that it has not read yet.
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
  // Each after a look at what has come: a busy process may be late with that, and its timers run first.
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
 * Until each connection that waits to be taken was taken and read once: a turn of the event loop that takes none has
 * read those that the turn before has taken.
 */
const everythingRead = async ({ taken }: ConnectionTracker, quietMs: number): Promise<void> => {
  await delay(quietMs);
  let before = -1;
  for (let turn = 0; turn < MAX_TURNS && before !== taken(); turn += 1) {
    before = taken();
    await nextTurn();
  }
};

/** Answers what has no answer yet, and cuts the rest. */
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

/** Connections of a server, and what has come on them. */
interface ConnectionTracker {
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
