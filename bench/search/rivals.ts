import { startChild } from '../measuring/child.ts';

/** What building took, and what it left. */
export interface Built {
  readonly ms: number;
  readonly contents: number;
  /** Of the index alone, without the texts. */
  readonly bytes: number;
}

export interface Rival {
  readonly built: Built;
  /** Milliseconds of each question, measured where it is answered. */
  readonly times: (questions: readonly string[]) => Promise<readonly number[]>;
  /** Answers per second of so many clients at once. */
  readonly rate: (load: Load) => Promise<number>;
}

export interface Load {
  readonly questions: readonly string[];
  readonly clients: number;
  readonly ms: number;
}

/** Starts an engine in a process of its own, with the first so many passages of the file. */
export const startRival = async (
  module: 'fts5' | 'lancedb',
  passages: { readonly file: string; readonly contents: number },
  cleanup: AsyncDisposableStack,
): Promise<Rival> => {
  const child = startChild(`search/${module}.mjs`);
  cleanup.defer(child.stop);
  const built = (await child.ask({ build: passages })) as Built;
  return {
    built,
    times: async (questions) => {
      const { times } = (await child.ask({ questions })) as { readonly times: readonly number[] };
      return times;
    },
    rate: async (load) => ((await child.ask(load)) as { readonly perSecond: number }).perSecond,
  };
};
