import type { InstalledModel } from '../weights/manifest.ts';

/** What the process of a model is told once, as its only argument, in JSON. */
export interface ModelSettings {
  readonly model: InstalledModel;
  readonly threads: number;
  /** Address of a module whose function of this name takes the network from the process that calls it. */
  readonly disableNetwork: string;
}

/** Texts to be computed: embedded as they are, or, with a question, judged by it. */
export interface Inputs {
  readonly texts: readonly string[];
  /** Of a reranker alone. */
  readonly question?: string;
  /** Goes before what is not: somebody waits for it. */
  readonly urgent: boolean;
}

export type ToModel =
  | { readonly type: 'compute'; readonly id: number; readonly inputs: Inputs }
  /** Nobody waits any more: what has not been begun is left out, without an answer. */
  | { readonly type: 'drop'; readonly id: number };

export type FromModel =
  /** The model is loaded, and its files are those that were fetched. */
  | { readonly type: 'ready' }
  /** One row per text, in their order: a vector, or one number. */
  | { readonly type: 'computed'; readonly id: number; readonly rows: readonly Float32Array[] }
  /** The model does not take these texts. */
  | { readonly type: 'refused'; readonly id: number; readonly message: string }
  /** It cannot be loaded; the process ends. */
  | { readonly type: 'unusable'; readonly message: string };
