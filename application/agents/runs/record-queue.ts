import type { AgentRunCommand, BodyRef } from '../../../domain/agent-run/index.ts';

/** Something that is to be kept of a run: texts, and the command that names them once they are kept. */
export interface PendingRecord {
  readonly texts: { readonly [name: string]: string };
  readonly commandOf: (refs: { readonly [name: string]: BodyRef }) => AgentRunCommand;
}

export interface RecordQueue {
  /** Resolves when the record is kept. Whoever does not wait learns of a failure by the next one, which fails as well. */
  readonly add: (record: PendingRecord) => Promise<void>;
  /** Resolves when all that was added so far is kept. */
  readonly settled: () => Promise<void>;
  /** Something cannot be kept: answers the failure, with which all that follows fails. */
  readonly fail: (error: unknown) => Promise<never>;
}

/** So many events fit in one append, whatever is in them: see `EventStore`. */
const MAX_TOGETHER = 3;

interface Waiting {
  readonly record: PendingRecord;
  readonly kept: PromiseWithResolvers<void>;
}

/**
 * Keeps records in the order in which they come, those together that are there when the ones before are kept. Once
 * something could not be kept nothing more is: a text with a hole would look whole.
 *
 * @param turn resolves when all that is ready to run has run: what an answer holds that came as a whole goes together
 */
export const createRecordQueue = (
  keep: (records: readonly PendingRecord[]) => Promise<void>,
  turn: () => Promise<void>,
): RecordQueue => {
  const waiting: Waiting[] = [];
  let last: Promise<void> = Promise.resolve();
  let failure: { readonly error: unknown } | undefined;
  let keeping = false;

  const keepAll = async (): Promise<void> => {
    keeping = true;
    await turn();
    while (waiting.length > 0) {
      const taken = waiting.splice(0, MAX_TOGETHER);
      try {
        if (failure !== undefined) throw failure.error;
        await keep(taken.map(({ record }) => record));
        for (const { kept } of taken) kept.resolve();
      } catch (error) {
        failure ??= { error };
        for (const { kept } of taken) kept.reject(failure.error);
      }
    }
    keeping = false;
  };

  return {
    add: (record) => {
      const kept = Promise.withResolvers<void>();
      kept.promise.catch(() => undefined);
      waiting.push({ record, kept });
      last = kept.promise;
      if (!keeping) void keepAll();
      return kept.promise;
    },
    settled: () => last,
    fail: (reason) => {
      failure ??= { error: reason };
      const failed = Promise.reject(failure.error);
      failed.catch(() => undefined);
      last = failed;
      return failed;
    },
  };
};
