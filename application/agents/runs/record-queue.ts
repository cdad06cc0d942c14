import type { AgentRunCommand, BodyRef } from '../../../domain/agent-run/index.ts';

/** Texts to store, and the command that refers to them once they are stored. */
export interface PendingRecord {
  readonly texts: { readonly [name: string]: string };
  readonly commandOf: (refs: { readonly [name: string]: BodyRef }) => AgentRunCommand;
}

export interface RecordQueue {
  /** Resolves when the record is stored. After a failure, every later record fails with the same error. */
  readonly add: (record: PendingRecord) => Promise<void>;
  /** Resolves when all records that were added so far are stored. */
  readonly settled: () => Promise<void>;
  /** Makes the queue fail: rejects with the error, as do all records that are added later. */
  readonly fail: (error: unknown) => Promise<never>;
}

/** This number of events always fits in one append, whatever they contain: see `EventStore`. */
const MAX_BATCH = 3;

interface QueuedRecord {
  readonly record: PendingRecord;
  readonly stored: PromiseWithResolvers<void>;
}

/**
 * Stores records in order. Records that arrive while earlier ones are being stored are stored together. After a
 * failure nothing more is stored, because a text with a gap would look complete.
 *
 * @param turn resolves when all tasks that are ready have run, so that the parts of one response are stored together
 */
export const createRecordQueue = (
  keep: (records: readonly PendingRecord[]) => Promise<void>,
  turn: () => Promise<void>,
): RecordQueue => {
  const queued: QueuedRecord[] = [];
  let last: Promise<void> = Promise.resolve();
  let failure: { readonly error: unknown } | undefined;
  let keeping = false;

  const keepAll = async (): Promise<void> => {
    keeping = true;
    await turn();
    while (queued.length > 0) {
      const taken = queued.splice(0, MAX_BATCH);
      try {
        if (failure !== undefined) throw failure.error;
        await keep(taken.map(({ record }) => record));
        for (const { stored } of taken) stored.resolve();
      } catch (error) {
        failure ??= { error };
        for (const { stored } of taken) stored.reject(failure.error);
      }
    }
    keeping = false;
  };

  return {
    add: (record) => {
      const stored = Promise.withResolvers<void>();
      stored.promise.catch(() => undefined);
      queued.push({ record, stored });
      last = stored.promise;
      if (!keeping) void keepAll();
      return stored.promise;
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
