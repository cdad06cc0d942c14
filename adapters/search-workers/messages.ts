import type { SentError } from './sent-error.ts';

/** An operation of a thread and its input: data that can be cloned. */
export interface ThreadRequest {
  readonly operation: string;
  readonly input: unknown;
}

export type ToThread =
  | ({ readonly kind: 'request'; readonly id: number } & ThreadRequest)
  /** Asks for a sign of life. */
  | { readonly kind: 'probe' }
  /** The last message: release all resources and exit. */
  | { readonly kind: 'end' };

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'alive' }
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly error: SentError };
