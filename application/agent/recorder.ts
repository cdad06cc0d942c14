import type { AgentRunCommand, BodyRef, Emission } from '../../domain/agent-run/index.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { Clock } from '../ports/identity.ts';
import type { CompiledRules } from '../redaction/redactor.ts';
import { WorkLost } from '../work/work-handler.ts';
import { type BodyDeps, bodyRefOf, keepBodies, redactJson } from './bodies.ts';
import { collectText } from './collected-text.ts';
import { keptOf } from './emission.ts';
import type { Emit, RunEvent } from './run-executor.ts';
import type { WriteRun } from './run-writer.ts';

export interface RecorderDeps extends BodyDeps {
  readonly clock: Clock;
  readonly every: (ms: number, run: () => Promise<void>) => { readonly stop: () => void };
}
export interface Recorded {
  readonly tenant: string;
  readonly threadId: string;
  readonly runId: string;
  readonly salt: string;
  readonly rules: CompiledRules;
  readonly write: WriteRun;
  /** Throws WorkLost when the lease has run out. */
  readonly stillOurs: () => void;
}
export interface Recorder {
  readonly emit: Emit;
  /** Keeps bodies, all or none, and names them. */
  readonly keep: <Name extends string>(
    texts: Readonly<Record<Name, string>>,
  ) => Promise<Readonly<Record<Name, BodyRef>>>;
  /** Keeps the text that is still collected. Afterwards nothing is emitted. */
  readonly close: () => Promise<void>;
}

/** Pieces of text are kept together, but for the first of an answer: at most so long, and so many characters. */
const COLLECT_MS = 150;
const COLLECT_MOST = 2_000;

/**
 * Keeps what happens in a run: each body in the vault, then the event that names it. One after the other, in the order in
 * which they were emitted.
 */
export const createRecorder = (deps: RecorderDeps, run: Recorded): Recorder => {
  let count = 0;
  let last: Promise<void> = Promise.resolve();
  let collected = collectText(0, run.rules);

  const keep: Recorder['keep'] = async <Name extends string>(texts: Readonly<Record<Name, string>>) => {
    const bodies = (Object.entries(texts) as [Name, string][]).map(([name, text]) => {
      const body = { id: `${run.runId}/${name}`, text };
      return { name, body };
    });
    await keepBodies(
      deps,
      run.tenant,
      run.threadId,
      bodies.map(({ body }) => body),
    ).catch(lost);
    const refs = bodies.map(({ name, body }) => [name, bodyRefOf(deps.hash, run.salt, body)] as const);
    return Object.fromEntries(refs) as Record<Name, BodyRef>;
  };
  const keepOne = async (name: string, text: string): Promise<BodyRef> =>
    (await keep({ [name]: text }))[name]!;
  const send = async (command: AgentRunCommand): Promise<void> => {
    const state = await run.write(command).catch(lost);
    // It was asked to stop: nothing more may be begun, and nothing of it is kept.
    if (state.status === 'CANCELLING') throw new WorkLost('the run is being cancelled');
  };
  const record = async (emission: Emission, body: string | null): Promise<void> => {
    run.stillOurs();
    const ref = body === null ? null : await keepOne(`e${count++}`, body);
    await send({ type: 'emit', emission, body: ref, at: deps.clock.now() });
  };
  const handOver = async ({ request: body, ...to }: Extract<RunEvent, { kind: 'handed_over' }>) => {
    run.stillOurs();
    const request = await keepOne('handover', redactJson(body, run.rules));
    const { runtimeArn, runtimeSessionId } = to;
    await send({ type: 'hand_over', runtimeArn, runtimeSessionId, request, at: deps.clock.now() });
  };
  const recordText = async (delta: string): Promise<void> => {
    if (delta === '') return;
    await record({ kind: 'text', step: collected.step }, JSON.stringify({ delta }));
  };
  /** The answer of a step has ended. */
  const endText = async (): Promise<void> => {
    await recordText(collected.takeAll());
    collected = collectText(0, run.rules);
  };
  /** Once something could not be kept nothing more is: a text with a hole would look whole. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    last = last.then(work);
    last.catch(() => undefined);
    return last;
  };
  const collecting = deps.every(COLLECT_MS, () => inTurn(() => recordText(collected.take())));

  return {
    keep,
    emit: (event) =>
      inTurn(async () => {
        if (event.kind !== 'text') {
          await endText();
          if (event.kind === 'handed_over') return handOver(event);
          const { emission, body } = keptOf(event, run.rules);
          return record(emission, body);
        }
        if (event.step !== collected.step) {
          await endText();
          collected = collectText(event.step, run.rules);
        }
        collected.push(event.delta);
        const isFirst = !collected.isTold();
        if (isFirst || collected.length() >= COLLECT_MOST) await recordText(collected.take());
      }),
    close: () => {
      collecting.stop();
      return inTurn(endText);
    },
  };
};

/** A refusal says that the run is over, or that its thread was deleted: it is not ours any more. */
const lost = (error: unknown): never => {
  if (error instanceof DomainError && error.code !== 'unavailable') throw new WorkLost(error.message);
  throw error;
};
