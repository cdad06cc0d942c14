import { EventStoreUnavailable } from '../../application/ports/event-store.ts';
import type { Endpoint } from './connection-string.ts';

/**
 * The meaning of a failed call:
 * - `too_large`: the server rejected the append;
 * - `deleted`: the stream was deleted permanently;
 * - `not_done`: nothing was written, and a retry may succeed (unreachable, not the leader, not ready, busy);
 * - `unknown`: the response is missing, so an append may or may not have been written;
 * - `refused`: the user lacks the permission, a retry does not help;
 * - `bad_position`: no record begins at the position where a read started;
 * - `defect`: anything else.
 */
export interface Failure {
  readonly kind: 'too_large' | 'deleted' | 'not_done' | 'unknown' | 'refused' | 'bad_position' | 'defect';
  /** For an operator. Contains no user name and no password. */
  readonly message: string;
  /**
   * Whether to stop using the connection (idle, broken, not to the leader): the next attempt opens another.
   */
  readonly reconnect?: boolean;
  /** The leader, as named by a node that is not the leader. */
  readonly leader?: Endpoint;
  /** The server failed to handle the request and gave no reason. */
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

/** Texts of the gRPC library and the server for a call that did not reach any log. */
const NOT_DONE =
  /no connection established|name resolution failed|channel (has been|closed)|shut ?down before|waiting for|server is not ready|server is (too )?busy|no leader info/i;
const NO_LEADER = /no leader info/i;
/** Since version 26, Node rejects the server name that the gRPC library sets for an IP address. */
const IP_WITH_TLS = /servername to an ip address/i;
const NAMES_NEEDED =
  'with TLS its nodes need host names, in the connection string and in what they advertise to clients: not IP addresses';
/** What to do about a text that does not say it. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/last error: failed to connect/i, 'a node with TLS answers so to tls=false'],
  [/wrong version number/i, 'a node without TLS answers so: it needs tls=false in the connection string'],
  [
    /unable to verify|self.signed certificate|unable to get (local )?issuer/i,
    'tlsCAFile has to name the authority of its certificate',
  ],
];
const BAD_POSITION = /invalid ?position|unexpected (filtered)?readallresult: error/i;
const SERVER_FAILED = /exception was thrown by handler/i;
const CANCELLED_HERE = /cancelled on client/i;
const RECONNECT = new Set<unknown>([CODE.cancelled, CODE.deadlineExceeded, CODE.unavailable]);

/** One shape for errors of gRPC, of a batch append response, and of this adapter. */
interface Raised {
  readonly code?: unknown;
  readonly details?: unknown;
  readonly message?: unknown;
  /** The server's name of the exception. */
  readonly exception?: string;
  readonly reconnect?: boolean;
  readonly leader?: Endpoint | undefined;
  /** Why no user was sent with the call. */
  readonly noUserReason?: string;
  readonly metadata?: { readonly get: (key: string) => readonly (string | Buffer)[] };
}

/** A node shows less than this process has seen: it is no longer the leader, or the log is another one. */
export class NodeLagsBehind extends Error {
  override readonly name = 'NodeLagsBehind';
}

export const failureOf = (error: unknown): Failure => {
  if (error instanceof NodeLagsBehind) return { kind: 'not_done', message: error.message };
  const raised = (error ?? {}) as Raised;
  // Without the time and the empty note that the library appends.
  const text = String(raised.details ?? raised.message ?? error)
    .replace(/\.?\s*Resolution note:\s*$/, '')
    .replace(/ \(\d{4}-[\d:.TZ-]+\)$/, '')
    .trim();
  return byException(raised, text) ?? byCode(raised, text);
};

const byException = (raised: Raised, text: string): Failure | null => {
  const trailer = (key: string): string | undefined => raised.metadata?.get(key)[0]?.toString();
  switch (raised.exception ?? trailer('exception')) {
    case 'maximum-append-size-exceeded':
      return {
        kind: 'too_large',
        message: `the event store has a smaller size limit than this service: ${text}`,
      };
    case 'access-denied':
      return deniedUser(raised, text);
    case 'not-leader': {
      const host = trailer('leader-endpoint-host') ?? '';
      const port = Number(trailer('leader-endpoint-port'));
      const message = `the responding node is not the leader; the leader is ${host}:${port}`;
      return { kind: 'not_done', message, reconnect: true, leader: { host, port } };
    }
    case 'stream-deleted':
      return { kind: 'deleted', message: text };
    case undefined:
    default:
      return null;
  }
};

const byCode = (raised: Raised, text: string): Failure => {
  const { code, leader } = raised;
  const reconnect =
    raised.reconnect ?? ((RECONNECT.has(code) && !CANCELLED_HERE.test(text)) || NO_LEADER.test(text));
  if (IP_WITH_TLS.test(text)) return { kind: 'not_done', message: NAMES_NEEDED, reconnect };
  if (code !== CODE.aborted && NOT_DONE.test(text)) {
    const advice = ADVICE.find(([pattern]) => pattern.test(text))?.[1];
    return { kind: 'not_done', message: advice ? `${text} (${advice})` : text, reconnect };
  }
  if (BAD_POSITION.test(text)) return { kind: 'bad_position', message: text };
  switch (code) {
    case CODE.unauthenticated:
    case CODE.permissionDenied:
      return deniedUser(raised, text);
    case CODE.invalidArgument:
    case CODE.resourceExhausted:
      return { kind: /size|larger/i.test(text) ? 'too_large' : 'defect', message: text };
    case CODE.unknown:
      return { kind: 'unknown', message: text, serverFailed: SERVER_FAILED.test(text) };
    case CODE.cancelled:
    case CODE.deadlineExceeded:
    case CODE.aborted:
    case CODE.internal:
    case CODE.unavailable:
      return { kind: 'unknown', message: text, reconnect, ...(leader && { leader }) };
    default:
      return { kind: 'defect', message: text };
  }
};

const deniedUser = ({ noUserReason }: Raised, text: string): Failure => ({
  kind: 'refused',
  message: noUserReason
    ? `it asks for a user, and none was sent, as ${noUserReason}: ${text}`
    : `it refuses the user of the connection string: ${text}`,
});

/** Whether the same call may succeed later. */
export const isTransient = ({ kind }: Failure): boolean => kind === 'not_done' || kind === 'unknown';

export const unavailable = ({ kind, message }: Failure, cause: unknown): EventStoreUnavailable =>
  cause instanceof EventStoreUnavailable
    ? cause
    : new EventStoreUnavailable(`the event store cannot be used: ${message}`, {
        cause,
        reason: kind === 'refused' ? 'refused' : 'unavailable',
      });

export const closed = (): EventStoreUnavailable => new EventStoreUnavailable('the event store is closed');

/** An error before any call was made. */
export const notConnected = (message: string): Error =>
  Object.assign(new Error(`no connection established: ${message}`), { code: CODE.unavailable });

/** Another node became the leader between two calls that belong together: both must be repeated. */
export const leaderChanged = (): Error => notConnected('the leader has changed');

/** A call failed with several pending appends: each of them may have been written. */
export const maybeWritten = (error: unknown): Error => {
  const { message, reconnect = true, leader } = failureOf(error);
  return Object.assign(new Error(message), { code: CODE.aborted, reconnect, leader });
};

/** A timeout in the shape of gRPC's own error. */
export const timedOut = (ms: number): Error =>
  Object.assign(new Error(`no answer within ${ms} ms`), { code: CODE.deadlineExceeded });

/** Errors in a batch response, by message name, in the shape of errors that end a call. */
const BATCH_ERRORS: Readonly<Record<string, { readonly code?: number; readonly exception?: string }>> = {
  'event_store.client.AccessDenied': { exception: 'access-denied' },
  'event_store.client.StreamDeleted': { exception: 'stream-deleted' },
  'event_store.client.MaximumAppendSizeExceeded': { exception: 'maximum-append-size-exceeded' },
  'event_store.client.Timeout': { code: CODE.aborted },
  'event_store.client.BadRequest': { code: CODE.invalidArgument },
  // Not ready, too busy, or without a leader: the message says which.
  'google.protobuf.Empty': { code: CODE.unavailable },
};

export const batchError = (type: string, message: string): Error =>
  Object.assign(
    new Error(message || `the event store answered ${type}`),
    BATCH_ERRORS[type] ?? { code: CODE.unknown },
  );
