import { Metadata, type StatusObject, status } from '@grpc/grpc-js';

export type Refusal = Partial<StatusObject>;

/** What becomes of one append. `commit`: whether the events are kept. */
export type AppendFate =
  /** No answer, ever. */
  | { readonly kind: 'silence'; readonly commit: boolean }
  /** Every connection is cut before the answer. */
  | { readonly kind: 'cut'; readonly commit: boolean }
  /** Kept, but answered only when `until` resolves. */
  | { readonly kind: 'late'; readonly until: Promise<void> }
  /** An answer that is not true: a conflict although the events are kept. */
  | { readonly kind: 'forgetful' }
  /** Kept, and answered without a position. */
  | { readonly kind: 'noPosition' }
  | { readonly kind: 'refuse'; readonly with: Refusal };

/** What becomes of one read. */
export type ReadFate =
  /** Nothing: to have the next one suffer. */
  | { readonly kind: 'fine' }
  | { readonly kind: 'silence' }
  /** The first so many records of the log, and of each stream: what a leader shows that was deposed while it was frozen. */
  | { readonly kind: 'asOf'; readonly records: number }
  /** So many frames, then nothing. */
  | { readonly kind: 'stall'; readonly after: number }
  /** A frame each so many milliseconds. */
  | { readonly kind: 'drip'; readonly everyMs: number }
  /** Every connection is cut after so many frames. */
  | { readonly kind: 'cut'; readonly after: number }
  | { readonly kind: 'refuse'; readonly with: Refusal };

/** What goes wrong next, first come first served. Empty: nothing does. */
export interface Faults {
  readonly appends: AppendFate[];
  readonly reads: ReadFate[];
  /** A live subscriber that has not taken so many frames is dropped. */
  slowSubscriberFrames: number;
  /** A subscription says nothing, not even that it began, and does not end either. */
  muteSubscriptions: boolean;
}

export const createFaults = (): Faults => ({
  appends: [],
  reads: [],
  slowSubscriberFrames: Infinity,
  muteSubscriptions: false,
});

const withTrailers = (code: status, details: string, trailers: Readonly<Record<string, string>>): Refusal => {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, value);
  return { code, details, metadata };
};

/** The refusals of a server, as its `RpcExceptions` words them. */
export const notLeader = (host: string, port: number): Refusal =>
  withTrailers(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  });
export const noLeader: Refusal = {
  code: status.UNKNOWN,
  details: 'No leader info available in response',
};
export const notReady: Refusal = { code: status.UNAVAILABLE, details: 'Server Is Not Ready' };
export const timedOut: Refusal = {
  code: status.ABORTED,
  details: 'Operation timed out: Commit phase timeout.',
};
export const accessDenied = withTrailers(status.PERMISSION_DENIED, 'Access Denied', {
  exception: 'access-denied',
});
export const wrongPassword: Refusal = {
  code: status.UNAUTHENTICATED,
  details: 'Received HTTP status code 401',
};
export const tooLarge = (bytes: number): Refusal =>
  withTrailers(status.INVALID_ARGUMENT, `Maximum Append Size of ${bytes} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(bytes),
  });
export const streamDeleted = (stream: string): Refusal =>
  withTrailers(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });
/** A position whose commit is right and whose prepare is not, and numbers that the server cannot hold. */
export const handlerFailed: Refusal = { code: status.UNKNOWN, details: 'Exception was thrown by handler.' };
export const invalidPosition: Refusal = {
  code: status.INVALID_ARGUMENT,
  details: 'Trying to read from an invalid position.',
};
