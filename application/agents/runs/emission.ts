import type { Emission } from '../../../domain/agent-run/index.ts';
import { redactData } from '../../answers/extract/redact-data.ts';
import { snakeKeys } from '../../../domain/shared/key-case.ts';
import type { CompiledRules } from '../../redaction/redactor.ts';
import { redactJson } from './bodies.ts';
import { redactMessage } from './messages.ts';
import type { RunEvent } from './run-executor.ts';

/** What is kept of something that happened in a run: the facts, and the text of its body. */
export interface Kept {
  readonly emission: Emission;
  readonly body: string | null;
}
/** All but pieces of text, which are collected, and the hand-over, which is a fact of its own. */
export type WholeEvent = Exclude<RunEvent, { kind: 'text' | 'handed_over' }>;

/** Field by field: nothing of a body slips into an event. */
export const keptOf = (event: WholeEvent, rules: CompiledRules): Kept => {
  const json = (value: unknown): string => JSON.stringify(redactData(value, rules));
  switch (event.kind) {
    case 'step':
      return { emission: { kind: 'step', step: event.step }, body: null };
    case 'model_called': {
      const { kind, step, model, messageCount, request } = event;
      return { emission: { kind, step, model, messageCount }, body: json({ request }) };
    }
    case 'model_answered': {
      const { kind, step, model, usage, finishReason } = event;
      const counted = usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens };
      const message = snakeKeys(redactMessage(event.message, rules));
      return {
        emission: { kind, step, model, usage: counted, finishReason },
        body: JSON.stringify({ message }),
      };
    }
    case 'tool_called': {
      const { kind, step, callId, tool, readOnly } = event;
      const body = JSON.stringify({ arguments: redactJson(event.arguments, rules) });
      return { emission: { kind, step, callId, tool, readOnly }, body };
    }
    case 'tool_answered': {
      const { kind, step, callId, isError, truncated, result, structured } = event;
      const content = redactJson(result, rules);
      const message = { role: 'tool', tool_call_id: callId, content };
      const more = structured === undefined ? {} : { structured: redactData(structured, rules) };
      return {
        emission: { kind, step, callId, isError, truncated },
        body: JSON.stringify({ message, ...more }),
      };
    }
    case 'citations':
      return { emission: { kind: 'citations', contentIds: event.contentIds }, body: null };
    case 'note':
      return { emission: { kind: 'note', code: event.code }, body: json({ message: event.message }) };
  }
};
