import type { AgentMessage } from '../../../domain/agent-run/message.ts';
import type { RunToDo } from '../runs/run-executor.ts';
import { snakeKeys } from '../../../domain/shared/key-case.ts';

/** The session of a runtime that a thread has: with its own memory, found by the thread's id. */
export const sessionIdOf = (threadId: string): string => `knowledger-${threadId}`;

/**
 * What a runtime is sent: the input of a run in the agent-UI protocol (RunAgentInput of AG-UI), and `prompt` for agents
 * that read nothing else.
 *
 * @param hide takes out what policies hide from agents
 */
export const payloadOf = (run: RunToDo, hide: (text: string) => string): string => {
  const { workflowType, provider, onBehalfOf } = run;
  const { messages: asked, ...more } = run.input;
  const messages = [...run.history, ...asked].map((message, place) => sent(message, place, run.runId, hide));
  return JSON.stringify({
    prompt: hide(asked.at(-1)?.content ?? ''),
    threadId: run.threadId,
    runId: run.runId,
    messages,
    state: {},
    tools: [],
    context: [],
    forwardedProps: {
      ...(snakeKeys({ workflowType, provider, principalId: onBehalfOf.principalId ?? null }) as object),
      input: hidden(more, hide),
    },
  });
};

const sent = (
  message: AgentMessage,
  place: number,
  runId: string,
  hide: (text: string) => string,
): Readonly<Record<string, unknown>> => {
  const shown = { id: `${runId}-m${place}`, role: message.role, content: hide(message.content) };
  if (message.role === 'tool') return { ...shown, toolCallId: message.toolCallId };
  if (message.role !== 'assistant' || message.toolCalls === undefined) return shown;
  const toolCalls = message.toolCalls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: hide(given) },
  }));
  return { ...shown, toolCalls };
};

/** Every text in it, names of fields too. */
const hidden = (value: unknown, hide: (text: string) => string): unknown => {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((one) => hidden(one, hide));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [hide(name), hidden(part, hide)]));
};
