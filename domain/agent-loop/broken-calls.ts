import type { Answer } from './state.ts';
import { type Decision, fail } from './step.ts';

/** How often in a row a model may call the same tool with arguments that are no JSON object. */
const MOST = 3;

/**
 * The failure of a run whose model has called a tool with broken JSON in its last answers; null while it may learn from
 * the errors that it was told.
 */
export const alwaysBroken = (answers: readonly Answer[]): Decision | null => {
  if (answers.length < MOST) return null;
  const [first, ...others] = answers.slice(-MOST).map(brokenIn);
  const tool = [...first!].find((name) => others.every((broken) => broken.has(name)));
  if (tool === undefined) return null;
  return fail(
    'tool_arguments_broken',
    `the model called the tool ${JSON.stringify(tool.slice(0, 100))} ${MOST} times with arguments that are no JSON: choose another model`,
  );
};

/** Names of the tools that an answer calls with broken arguments. */
const brokenIn = ({ message }: Answer): ReadonlySet<string> =>
  new Set((message.toolCalls ?? []).flatMap((call) => (isObject(call.arguments) ? [] : [call.name])));

/** @param json empty for no arguments */
const isObject = (json: string): boolean => {
  try {
    const value: unknown = JSON.parse(json === '' ? '{}' : json);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};
