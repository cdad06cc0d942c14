import type { ToolCall } from '../../../domain/agent-run/message.ts';
import type { Fact } from '../../../domain/agent-loop/step.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Emit } from '../runs/run-executor.ts';
import { ProviderError, ProviderTimeout } from '../../ports/language-model.ts';
import type { Logger } from '../../ports/logger.ts';
import type { AgentTool, JsonObject, ToolOutput } from './agent-tool.ts';

/** A result as the model is shown it. */
interface Capped {
  readonly text: string;
  readonly truncated: boolean;
}

const SAYS_SO = '(truncated: there was more than is shown)';
/** A passage that is cut to less tells nothing. */
const MIN_TEXT = 200;

/** Whole lines as far as there is room; of a first line that has none, its beginning. A cut result says so. */
export const capped = (text: string, most: number): Capped => {
  if (text.length <= most) return { text, truncated: false };
  const kept: string[] = [];
  let left = most - SAYS_SO.length - 1;
  for (const line of text.split('\n')) {
    if (line.length + 1 > left) {
      if (kept.length === 0) kept.push(shortened(line, left));
      break;
    }
    kept.push(line);
    left -= line.length + 1;
  }
  return { text: [...kept, SAYS_SO].join('\n'), truncated: true };
};

/** A passage stays one: its text is cut, and not its JSON. */
const shortened = (line: string, room: number): string => {
  if (!line.startsWith('{"passage":')) return line.slice(0, room).toWellFormed();
  const fields = JSON.parse(line) as { readonly text: string };
  const least = Math.max(MIN_TEXT, fields.text.length - (line.length - room) - SAYS_SO.length);
  return JSON.stringify({ ...fields, text: `${fields.text.slice(0, least).toWellFormed()}…` });
};

export interface ToolCalling {
  readonly tools: ReadonlyMap<string, AgentTool>;
  /** Characters of one result. */
  readonly most: number;
  readonly step: number;
  readonly emit: Emit;
  /** An abort signal that fires after so many milliseconds; `clear` ends the wait. */
  readonly after: (ms: number) => { readonly signal: AbortSignal; readonly clear: () => void };
  readonly log: Logger;
  /** What the tenant's policies hide from agents. */
  readonly hide: (text: string) => string;
  readonly signal: AbortSignal;
}

type ReturnedFact = Extract<Fact, { kind: 'returned' }>;

/** Calls that are under way at the same time. */
const AT_ONCE = 4;

/**
 * Makes the calls and answers with what they returned, in their order. Calls that change nothing run at the same time;
 * another waits for all before it, and all behind it wait. Each is kept as begun before it is made.
 *
 * A tool that the run was not given is never called: the model is told so, as it is of arguments that do not fit.
 */
export const callTools = async (
  calling: ToolCalling,
  calls: readonly ToolCall[],
): Promise<readonly ReturnedFact[]> => {
  const returned: ReturnedFact[] = [];
  for (const group of groupsOf(calls, calling.tools)) {
    const facts = await Promise.allSettled(group.map((call) => callOne(calling, call)));
    calling.signal.throwIfAborted();
    for (const fact of facts) {
      if (fact.status === 'rejected') throw fact.reason;
      returned.push(fact.value);
    }
  }
  return returned;
};

const groupsOf = (
  calls: readonly ToolCall[],
  tools: ReadonlyMap<string, AgentTool>,
): readonly (readonly ToolCall[])[] => {
  const groups: ToolCall[][] = [];
  let together = false;
  for (const call of calls) {
    const readOnly = tools.get(call.name)?.readOnly ?? true;
    const open = groups.at(-1);
    if (open !== undefined && together && readOnly && open.length < AT_ONCE) open.push(call);
    else groups.push([call]);
    together = readOnly;
  }
  return groups;
};

const callOne = async (calling: ToolCalling, call: ToolCall): Promise<ReturnedFact> => {
  const { tools, step, emit, hide, most } = calling;
  const tool = tools.get(call.name);
  const readOnly = tool?.readOnly ?? true;
  const { id: callId, name, arguments: given } = call;
  await emit({ kind: 'tool_called', step, callId, tool: name, readOnly, arguments: given });
  const output = await outputOf(calling, tool, call);
  const { text, truncated }: Capped = capped(hide(output.text) || '(nothing)', most);
  const { isError } = output;
  await emit({ kind: 'tool_answered', step, callId, isError, truncated, result: text });
  return { kind: 'returned', callId, tool: name, isError, content: text };
};

const failed = (text: string): ToolOutput => ({ text, isError: true });

/** Whatever goes wrong with a call is an answer to the model, but for the end of the run. */
const outputOf = async (
  calling: ToolCalling,
  tool: AgentTool | undefined,
  { name, arguments: json }: ToolCall,
): Promise<ToolOutput> => {
  if (tool === undefined) {
    const known = [...calling.tools.keys()].join(', ') || 'none';
    return failed(`There is no tool ${JSON.stringify(name.slice(0, 100))} in this run. There are: ${known}.`);
  }
  const given = objectIn(json);
  if (given === null)
    return failed('The arguments are no JSON object. Call again with one that fits the schema.');
  const problems = tool.problemsOf(given);
  if (problems.length > 0) return failed(`The arguments do not fit: ${problems.slice(0, 5).join('; ')}.`);
  const late = calling.after(tool.timeoutMs);
  try {
    const signal = AbortSignal.any([calling.signal, late.signal]);
    return await orAborted(tool.call(given, signal), signal);
  } catch (error) {
    calling.signal.throwIfAborted();
    if (late.signal.aborted)
      return failed(`The tool took longer than ${tool.timeoutMs / 1_000} s and was given up.`);
    return failed(messageOf(calling, name, error));
  } finally {
    late.clear();
  }
};

/** Does not wait for a tool that does not listen to its signal. */
const orAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const gone = (): void => reject(signal.reason as Error);
    if (signal.aborted) gone();
    signal.addEventListener('abort', gone, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', gone));
  });

const objectIn = (json: string): JsonObject | null => {
  try {
    const value: unknown = JSON.parse(json === '' ? '{}' : json);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
};

const messageOf = ({ log }: ToolCalling, tool: string, error: unknown): string => {
  if (error instanceof DomainError || error instanceof ProviderError || error instanceof ProviderTimeout)
    return `The tool failed: ${error.message}`;
  log.warn('a tool of an agent run failed', { tool, error: (error as Error).name });
  return 'The tool failed. It may work later, or not at all.';
};
