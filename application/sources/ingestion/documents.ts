import type { SourceEvent, SourceRemoved, SourceType } from '../../../domain/source/events.ts';
import { type SourceState, source } from '../../../domain/source/decider.ts';
import { derivedId, sourceStream } from '../../event-sourcing/streams.ts';
import type { Executed, Execute, LastSeen, RetryingExecute } from '../../event-sourcing/execute.ts';
import { isDamagedStream } from '../../ports/event-checks.ts';
import { BEGINNING, type Position } from '../../ports/event-store.ts';
import type { Clock, Hash } from '../../ports/identity.ts';
import type { Logger } from '../../ports/logger.ts';
import { redact } from '../../redaction/redactor.ts';
import type { Job } from './job.ts';
import { commandOf, type DocumentFact } from './document-fact.ts';
import {
  type FoundDocument,
  type ReadOutcome,
  readDocuments,
  type ReadDocumentsDeps,
} from './read-documents.ts';

export interface DocumentsDeps extends ReadDocumentsDeps {
  readonly execute: Execute | RetryingExecute;
  readonly clock: Clock;
  readonly hash: Hash;
  readonly log: Pick<Logger, 'error'>;
}

/** The result of recording a fact about a document. */
export interface Recorded {
  readonly sourceId: string;
  /** The document was read again and equals what an earlier job stored. */
  readonly same: boolean;
  /** Nothing was recorded, because another program has changed the stream of the document. */
  readonly damaged?: true;
}

interface Visited {
  readonly outcome: string;
  readonly code: string | null;
  readonly message: string | null;
}

/** What came of a visit, after its fact was recorded; undefined: it had none. */
export const visitAfter = <Visit extends Visited>(
  visit: Visit,
  recorded: Recorded | undefined,
): Visit | (Visit & { readonly outcome: 'failed' | 'unchanged' }) => {
  if (recorded?.damaged === true)
    return { ...visit, outcome: 'failed', code: 'history_damaged', message: DAMAGED };
  return recorded?.same === true && visit.outcome === 'indexed' ? { ...visit, outcome: 'unchanged' } : visit;
};

const DAMAGED = 'its events were changed in the event store, outside of this service: ask the operator';

/** Stores, reads and records the documents of one job. Each call checks that this process still holds the job. */
export interface Documents {
  /** The same item of a data source always has the same source id. */
  readonly idOf: (locator: string) => string;
  /**
   * Stores the bytes, extracts, redacts and chunks their text, and stores the chunks; results in the order of `found`.
   * Nothing becomes a document before `record`.
   *
   * @throws the reason of `signal`, WorkLost, or what the stores throw
   */
  readonly read: (found: readonly FoundDocument[], signal: AbortSignal) => Promise<readonly ReadOutcome[]>;
  /** Redacts words of a provider, such as titles, by the policies of ingestion, so that they may be stored. */
  readonly hidden: (words: readonly string[]) => Promise<readonly string[]>;
  /**
   * Records facts, at most one per item; results in the order of `facts`. Idempotent, also after a crash.
   * A document whose stream is damaged is told of in the log and passed over.
   *
   * @throws WorkLost, or what the store throws
   */
  readonly record: (facts: readonly DocumentFact[]) => Promise<readonly Recorded[]>;
  /** Removes documents by id; already removed ones cause no event. Call it with few at a time. @throws WorkLost */
  readonly remove: (ids: readonly string[], reason: SourceRemoved['reason']) => Promise<void>;
  /** The position of the newest recorded fact. */
  readonly written: () => Position;
}

/** What a caller that is probably the only writer of a document knows of its stream, and wants to know. */
interface OnlyWriter {
  readonly lastSeen: LastSeen<SourceState>;
  readonly onRecorded: (recorded: Pick<Executed<SourceEvent, SourceState>, 'events' | 'revision'>) => void;
}

export const openDocuments = (
  deps: DocumentsDeps,
  job: Job,
  sourceType: SourceType,
  onlyWriter?: OnlyWriter,
): Documents => {
  const { execute, clock, hash, log } = deps;
  let written: Position = BEGINNING;
  const wrote = (position: Position): void => {
    if (position > written) written = position;
  };
  const idOf = (locator: string): string => derivedId(hash, 'source', job.dataSourceId, locator);
  const onDamage = (sourceId: string, error: unknown): void => {
    if (!isDamagedStream(error)) throw error;
    log.error('a stream of the event store was tampered with', { sourceId, error: error.message });
  };
  const recordOne = async (fact: DocumentFact): Promise<Recorded> => {
    const sourceId = idOf(fact.locator);
    try {
      return await recordWhole(sourceId, fact);
    } catch (error) {
      // The others are none the worse for it.
      onDamage(sourceId, error);
      return { sourceId, same: false, damaged: true };
    }
  };
  const recordWhole = async (sourceId: string, fact: DocumentFact): Promise<Recorded> => {
    const command = commandOf(fact, job, sourceType);
    const recorded = await execute(source, sourceStream(sourceId), command, job.context, {
      probablyNew: fact.firstSeen,
      ...(onlyWriter !== undefined && { lastSeen: onlyWriter.lastSeen }),
      // Reading the stream may have taken long.
      guard: () => job.assertLeaseHeld(),
    });
    onlyWriter?.onRecorded(recorded);
    const { events, state, position } = recorded;
    wrote(position);
    const same = events.length === 0 && state.status === 'indexed' && state.generation < job.state.generation;
    return { sourceId, same };
  };

  return {
    idOf,
    read: (found, signal) => readDocuments(deps, job, found, signal),
    hidden: async (words) => {
      if (words.length === 0) return [];
      const { compiled } = await deps.redaction.at(job.tenant, 'ingestion');
      return words.map((one) => redact(one, compiled).text);
    },
    record: async (facts) => {
      job.assertLeaseHeld();
      return Promise.all(facts.map(recordOne));
    },
    remove: async (ids, reason) => {
      job.assertLeaseHeld();
      const { jobId, generation } = job.state;
      const command = { type: 'remove', reason, jobId, generation, at: clock.now() } as const;
      await Promise.all(
        ids.map(async (id) => {
          const options = { guard: () => job.assertLeaseHeld() };
          const removed = execute(source, sourceStream(id), command, job.context, options);
          await removed
            .then(({ position }) => wrote(position))
            .catch((error: unknown) => onDamage(id, error));
        }),
      );
    },
    written: () => written,
  };
};
