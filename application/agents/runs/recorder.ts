import {
  type AgentRunCommand,
  type AgentRunState,
  type BodyRef,
  type Emission,
  agentRun,
} from '../../../domain/agent-run/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { batched } from '../../../domain/shared/batched.ts';
import type { LastSeen, RetryingExecute } from '../../event-sourcing/execute.ts';
import { agentRunStream } from '../../event-sourcing/streams.ts';
import { WorkLost } from '../../jobs/work-handler.ts';
import type { CommandContext } from '../../ports/event-metadata.ts';
import type { Clock } from '../../ports/identity.ts';
import type { CompiledRules } from '../../redaction/redactor.ts';
import { type BodyDeps, bodyRefOf, storeBodies, redactJson } from './bodies.ts';
import { createTextBuffer } from './text-buffer.ts';
import { type PendingRecord, createRecordQueue } from './record-queue.ts';
import type { Emit, RunEvent } from './run-executor.ts';
import { emissionOf } from './run-event-view.ts';

export interface RecorderDeps extends BodyDeps {
  readonly clock: Clock;
  readonly every: (ms: number, run: () => Promise<void>) => { readonly stop: () => void };
  /** Resolves when all tasks that are ready have run. */
  readonly turn: () => Promise<void>;
}
export interface RecordedRun {
  readonly tenant: string;
  readonly threadId: string;
  readonly runId: string;
  readonly salt: string;
  readonly rules: CompiledRules;
  /** The command that starts the run. It is stored before all other commands, or together with them. */
  readonly claim: AgentRunCommand;
  /** Id of this attempt to start the run. Two workers may try concurrently; only one succeeds. */
  readonly attempt: string;
  readonly write: WriteRun;
  /** Throws WorkLost when the lease has run out. */
  readonly assertLeaseHeld: () => void;
}
export interface Recorder {
  /** Resolves when the start of the run is stored. */
  readonly begun: Promise<void>;
  /**
   * Starts the run if it has not started, so that its end can be recorded. Call it after `close`.
   *
   * @throws the error with which the claim was refused: then nothing was written to the run's stream
   */
  readonly begin: () => Promise<void>;
  readonly emit: Emit;
  /** Stores texts, all or none, and returns references to them. */
  readonly keep: Keep;
  /** Stores the remaining text. Nothing may be emitted afterwards. */
  readonly close: () => Promise<void>;
  /** Like `close`, and then records the end of the run with a command that refers to the given texts. */
  readonly end: <Name extends string>(texts: Texts<Name>, ending: Ending<Name>) => Promise<void>;
}
type Texts<Name extends string> = Readonly<Record<Name, string>>;
type Refs<Name extends string> = Readonly<Record<Name, BodyRef>>;
type Keep = <Name extends string>(texts: Texts<Name>) => Promise<Refs<Name>>;
type Ending<Name extends string> = (refs: Refs<Name>) => AgentRunCommand;

/** Text is collected for up to 150 ms or 2,000 characters; the first piece of an answer is stored at once. */
const COLLECT_MS = 150;
const MAX_COLLECT_CHARACTERS = 2_000;
const NO_TEXT = { kind: 'text', step: 0 } as const;

/**
 * Records the events of a run: stores their bodies in the vault, then appends the events that refer to them, in the
 * order in which they were emitted. Events that are emitted during a write are stored together by the next write.
 */
