import type { Profiling } from './measuring/profiling.ts';

/** What one run of a bench is given. */
export interface Run {
  /** Tiny sizes: to see that the bench works, not to measure. */
  readonly quick: boolean;
  readonly profiling: Profiling;
  /** Whatever the bench starts is put here and stopped when it ends, whichever way it ends. */
  readonly cleanup: AsyncDisposableStack;
}

/** One measurement; printed as one line of JSON. */
export interface Result {
  readonly bench: string;
  /** Ours over rival, the median of what was measured side by side. */
  readonly ratio: number;
  /** Medians, in `unit`. */
  readonly ours: number;
  readonly rival: number;
  readonly unit: string;
  /** Whether requests came to the started program, or its parts were called. */
  readonly measured: 'in process' | 'over HTTP';
  readonly target: string;
  readonly met: boolean;
  /** What the rival is, and what else a reader has to know. */
  readonly [detail: string]: unknown;
}

export interface Bench {
  readonly name: string;
  /** Packages of bench/package.json that it cannot do without. */
  readonly needs: readonly string[];
  readonly measure: (run: Run) => AsyncIterable<Result>;
}
