import {
  type AgentRunCommand,
  type AgentRunState,
  type BodyRef,
  type Emission,
  agentRun,
} from '../../../domain/agent-run/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { together } from '../../../domain/shared/together.ts';
import type { LastSeen, RetryingExecute } from '../../event-sourcing/execute.ts';
import { agentRunStream } from '../../event-sourcing/streams.ts';
import { WorkLost } from '../../jobs/work-handler.ts';
import type { CommandContext } from '../../ports/event-metadata.ts';
import type { Clock } from '../../ports/identity.ts';
import type { CompiledRules } from '../../redaction/redactor.ts';
import { type BodyDeps, bodyRefOf, keepBodies, redactJson } from './bodies.ts';
import { createTextBuffer } from './text-buffer.ts';
import { type PendingRecord, createRecordQueue } from './record-queue.ts';
import type { Emit, RunEvent } from './run-executor.ts';
import { emissionOf } from './run-event-view.ts';

export interface RecorderDeps extends BodyDeps {
  readonly clock: Clock;
  readonly every: (ms: number, run: () => Promise<void>) => { readonly stop: () => void };
  /** Resolves when all that is ready to run has run. */
  readonly turn: () => Promise<void>;
}
export interface RecordedRun {
  readonly tenant: string;
  readonly threadId: string;
  readonly runId: string;
  readonly salt: string;
  readonly rules: CompiledRules;
  /** Begins the run: kept before all else, or together with it. */
  readonly claim: AgentRunCommand;
  /** Of this try to begin it: another worker may try at the same time, and one of both succeeds. */
  readonly attempt: string;
  readonly write: WriteRun;
  /** Throws WorkLost when the lease has run out. */
  readonly assertLeaseHeld: () => void;
}
export interface Recorder {
  /** Resolves when the run is begun, for ever. */
  readonly begun: Promise<void>;
  /**
   * Begins the run where nothing has yet: before it is told how it ended. After `close`.
   *
   * @throws what the claim was refused with: then nothing at all was kept in its stream
   */
  readonly begin: () => Promise<void>;
  readonly emit: Emit;
  /** Keeps bodies, all or none, and names them. */
  readonly keep: Keep;
  /** Keeps the text that is still collected. Afterwards nothing is emitted. */
  readonly close: () => Promise<void>;
  /** The same, and then how the run ended: the command that is made of the names of its bodies. */
  readonly end: <Name extends string>(texts: Texts<Name>, ending: Ending<Name>) => Promise<void>;
}
type Texts<Name extends string> = Readonly<Record<Name, string>>;
type Refs<Name extends string> = Readonly<Record<Name, BodyRef>>;
type Keep = <Name extends string>(texts: Texts<Name>) => Promise<Refs<Name>>;
type Ending<Name extends string> = (refs: Refs<Name>) => AgentRunCommand;

/** Pieces of text are kept together, but for the first of an answer: at most so long, and so many characters. */
const COLLECT_MS = 150;
const MAX_COLLECT = 2_000;

/**
 * Keeps what happens in a run: bodies in the vault, then the events that name them, in the order in which they were emitted.
 * What is emitted while something is being kept is kept together.
 */
export const createRecorder = (deps: RecorderDeps, run: RecordedRun): Recorder => {
  let count = 0;
  let collected = createTextBuffer(0, run.rules);
  let isBegun = false;
  let refusal: { readonly error: unknown } | undefined;
  /** Settles, and never rejects, when what is being kept is. */
  let underWay: Promise<unknown> = Promise.resolve();

  const keep: Keep = async <Name extends string>(texts: Texts<Name>) => {
    const bodies = (Object.entries(texts) as [Name, string][]).map(
      ([name, text]) => [name, { id: `${run.runId}/${run.attempt}/${name}`, text }] as const,
    );
    if (bodies.length === 0) return {} as Refs<Name>;
    await keepBodies(
      deps,
      run.tenant,
      run.threadId,
      bodies.map(([, body]) => body),
    ).catch(lost);
    const refs = bodies.map(([name, body]) => [name, bodyRefOf(deps.hash, run.salt, body)] as const);
    return Object.fromEntries(refs) as Refs<Name>;
  };
  const write = async (commands: readonly AgentRunCommand[]): Promise<void> => {
    run.assertLeaseHeld();
    const state = await run.write(...commands);
    isBegun = true;
    // It was asked to stop: nothing more may be begun, and nothing of it is kept.
    if (state.status === 'CANCELLING') throw new WorkLost('the run is being cancelled');
  };
  /** Texts that cannot be kept are how a run ends, and no reason to try again to begin it. */
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
      return lost(error);
    }
  };
  const records = createRecordQueue((taken) => {
    const kept = keepRecords(taken);
    underWay = kept.catch(() => undefined);
    return kept;
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
    delta === ''
      ? records.settled()
      : record({ kind: 'text', step: collected.step }, JSON.stringify({ delta }));
  /** The answer of a step has ended. */
  const endText = (): Promise<void> => {
    const ended = recordText(collected.takeAll());
    collected = createTextBuffer(0, run.rules);
    return ended;
  };
  const take = (event: RunEvent): Promise<void> => {
    if (event.kind !== 'text') {
      void endText();
      if (event.kind === 'handed_over') return handOver(event);
      const { emission, body } = emissionOf(event, run.rules);
      return record(emission, body);
    }
    if (event.step !== collected.step) {
      void endText();
      collected = createTextBuffer(event.step, run.rules);
    }
    collected.push(event.delta);
    const isFirst = !collected.isStarted();
    const isDue = isFirst || collected.length() >= MAX_COLLECT;
    return isDue ? recordText(collected.take()) : records.settled();
  };
  const collecting = deps.every(COLLECT_MS, () => recordText(collected.take()));

  return {
    begun,
    begin: async () => {
      await underWay;
      if (isBegun) return;
      if (refusal !== undefined) throw refusal.error;
      // What was emitted could not even be written down.
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

/** A refusal says that the run is over, or that its thread was deleted: it is not ours any more. */
const lost = (error: unknown): never => {
  if (error instanceof DomainError && error.code !== 'unavailable') throw new WorkLost(error.message);
  throw error;
};

/** Sends commands to the run, as `together` has it, and answers its state afterwards. One call after the other. */
export type WriteRun = (...commands: readonly AgentRunCommand[]) => Promise<AgentRunState>;

const agentRunTogether = together(agentRun);

/**
 * Writes to a run as the worker that has it, who but for a cancel or a loss of its lease is the only one: so nothing is
 * read before a write unless somebody else has written since.
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
    lastSeen = await execute(agentRunTogether, agentRunStream(runId), commands, context, { lastSeen });
    return lastSeen.state;
  };
};
