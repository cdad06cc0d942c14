import { EventStoreUnavailable } from '../../application/ports/event-store.ts';
import type { Endpoint } from './connection-string.ts';

/**
 * What a failed call means:
 * - `too_large`: the server refused the append;
 * - `deleted`: the stream was deleted for ever;
 * - `not_done`: nothing was written, and a retry may succeed (unreachable, not the leader, not ready, busy);
 * - `unknown`: the answer is missing, so that an append may or may not have been written;
 * - `refused`: the user lacks the permission, a retry does not help;
 * - `bad_position`: a read began where no record begins;
 * - `defect`: anything else.
 */
export interface Failure {
  readonly kind: 'too_large' | 'deleted' | 'not_done' | 'unknown' | 'refused' | 'bad_position' | 'defect';
  /** For an operator. Holds no name of a user and no password. */
  readonly message: string;
  /** The connection is not to be trusted (silent, broken, not to the leader): the next attempt uses another. */
  readonly reconnect?: boolean;
  /** The leader that a node which is none has named. */
  readonly leader?: Endpoint;
  /** The server failed over the request without a reason. */
  readonly serverFailed?: boolean;
}

/** https://grpc.io/docs/guides/status-codes/ */
const CODE = {
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  permissionDenied: 7,
  resourceExhausted: 8,
  aborted: 10,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** How the gRPC library and the server word that a call did not reach any log. */
const NOT_DONE =
  /no connection established|name resolution failed|channel (has been|closed)|shut ?down before|waiting for|server is not ready|server is (too )?busy|no leader info/i;
const NO_LEADER = /no leader info/i;
/** Since version 26 Node refuses what the gRPC library does with an address without a name. */
const IP_WITH_TLS = /servername to an ip address/i;
const NAMES_NEEDED =
  'with TLS its nodes need host names, in the connection string and in what they advertise to clients: no IP addresses';
const BAD_POSITION = /invalid ?position|unexpected (filtered)?readallresult: error/i;
const SERVER_FAILED = /exception was thrown by handler/i;
const CANCELLED_HERE = /cancelled on client/i;
const RECONNECT = new Set<unknown>([CODE.cancelled, CODE.deadlineExceeded, CODE.unavailable]);

/** Errors of gRPC, of a batch append's answer, and of this adapter, in one shape. */
interface Raised {
  readonly code?: unknown;
  readonly details?: unknown;
  readonly message?: unknown;
  /** As the server names it. */
  readonly exception?: string;
  readonly reconnect?: boolean;
  readonly leader?: Endpoint | undefined;
  /** Why no user was sent with the call. */
  readonly withoutUser?: string;
  readonly metadata?: { readonly get: (key: string) => readonly (string | Buffer)[] };
}

/** A node shows less than this process has seen: it does not lead any more, or the log is another one. */
export class ShowsLess extends Error {
  override readonly name = 'ShowsLess';
}

export const failureOf = (error: unknown): Failure => {
  if (error instanceof ShowsLess) return { kind: 'not_done', message: error.message };
  const raised = (error ?? {}) as Raised;
  // Without the empty note that the library appends.
  const words = String(raised.details ?? raised.message ?? error)
    .replace(/\.?\s*Resolution note:\s*$/, '')
    .trim();
  return byException(raised, words) ?? byCode(raised, words);
};

const byException = (raised: Raised, words: string): Failure | null => {
  const trailer = (key: string): string | undefined => raised.metadata?.get(key)[0]?.toString();
  switch (raised.exception ?? trailer('exception')) {
    case 'maximum-append-size-exceeded':
      return { kind: 'too_large', message: `the event store takes less than we do: ${words}` };
    case 'access-denied':
      return refusedUser(raised, words);
    case 'not-leader': {
      const host = trailer('leader-endpoint-host') ?? '';
      const port = Number(trailer('leader-endpoint-port'));
      const message = `the node that answers is not the leader, ${host}:${port} is`;
      return { kind: 'not_done', message, reconnect: true, leader: { host, port } };
    }
    case 'stream-deleted':
      return { kind: 'deleted', message: words };
    case undefined:
    default:
      return null;
  }
};

const byCode = (raised: Raised, words: string): Failure => {
  const { code, leader } = raised;
  const reconnect =
    raised.reconnect ?? ((RECONNECT.has(code) && !CANCELLED_HERE.test(words)) || NO_LEADER.test(words));
  if (IP_WITH_TLS.test(words)) return { kind: 'not_done', message: NAMES_NEEDED, reconnect };
  if (code !== CODE.aborted && NOT_DONE.test(words)) return { kind: 'not_done', message: words, reconnect };
  if (BAD_POSITION.test(words)) return { kind: 'bad_position', message: words };
  switch (code) {
    case CODE.unauthenticated:
    case CODE.permissionDenied:
      return refusedUser(raised, words);
    case CODE.invalidArgument:
    case CODE.resourceExhausted:
      return { kind: /size|larger/i.test(words) ? 'too_large' : 'defect', message: words };
    case CODE.unknown:
      return { kind: 'unknown', message: words, serverFailed: SERVER_FAILED.test(words) };
    case CODE.cancelled:
    case CODE.deadlineExceeded:
    case CODE.aborted:
    case CODE.internal:
    case CODE.unavailable:
      return { kind: 'unknown', message: words, reconnect, ...(leader && { leader }) };
    default:
      return { kind: 'defect', message: words };
  }
};

const refusedUser = ({ withoutUser }: Raised, words: string): Failure => ({
  kind: 'refused',
  message: withoutUser
    ? `it asks for a user, and none was sent, as ${withoutUser}: ${words}`
    : `it refuses the user of the connection string: ${words}`,
});

/** Whether the same call may succeed later. */
export const isTransient = ({ kind }: Failure): boolean => kind === 'not_done' || kind === 'unknown';

export const unavailable = ({ message }: Failure, cause: unknown): EventStoreUnavailable =>
  cause instanceof EventStoreUnavailable
    ? cause
    : new EventStoreUnavailable(`the event store cannot be used: ${message}`, { cause });

export const closed = (): EventStoreUnavailable => new EventStoreUnavailable('the event store is closed');

/** No call was made. */
export const notConnected = (message: string): Error =>
  Object.assign(new Error(`no connection established: ${message}`), { code: CODE.unavailable });

/** Another node became the leader between two calls that belong together: both must be made again. */
export const leaderChanged = (): Error => notConnected('the leader has changed');

/** A call broke over several appends: each of them may have been written. */
export const maybeWritten = (error: unknown): Error => {
  const { message, reconnect = true, leader } = failureOf(error);
  return Object.assign(new Error(message), { code: CODE.aborted, reconnect, leader });
};

/** A call that took too long, in the shape of gRPC's own error. */
export const timedOut = (ms: number): Error =>
  Object.assign(new Error(`no answer within ${ms} ms`), { code: CODE.deadlineExceeded });

/** Errors in an answer of a batch, by the names of their messages, in the shape of errors that end a call. */
const BATCH_ERRORS: Readonly<Record<string, { readonly code?: number; readonly exception?: string }>> = {
  'event_store.client.AccessDenied': { exception: 'access-denied' },
  'event_store.client.StreamDeleted': { exception: 'stream-deleted' },
  'event_store.client.MaximumAppendSizeExceeded': { exception: 'maximum-append-size-exceeded' },
  'event_store.client.Timeout': { code: CODE.aborted },
  'event_store.client.BadRequest': { code: CODE.invalidArgument },
  // Not ready, too busy, or without a leader: its words say which.
  'google.protobuf.Empty': { code: CODE.unavailable },
};

export const batchError = (type: string, message: string): Error =>
  Object.assign(
    new Error(message || `the event store answered ${type}`),
    BATCH_ERRORS[type] ?? { code: CODE.unknown },
  );
