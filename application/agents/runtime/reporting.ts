import type { AgentMessage } from '../../../domain/agent-run/message.ts';
import { type Emit, RunFailure } from '../runs/run-executor.ts';
import type { RuntimeReport } from '../../ports/agent-runtime.ts';

/** Keeps the reports of a runtime as the events of a run. */
export interface Reporting {
  readonly take: (report: RuntimeReport) => Promise<void>;
  /** The runtime has said all: what the run adds to its thread, and what it came to beside that. */
  readonly end: () => Promise<{ readonly messages: readonly AgentMessage[]; readonly output?: unknown }>;
}

/** Of all texts of a run; of its steps and calls. */
const MOST_CHARACTERS = 1_000_000;
const MOST_EVENTS = 2_000;

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
    if (characters <= MOST_CHARACTERS && step + calls <= MOST_EVENTS) return;
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
