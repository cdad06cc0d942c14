import { EventStoreUnavailable } from '../../application/ports/event-store.ts';
import type { Endpoint } from './connection-string.ts';

/**
 * What a failed call means:
 * - `conflict`, `too_large`: the server refused the append;
 * - `deleted`: the stream is gone for ever;
 * - `not_done`: nothing was written, and a retry may mend it (unreachable, not the leader, not ready, busy);
 * - `unknown`: the answer is missing, so that an append may or may not have been written;
 * - `refused`: the user may not do this, a retry does not help;
 * - `bad_position`: a read began where no record begins;
 * - `defect`: anything else.
 */
export type FailureKind =
  | 'conflict'
  | 'too_large'
  | 'deleted'
  | 'not_done'
  | 'unknown'
  | 'refused'
  | 'bad_position'
  | 'defect';

export interface Failure {
  readonly kind: FailureKind;
  /** For an operator: what to look at. Holds no name of a user and no password. */
  readonly message: string;
  /** Of a conflict, if the server told it. */
  readonly actual?: bigint | 'none';
  /** It speaks against the connection: silence, a broken one, a node that does not lead. The next try takes another. */
  readonly leave?: boolean;
  /** Who leads, as a node says that does not. */
  readonly leader?: Endpoint;
  /** The server failed over the request, and does not say why. */
  readonly stumbled?: boolean;
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
const STUMBLED = /exception was thrown by handler/i;
const BY_US = /cancelled on client/i;

/** What gRPC raises, what a batch of appends is answered with, and what is made here, in one shape. */
interface Raised {
  readonly code?: unknown;
  readonly details?: unknown;
  readonly message?: unknown;
  /** As the server names it. */
  readonly exception?: string;
  /** Known already, of a call that broke over several appends. */
  readonly leave?: boolean;
  readonly leader?: Endpoint | undefined;
  /** Why no user was sent with the call. */
  readonly withoutUser?: string;
  readonly metadata?: { readonly get: (key: string) => readonly (string | Buffer)[] };
}

/** A node shows less than this process has seen: it does not lead any more, or the log is another one. */
export class ShowsLess extends Error {
  override readonly name = 'ShowsLess';
}

const trailer = ({ metadata }: Raised, key: string): string | undefined => metadata?.get(key)[0]?.toString();

export const failureOf = (error: unknown): Failure => {
  if (error instanceof ShowsLess) return { kind: 'not_done', message: error.message };
  const raised = (error ?? {}) as Raised;
  const words = wordsOf(String(raised.details ?? raised.message ?? error));
  return ofException(raised, words) ?? ofCode(raised, words);
};

/** Without the empty note that the library appends. */
const wordsOf = (words: string): string => words.replace(/\.?\s*Resolution note:\s*$/, '').trim();

const ofException = (raised: Raised, words: string): Failure | null => {
  switch (raised.exception ?? trailer(raised, 'exception')) {
    case 'wrong-expected-version': {
      const actual = trailer(raised, 'actual-version');
      return { kind: 'conflict', message: words, actual: actual === undefined ? 'none' : BigInt(actual) };
    }
    case 'maximum-append-size-exceeded':
      return { kind: 'too_large', message: `the event store takes less than we do: ${words}` };
    case 'access-denied':
      return refusedUser(raised, words);
    case 'not-leader': {
      const host = trailer(raised, 'leader-endpoint-host') ?? '';
      const port = Number(trailer(raised, 'leader-endpoint-port'));
      const message = `the node that answers is not the leader, ${host}:${port} is`;
      return { kind: 'not_done', message, leave: true, leader: { host, port } };
    }
    case 'stream-deleted':
      return { kind: 'deleted', message: words };
    case undefined:
    default:
      return null;
  }
};

const ofCode = (raised: Raised, words: string): Failure => {
  const { code } = raised;
  const leave = raised.leave ?? ((LEAVING.has(code) && !BY_US.test(words)) || NO_LEADER.test(words));
  if (IP_WITH_TLS.test(words)) return { kind: 'not_done', message: NAMES_NEEDED, leave };
  if (code !== CODE.aborted && NOT_DONE.test(words)) return { kind: 'not_done', message: words, leave };
  if (BAD_POSITION.test(words)) return { kind: 'bad_position', message: words };
  switch (code) {
    case CODE.unauthenticated:
    case CODE.permissionDenied:
      return refusedUser(raised, words);
    case CODE.invalidArgument:
    case CODE.resourceExhausted:
      return { kind: /size|larger/i.test(words) ? 'too_large' : 'defect', message: words };
    case CODE.unknown:
      return { kind: 'unknown', message: words, stumbled: STUMBLED.test(words) };
    case CODE.cancelled:
    case CODE.deadlineExceeded:
    case CODE.aborted:
    case CODE.internal:
    case CODE.unavailable:
      return { kind: 'unknown', message: words, leave, ...(raised.leader && { leader: raised.leader }) };
    default:
      return { kind: 'defect', message: words };
  }
};

const LEAVING = new Set<unknown>([CODE.cancelled, CODE.deadlineExceeded, CODE.unavailable]);

const refusedUser = ({ withoutUser }: Raised, words: string): Failure => ({
  kind: 'refused',
  message: withoutUser
    ? `it asks for a user, and none was sent, as ${withoutUser}: ${words}`
    : `it refuses the user of the connection string: ${words}`,
});

/** Whether the same call may succeed later without anybody doing anything about it here. */
export const isTransient = ({ kind }: Failure): boolean => kind === 'not_done' || kind === 'unknown';

export const unavailable = ({ message }: Failure, cause: unknown): EventStoreUnavailable =>
  cause instanceof EventStoreUnavailable
    ? cause
    : new EventStoreUnavailable(`the event store cannot be used: ${message}`, { cause });

export const closed = (): EventStoreUnavailable => new EventStoreUnavailable('the event store is closed');

/** No call was made. */
export const notConnected = (message: string): Error =>
  Object.assign(new Error(`no connection established: ${message}`), { code: CODE.unavailable });

/** Between two calls that belong together another node became the leader: they must both be made again. */
export const movedOn = (): Error => notConnected('the leader has changed');

/** A call broke over several appends: whatever it says, each of them may have been written. */
export const maybeWritten = (error: unknown): Error => {
  const { message, leave = true, leader } = failureOf(error);
  return Object.assign(new Error(message), { code: CODE.aborted, leave, leader });
};

/** What a server answers in a batch where it would else end the call, by the names of its messages. */
const JUDGED: Readonly<Record<string, { readonly code?: number; readonly exception?: string }>> = {
  'event_store.client.AccessDenied': { exception: 'access-denied' },
  'event_store.client.StreamDeleted': { exception: 'stream-deleted' },
  'event_store.client.MaximumAppendSizeExceeded': { exception: 'maximum-append-size-exceeded' },
  'event_store.client.Timeout': { code: CODE.aborted },
  'event_store.client.BadRequest': { code: CODE.invalidArgument },
  // It is not ready, too busy, or knows no leader: its words say which.
  'google.protobuf.Empty': { code: CODE.unavailable },
};

export const judgedAs = (type: string, message: string): Error =>
  Object.assign(
    new Error(message || `the event store answered ${type}`),
    JUDGED[type] ?? { code: CODE.unknown },
  );

/** A call that took too long, in the shape of gRPC's own. */
export const tooLate = (ms: number): Error =>
  Object.assign(new Error(`no answer within ${ms} ms`), { code: CODE.deadlineExceeded });
