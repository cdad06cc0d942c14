import type { InstalledModel } from '../weights/manifest.ts';

/** Settings of the model process: its only argument, in JSON. */
export interface ModelSettings {
  readonly model: InstalledModel;
  readonly threads: number;
  /** URL of a module whose function of this name disables the network of the calling process. */
  readonly disableNetwork: string;
}

/** Texts to compute: embedded, or, with a question, scored. */
export interface Inputs {
  readonly texts: readonly string[];
  /** Only for a reranker. */
  readonly question?: string;
  /** Has priority: a client is waiting. */
  readonly urgent: boolean;
}

export type ToModel =
  | { readonly type: 'compute'; readonly id: number; readonly inputs: Inputs }
  /** The caller no longer waits: requests that have not started are dropped without a reply. */
  | { readonly type: 'drop'; readonly id: number };

export type FromModel =
  /** The model is loaded, and its files are unchanged since they were fetched. */
  | { readonly type: 'ready' }
  /** One row per text, in order: a vector, or one number. */
  | { readonly type: 'computed'; readonly id: number; readonly rows: readonly Float32Array[] }
  /** The model does not accept these texts. */
  | { readonly type: 'refused'; readonly id: number; readonly message: string }
  /** The model cannot be loaded; the process exits. */
  | { readonly type: 'unusable'; readonly message: string };
