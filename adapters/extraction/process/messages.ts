import type { ExtractionOutcome } from '../../../application/ports/document-reader.ts';
import type { FileRequest } from '../extract-file.ts';

/** What a reader process is told once, as its only argument, in JSON. */
export interface ReaderSettings {
  /** Path or URL of the module whose `extractFile` reads documents. */
  readonly module: string;
  /** Resident memory above which the process ends itself: the second line behind whoever watches it. */
  readonly memoryBytes: number;
}

/** Messages to a reader process. It reads documents one after the other, in the order they came. */
export type ToReader =
  | {
      readonly type: 'read';
      readonly documents: readonly { readonly id: number; readonly request: FileRequest }[];
    }
  /** Not to be read after all, if they have not been begun. */
  | { readonly type: 'drop'; readonly ids: readonly number[] };

/** Messages from a reader process. The next document is begun only when the answer has left the process. */
export type FromReader =
  | { readonly type: 'ready' }
  | { readonly type: 'read'; readonly id: number; readonly outcome: ExtractionOutcome };

/** A document that waits to be read or is being read. */
export interface Task {
  readonly id: number;
  readonly request: FileRequest;
  /** How many readers have ended over it. */
  attempts: number;
  /** Nobody waits for the outcome any more. */
  abandoned: boolean;
  /** Both have no effect on an abandoned task. */
  readonly settle: (outcome: ExtractionOutcome) => void;
  readonly fail: (reason: unknown) => void;
}

/** Documents up to this size are sent several at once; a larger one has a reader to itself. */
const SMALL_BYTES = 256 * 1_024;
/** What a reader may hold: enough that it never waits for the next message. */
const MAX_HELD = 8;

const isSmall = (task: Task): boolean => task.request.bytes <= SMALL_BYTES && task.attempts === 0;

/**
 * Takes from the head of the queue what a reader that holds `held` shall be sent next: a fair share of the small
 * documents among `readers`, or one large document if the reader holds nothing. Empty if it is to be left alone.
 */
export const takeShare = (waiting: Task[], held: readonly Task[], readers: number): Task[] => {
  if (held.length > MAX_HELD / 2 || !held.every(isSmall)) return [];
  while (waiting[0]?.abandoned === true) waiting.shift();
  const first = waiting[0];
  if (first === undefined) return [];
  if (!isSmall(first)) return held.length === 0 ? waiting.splice(0, 1) : [];
  const most = Math.min(MAX_HELD - held.length, Math.ceil(waiting.length / readers));
  let count = 1;
  while (count < most && isSmall(waiting[count]!)) count += 1;
  return waiting.splice(0, count).filter((task) => !task.abandoned);
};