export const createRecorder = (deps: RecorderDeps, run: RecordedRun): Recorder => {
  let count = 0;
  let buffer = createTextBuffer(NO_TEXT, run.rules);
  let isBegun = false;
  let refusal: { readonly error: unknown } | undefined;
  /** Settles when the current write has ended; never rejects. */
  let currentWrite: Promise<unknown> = Promise.resolve();

  const keep: Keep = async <Name extends string>(texts: Texts<Name>) => {
    const bodies = (Object.entries(texts) as [Name, string][]).map(
      ([name, text]) => [name, { id: `${run.runId}/${run.attempt}/${name}`, text }] as const,
    );
    if (bodies.length === 0) return {} as Refs<Name>;
    await storeBodies(
      deps,
      run.tenant,
      run.threadId,
      bodies.map(([, body]) => body),
    ).catch(asLostWork);
    const refs = bodies.map(([name, body]) => [name, bodyRefOf(deps.hash, run.salt, body)] as const);
    return Object.fromEntries(refs) as Refs<Name>;
  };
  const write = async (commands: readonly AgentRunCommand[]): Promise<void> => {
    run.assertLeaseHeld();
    const state = await run.write(...commands);
    isBegun = true;
    // The run is being cancelled: no further action may start, and its events are not stored.
    if (state.status === 'CANCELLING') throw new WorkLost('the run is being cancelled');
  };
  /** When texts cannot be stored, the run must fail rather than be retried, so its start is recorded first. */
  const beginAnyway = async (error: unknown): Promise<never> => {
    if (!isBegun) await write([run.claim]);
    throw error;
  };
  const keepRecords = async (records: readonly PendingRecord[]): Promise<void> => {
    try {
      run.assertLeaseHeld();
      const texts = Object.assign({}, ...records.map((record) => record.texts)) as Texts<string>;
      const refs = await keep(texts).catch(beginAnyway);
      await write(records.map(({ commandOf }) => commandOf(refs)));
    } catch (error) {
      if (!isBegun) refusal = { error };
      return asLostWork(error);
    }
  };
  const records = createRecordQueue((taken) => {
    const storing = keepRecords(taken);
    currentWrite = storing.catch(() => undefined);
    return storing;
  }, deps.turn);
  const begun = records.add({ texts: {}, commandOf: () => run.claim });
  const record = (emission: Emission, text: string | null): Promise<void> => {
    const at = deps.clock.now();
    const name = text === null ? null : `e${count++}`;
    return records.add({
      texts: name === null ? {} : { [name]: text! },
      commandOf: (refs) => ({ type: 'emit', emission, body: name === null ? null : refs[name]!, at }),
    });
  };
  const handOver = ({ request, ...to }: Extract<RunEvent, { kind: 'handed_over' }>): Promise<void> => {
    const { runtimeArn, runtimeSessionId } = to;
    const at = deps.clock.now();
    return records.add({
      texts: { handover: redactJson(request, run.rules) },
      commandOf: ({ handover }) => ({
        type: 'hand_over',
        runtimeArn,
        runtimeSessionId,
        request: handover!,
        at,
      }),
    });
  };
  const recordText = (delta: string): Promise<void> =>
    delta === '' ? records.settled() : record(buffer.of, JSON.stringify({ delta }));
  /** Stores the rest of the text of a step. */
  const endText = (): Promise<void> => {
    const ended = recordText(buffer.takeAll());
    buffer = createTextBuffer(NO_TEXT, run.rules);
    return ended;
  };
  const take = (event: RunEvent): Promise<void> => {
    if (event.kind !== 'text' && event.kind !== 'reasoning') {
      void endText();
      if (event.kind === 'handed_over') return handOver(event);
      const { emission, body } = emissionOf(event, run.rules);
      return record(emission, body);
    }
    if (event.step !== buffer.of.step || event.kind !== buffer.of.kind) {
      void endText();
      buffer = createTextBuffer(event, run.rules);
    }
    buffer.push(event.delta);
    const isFirst = !buffer.isStarted();
    const isDue = isFirst || buffer.length() >= MAX_COLLECT_CHARACTERS;
    return isDue ? recordText(buffer.take()) : records.settled();
  };
  const collecting = deps.every(COLLECT_MS, () => recordText(buffer.take()));

  return {
    begun,
    begin: async () => {
      await currentWrite;
      if (isBegun) return;
      if (refusal !== undefined) throw refusal.error;
      // The records themselves could not be built, so that nothing was written.
      await write([run.claim]);
    },
    keep,
    emit: (event) => {
      try {
        return take(event);
      } catch (error) {
        return records.fail(error);
      }
    },
    close: () => {
      collecting.stop();
      return endText();
    },
    end: (texts, ending) => {
      collecting.stop();
      void endText();
      return records.add({ texts, commandOf: (refs) => ending(refs as Refs<keyof typeof texts>) });
    },
  };
};

/** A refusal means that the run has ended or its thread was deleted: this worker no longer owns it. */
const asLostWork = (error: unknown): never => {
  if (error instanceof DomainError && error.code !== 'unavailable') throw new WorkLost(error.message);
  throw error;
};

/**
 * Appends the events of the commands in one write (see `batched`) and returns the new state. Not for concurrent
 * calls.
 */
export type WriteRun = (...commands: readonly AgentRunCommand[]) => Promise<AgentRunState>;

const batchedAgentRun = batched(agentRun);

/**
 * Writes to a run as the worker that owns it. Only a cancellation or a lost lease can cause writes by other processes,
 * so nothing is read before a write unless such a write has caused a conflict.
 *
 * @param found the run as it was when it was leased
 */
export const createRunWriter = (
  { execute }: { readonly execute: RetryingExecute },
  runId: string,
  context: CommandContext,
  found: LastSeen<AgentRunState>,
): WriteRun => {
  let lastSeen = found;
  return async (...commands) => {
    lastSeen = await execute(batchedAgentRun, agentRunStream(runId), commands, context, { lastSeen });
    return lastSeen.state;
  };
};
