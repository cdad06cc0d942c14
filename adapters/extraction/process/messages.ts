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
