import type { LogFields } from '../../application/ports/logger.ts';
import type { SentError } from './sent-error.ts';

/** One of the operations of a thread, with what it takes: data that can be cloned. */
export interface Question {
  readonly operation: string;
  readonly input: unknown;
}

export type ToThread =
  | ({ readonly kind: 'question'; readonly id: number } & Question)
  /** Say that you are alive. */
  | { readonly kind: 'look' }
  /** The last one: put everything down. */
  | { readonly kind: 'end' };

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'alive' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly error: SentError }
  /** For the log of the program. */
  | { readonly kind: 'warning'; readonly message: string; readonly fields: LogFields };
