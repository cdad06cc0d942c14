import type { ToolCall } from '../../../domain/agent-run/message.ts';
import type { Fact } from '../../../domain/agent-loop/step.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { orAborted } from '../or-aborted.ts';
import type { Emit } from '../runs/run-executor.ts';
import { ProviderError, ProviderTimeout } from '../../ports/language-model.ts';
import type { Logger } from '../../ports/logger.ts';
import type { AgentTool, JsonObject, ToolOutput } from './agent-tool.ts';

/** A result as it is shown to the model. */
interface Capped {
  readonly text: string;
  readonly truncated: boolean;
}

const TRUNCATION_NOTE = '(truncated: there was more than is shown)';
/** Minimum length of the text of a cut passage: a shorter one says nothing. */
const MIN_PASSAGE_CHARACTERS = 200;

/**
 * Keeps the whole lines that fit. If the first line does not fit, keeps its beginning. A cut result ends with a note.
 */
export const capped = (text: string, maxCharacters: number): Capped => {
  if (text.length <= maxCharacters) return { text, truncated: false };
  const keptLines: string[] = [];
  let left = maxCharacters - TRUNCATION_NOTE.length - 1;
  for (const line of text.split('\n')) {
    if (line.length + 1 > left) {
      if (keptLines.length === 0) keptLines.push(shortened(line, left));
      break;
    }
    keptLines.push(line);
    left -= line.length + 1;
  }
  return { text: [...keptLines, TRUNCATION_NOTE].join('\n'), truncated: true };
};

/** Shortens a line. Of a passage, it shortens the text inside of the JSON, so that the line stays valid. */
const shortened = (line: string, room: number): string => {
  if (!line.startsWith('{"passage":')) return line.slice(0, room).toWellFormed();
  const fields = JSON.parse(line) as { readonly text: string };
  const minLength = Math.max(
    MIN_PASSAGE_CHARACTERS,
    fields.text.length - (line.length - room) - TRUNCATION_NOTE.length,
  );
  return JSON.stringify({ ...fields, text: `${fields.text.slice(0, minLength).toWellFormed()}…` });
};

export interface ToolCalling {
  readonly tools: ReadonlyMap<string, AgentTool>;
  /** Maximum characters of one result. */
  readonly maxCharacters: number;
  readonly step: number;
  readonly emit: Emit;
  /** Creates a signal that aborts after `ms` milliseconds; `clear` cancels the timer. */
  readonly after: (ms: number) => { readonly signal: AbortSignal; readonly clear: () => void };
  readonly log: Logger;
  /** Removes what the tenant's redaction policies hide from agents. */
  readonly hide: (text: string) => string;
  readonly signal: AbortSignal;
}

type ReturnedFact = Extract<Fact, { kind: 'returned' }>;

/** Maximum concurrent calls. */
const MAX_CONCURRENT_CALLS = 4;

/**
 * Executes the calls and returns their results in the same order. Read-only calls run concurrently; any other call
 * waits for all calls before it, and all calls after it wait for it. Each call is recorded as started before it is
 * made.
 *
 * A tool that the run does not have is not called: the model receives an error, as it does for invalid arguments.
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
    if (open !== undefined && together && readOnly && open.length < MAX_CONCURRENT_CALLS) open.push(call);
    else groups.push([call]);
    together = readOnly;
  }
  return groups;
};

const callOne = async (calling: ToolCalling, call: ToolCall): Promise<ReturnedFact> => {
  const { tools, step, emit, hide, maxCharacters } = calling;
  const tool = tools.get(call.name);
  const readOnly = tool?.readOnly ?? true;
  const { id: callId, name, arguments: given } = call;
  await emit({ kind: 'tool_called', step, callId, tool: name, readOnly, arguments: given });
  const output = await outputOf(calling, tool, call);
  const { text, truncated }: Capped = capped(hide(output.text) || '(nothing)', maxCharacters);
  const { isError } = output;
  await emit({ kind: 'tool_answered', step, callId, isError, truncated, result: text });
  return { kind: 'returned', callId, tool: name, isError, content: text };
};

const failed = (text: string): ToolOutput => ({ text, isError: true });

/** Turns every failure of a call into an error result for the model, except the end of the run. */
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
  const timeout = calling.after(tool.timeoutMs);
  try {
    const signal = AbortSignal.any([calling.signal, timeout.signal]);
    return await orAborted(tool.call(given, signal), signal);
  } catch (error) {
    calling.signal.throwIfAborted();
    if (timeout.signal.aborted)
      return failed(`The tool took longer than ${tool.timeoutMs / 1_000} s and was given up.`);
    return failed(messageOf(calling, name, error));
  } finally {
    timeout.clear();
  }
};

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
