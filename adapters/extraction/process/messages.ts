import type { ExtractionOutcome } from '../../../application/ports/document-reader.ts';
import type { FileRequest } from '../extract-file.ts';

/** Settings of a reader process: its only argument, in JSON. */
export interface ReaderSettings {
  /** Path or URL of the module whose `extractFile` reads documents. */
  readonly module: string;
  /** Resident memory above which the process exits itself: a second check after the parent's. */
  readonly memoryBytes: number;
  /** Milliseconds between messages of how much of a document is read; the first comes after as many. */
  readonly progressEveryMs: number;
}

/** How much of a document is read that takes long. */
export interface ReadingProgress {
  /** Name of its file, without the folder. */
  readonly file: string;
  readonly queueKey?: string;
  readonly pagesRead: number;
  readonly pages: number;
}

/** Messages to a reader process. It reads documents one after the other, in order of arrival. */
export type ToReader =
  | {
      readonly type: 'read';
      readonly documents: readonly { readonly id: number; readonly request: FileRequest }[];
    }
  /** Drops documents that have not been started. */
  | { readonly type: 'drop'; readonly ids: readonly number[] };

/** Messages from a reader process. The next document is started only when the reply has left the process. */
export type FromReader =
  | { readonly type: 'ready' }
  | { readonly type: 'progress'; readonly progress: ReadingProgress }
  | { readonly type: 'read'; readonly id: number; readonly outcome: ExtractionOutcome };

/** A document that is queued or being read. */
export interface Task {
  readonly id: number;
  readonly request: FileRequest;
  /** How many readers have exited while reading it. */
  attempts: number;
  /** The caller no longer waits for the outcome. */
  abandoned: boolean;
  /** Both have no effect on an abandoned task. */
  readonly settle: (outcome: ExtractionOutcome) => void;
  readonly fail: (reason: unknown) => void;
}

/** Documents up to this size are sent in groups; a larger one has a reader to itself. */
const SMALL_BYTES = 256 * 1_024;
/** Maximum number of tasks of a reader: enough that it never waits for the next message. */
const MAX_HELD = 8;
/** Of longer documents two are enough. What a reader holds is read before documents of other jobs. */
const MAX_HELD_BYTES = 32 * 1_024;

const isSmall = (task: Task): boolean => task.request.bytes <= SMALL_BYTES && task.attempts === 0;

/**
 * Takes the next tasks for a reader with the tasks `held` from the head of the queue: a fair share of the small
 * documents among `readers`, or one large document if the reader has none. Empty when the reader should get nothing.
 */
export const takeShare = (waiting: Task[], held: readonly Task[], readers: number): Task[] => {
  if (held.length > MAX_HELD / 2 || !held.every(isSmall)) return [];
  let bytes = held.reduce((sum, { request }) => sum + request.bytes, 0);
  if (held.length > 1 && bytes > MAX_HELD_BYTES / 2) return [];
  while (waiting[0]?.abandoned === true) waiting.shift();
  const first = waiting[0];
  if (first === undefined) return [];
  if (!isSmall(first)) return held.length === 0 ? waiting.splice(0, 1) : [];
  const most = Math.min(MAX_HELD - held.length, Math.ceil(waiting.length / readers));
  let count = 1;
  bytes += first.request.bytes;
  while (count < most && isSmall(waiting[count]!)) {
    bytes += waiting[count]!.request.bytes;
    if (bytes > MAX_HELD_BYTES) break;
    count += 1;
  }
  return waiting.splice(0, count).filter((task) => !task.abandoned);
};
