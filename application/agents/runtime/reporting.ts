import type { AgentMessage } from '../../../domain/agent-run/message.ts';
import { RuntimeFailed, type RuntimeReport } from '../../ports/agent-runtime.ts';
import { orAborted } from '../or-aborted.ts';
import { type Emit, RunFailure } from '../runs/run-executor.ts';

/** Records the reports of a runtime as events of a run. */
export interface Reporting {
  readonly take: (report: RuntimeReport) => Promise<void>;
  /** Ends the recording; returns the messages that the run adds to its thread, and its other output. */
  readonly end: () => Promise<{ readonly messages: readonly AgentMessage[]; readonly output?: unknown }>;
}

/** Limits of the texts of a run, and of its steps and tool calls. */
const MAX_CHARACTERS = 1_000_000;
const MAX_EVENTS = 2_000;

/**
 * A step contains at most one message, since clients identify a message by its step. The tools belong to the runtime:
 * whether they change anything is unknown, and their results are not part of the thread's history.
 *
 * @param model the name of the model in the events
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
    throw new RunFailure('answer_too_long', 'the runtime sent more than is stored of one run');
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
    // Clients are not sent the result of a call that they never saw.
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
      const { kind } = report;
      const isTool = kind === 'tool_called' || kind === 'tool_answered';
      if (step === 0 || (!isTool && written)) await begin();
      if (isTool) return takeTool(report);
      count(report.delta);
      if (kind === 'text') text += report.delta;
      await emit({ kind, step, delta: report.delta });
    },
    end: async () => {
      await endMessage();
      return { messages, ...output };
    },
  };
};

export interface Listening {
  /** Maximum time without any data from the runtime, in milliseconds. */
  readonly idleTimeoutMs: number;
  /** Creates a signal that aborts after `ms` milliseconds; `clear` cancels the timer. */
  readonly after: (ms: number) => { readonly signal: AbortSignal; readonly clear: () => void };
}

/**
 * Yields reports as they arrive; ends with an error when the runtime sends nothing for `idleTimeoutMs`. The time that
 * the consumer takes for a report does not count.
 *
 * @throws RuntimeFailed runtime_silent; errors of `open`; the reason of `signal` when it aborts
 */
export async function* listen(
  { after, idleTimeoutMs }: Listening,
  open: (ends: AbortSignal) => AsyncIterable<RuntimeReport>,
  signal: AbortSignal,
): AsyncGenerator<RuntimeReport> {
  const silent = new AbortController();
  const ends = AbortSignal.any([signal, silent.signal]);
  const reports = open(ends)[Symbol.asyncIterator]();
  const abortSilent = (): void =>
    silent.abort(new RuntimeFailed('runtime_silent', silence(idleTimeoutMs), { mayStillRun: true }));
  try {
    for (;;) {
      const timeout = after(idleTimeoutMs);
      timeout.signal.addEventListener('abort', abortSilent, { once: true });
      const next = await orAborted(reports.next(), ends).finally(timeout.clear);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    silent.abort(new Error('the reports are no longer read'));
  }
}

const silence = (ms: number): string =>
  `the runtime sent nothing for ${Math.round(ms / 1_000)} s: it may have acted; see its session`;
