import { EventStoreUnavailable } from '../../application/ports/event-store.ts';

/**
 * What a failed call means:
 * - `conflict`, `too_large`: the server refused the append;
 * - `not_done`: nothing was written, and a retry may mend it (unreachable, not the leader, not ready, busy);
 * - `unknown`: the answer is missing, so that an append may or may not have been written;
 * - `refused`: the user may not do this, a retry does not help;
 * - `bad_position`: a read began where no record begins;
 * - `defect`: anything else.
 */
export type FailureKind =
  | 'conflict'
  | 'too_large'
  | 'not_done'
  | 'unknown'
  | 'refused'
  | 'bad_position'
  | 'defect';

export interface Failure {
  readonly kind: FailureKind;
  /** For an operator: what to look at. Holds no address of a user and no password. */
  readonly message: string;
  /** Of a conflict, if the server told it. */
  readonly actual?: bigint | 'none';
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
  /no connection established|name resolution failed|failed to discover|channel (has been|closed)|shut ?down before|waiting for|server is not ready|server is too busy|no leader info/i;
/** Since version 26 Node refuses what the gRPC library does with an address without a name. */
const IP_WITH_TLS = /servername to an ip address/i;
const NAMES_NEEDED =
  'with TLS its nodes need host names, in the connection string and in what they advertise to clients: no IP addresses';
const BAD_POSITION = /invalid ?position|unexpected (filtered)?readallresult: error/i;

/** Where the client's errors keep the one that gRPC raised. */
const RAW = '_raw';
/** The client's errors, and those that gRPC raises below it, in one shape. */
interface Raised {
  readonly type?: unknown;
  readonly code?: unknown;
  readonly details?: unknown;
  readonly message?: unknown;
  readonly actualVersion?: unknown;
  readonly leader?: { readonly address: string; readonly port: number };
  readonly metadata?: { readonly get: (key: string) => readonly (string | Buffer)[] };
  readonly [RAW]?: Raised;
}

const trailer = ({ metadata, [RAW]: raw }: Raised, key: string): string | undefined => {
  const value = (metadata ?? raw?.metadata)?.get(key)[0];
  return value?.toString();
};

export const failureOf = (error: unknown): Failure => {
  const raised = (error ?? {}) as Raised;
  const type = typeof raised.type === 'string' ? raised.type : trailer(raised, 'exception');
  const code = raised.code ?? raised[RAW]?.code;
  const told = String(raised.details ?? raised[RAW]?.details ?? raised.message ?? error);
  return ofType(type, raised, told) ?? ofCode(code, told);
};

const ofType = (type: string | undefined, raised: Raised, told: string): Failure | null => {
  switch (type) {
    case 'wrong-expected-version': {
      const { actualVersion } = raised;
      return {
        kind: 'conflict',
        message: told,
        actual: typeof actualVersion === 'bigint' ? actualVersion : 'none',
      };
    }
    case 'maximum-append-size-exceeded':
      return { kind: 'too_large', message: `the event store takes less than we do: ${told}` };
    case 'access-denied':
      return refusedUser(told);
    case 'not-leader': {
      const host = raised.leader?.address ?? trailer(raised, 'leader-endpoint-host');
      const port = raised.leader?.port ?? trailer(raised, 'leader-endpoint-port');
      return { kind: 'not_done', message: `the node that answers is not the leader, ${host}:${port} is` };
    }
    case 'stream-deleted':
      return { kind: 'defect', message: `an operator deleted the stream for ever: ${told}` };
    case undefined:
    default:
      return null;
  }
};

const ofCode = (code: unknown, told: string): Failure => {
  if (IP_WITH_TLS.test(told)) return { kind: 'not_done', message: NAMES_NEEDED };
  if (code !== CODE.aborted && NOT_DONE.test(told)) return { kind: 'not_done', message: told };
  if (BAD_POSITION.test(told)) return { kind: 'bad_position', message: told };
  switch (code) {
    case CODE.unauthenticated:
    case CODE.permissionDenied:
      return refusedUser(told);
    case CODE.invalidArgument:
    case CODE.resourceExhausted:
      return { kind: /size|larger/i.test(told) ? 'too_large' : 'defect', message: told };
    case CODE.cancelled:
    case CODE.unknown:
    case CODE.deadlineExceeded:
    case CODE.aborted:
    case CODE.internal:
    case CODE.unavailable:
      return { kind: 'unknown', message: told };
    default:
      return { kind: 'defect', message: told };
  }
};

const refusedUser = (told: string): Failure => ({
  kind: 'refused',
  message: `it refuses the user of the connection string (without TLS none is sent): ${told}`,
});

/** Whether the same call may succeed later without anybody doing anything about it here. */
export const isPassing = ({ kind }: Failure): boolean => kind === 'not_done' || kind === 'unknown';

export const unavailable = ({ message }: Failure, cause: unknown): EventStoreUnavailable =>
  new EventStoreUnavailable(`the event store cannot be used: ${message}`, { cause });

/** Between two calls that belong together another node became the leader: they must both be made again. */
export const movedOn = (): Error =>
  Object.assign(new Error('no connection established: the leader has changed'), { code: CODE.unavailable });

/** A call that took too long, in the shape of gRPC's own. */
export const tooLate = (ms: number): Error =>
  Object.assign(new Error(`no answer within ${ms} ms`), { code: CODE.deadlineExceeded });
