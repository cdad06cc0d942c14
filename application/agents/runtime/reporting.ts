import type { AgentMessage } from '../../../domain/agent-run/message.ts';
import { RuntimeFailed, type RuntimeReport } from '../../ports/agent-runtime.ts';
import { type Emit, RunFailure } from '../runs/run-executor.ts';

/** Keeps the reports of a runtime as the events of a run. */
export interface Reporting {
  readonly take: (report: RuntimeReport) => Promise<void>;
  /** The runtime has said all: what the run adds to its thread, and what it came to beside that. */
  readonly end: () => Promise<{ readonly messages: readonly AgentMessage[]; readonly output?: unknown }>;
}

/** Of all texts of a run; of its steps and calls. */
const MAX_CHARACTERS = 1_000_000;
const MAX_EVENTS = 2_000;

/**
 * A step holds one message at most, since clients know a message by its step. Tools are those of the runtime: whether
 * they change anything is not known, and what they answer stays out of the thread's history.
 *
 * @param model what the events call whoever answered
 */
export const createReporting = (emit: Emit, model: string): Reporting => {
  const messages: AgentMessage[] = [];
  const open = new Set<string>();
  let [step, calls, written] = [0, 0, false];
  let text = '';
  let characters = 0;
  let output: { readonly output?: unknown } = {};

  const begin = async (): Promise<void> => {
    [step, written] = [step + 1, false];
    count('');
    await emit({ kind: 'step', step });
  };
  const endMessage = async (): Promise<void> => {
    if (text === '') return;
    const message = { role: 'assistant', content: text } as const;
    messages.push(message);
    [text, written] = ['', true];
    await emit({ kind: 'model_answered', step, model, usage: null, finishReason: 'stop', message });
  };
  const count = (more: string): void => {
    characters += more.length;
    if (characters <= MAX_CHARACTERS && step + calls <= MAX_EVENTS) return;
    throw new RunFailure('answer_too_long', 'the runtime said more than is kept of one run');
  };

  const takeTool = async (
    report: Extract<RuntimeReport, { kind: 'tool_called' | 'tool_answered' }>,
  ): Promise<void> => {
    await endMessage();
    if (report.kind === 'tool_called') {
      const { callId, tool, arguments: given } = report;
      calls += 1;
      count(given);
      open.add(callId);
      return emit({ kind: 'tool_called', step, callId, tool, readOnly: false, arguments: given });
    }
    const { callId, isError, content } = report;
    // A client is not told of the result of a call that it never saw.
    if (!open.delete(callId)) return;
    count(content);
    await emit({ kind: 'tool_answered', step, callId, isError, truncated: false, result: content });
  };

  return {
    take: async (report) => {
      if (report.kind === 'alive') return;
      if (report.kind === 'step') {
        await endMessage();
        return begin();
      }
      if (report.kind === 'message_ended') return endMessage();
      if (report.kind === 'output') {
        output = { output: report.output };
        return;
      }
      if (step === 0 || (report.kind === 'text' && written)) await begin();
      if (report.kind !== 'text') return takeTool(report);
      count(report.delta);
      text += report.delta;
      await emit({ kind: 'text', step, delta: report.delta });
    },
    end: async () => {
      await endMessage();
      return { messages, ...output };
    },
  };
};

export interface Listening {
  /** How long a runtime may say nothing at all, in milliseconds. */
  readonly idleTimeoutMs: number;
  /** An abort signal that fires after so many milliseconds; `clear` ends the wait. */
  readonly after: (ms: number) => { readonly signal: AbortSignal; readonly clear: () => void };
}

/**
 * Reports as they come, as long as they come: a runtime that says nothing for too long is left. What the listener does
 * with a report does not count.
 *
 * @throws RuntimeFailed runtime_silent; what `open` throws; the reason of `signal` once it aborts
 */
export async function* listen(
  { after, idleTimeoutMs }: Listening,
  open: (ends: AbortSignal) => AsyncIterable<RuntimeReport>,
  signal: AbortSignal,
): AsyncGenerator<RuntimeReport> {
  const silent = new AbortController();
  const ends = AbortSignal.any([signal, silent.signal]);
  const reports = open(ends)[Symbol.asyncIterator]();
  const leave = (): void =>
    silent.abort(new RuntimeFailed('runtime_silent', silence(idleTimeoutMs), { mayStillRun: true }));
  try {
    for (;;) {
      const late = after(idleTimeoutMs);
      late.signal.addEventListener('abort', leave, { once: true });
      const next = await orAborted(reports.next(), ends).finally(late.clear);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    silent.abort(new Error('nobody listens any more'));
  }
}

const silence = (ms: number): string =>
  `the runtime said nothing for ${Math.round(ms / 1_000)} s: it may have acted; its session tells what it did`;

/** Does not wait for a runtime whose client does not listen to its signal. */
const orAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const gone = (): void => reject(signal.reason as Error);
    if (signal.aborted) gone();
    signal.addEventListener('abort', gone, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', gone));
  });
