import type { AgentMessage } from '../../../domain/agent-run/message.ts';
import { redactData } from '../../answers/extract/extraction.ts';
import { camelKeys, snakeKeys } from '../../../domain/shared/key-case.ts';
import type { CompiledRules } from '../../redaction/redactor.ts';
import { redactJson } from './bodies.ts';
import type { RunInput } from './run-executor.ts';

/**
 * Converts messages to their stored and transmitted form, with names in snake_case. They contain no free-form objects.
 */
export const storedMessages = (messages: readonly AgentMessage[]): readonly object[] =>
  snakeKeys(messages) as readonly object[];
export const readMessages = (stored: unknown): readonly AgentMessage[] =>
  camelKeys(stored) as readonly AgentMessage[];

export const redactMessage = <M extends AgentMessage>(message: M, rules: CompiledRules): M => {
  const content = redactData(message.content, rules) as string;
  if (message.role !== 'assistant' || message.toolCalls === undefined) return { ...message, content };
  const toolCalls = message.toolCalls.map((call) => ({
    ...call,
    arguments: redactJson(call.arguments, rules),
  }));
  return { ...message, content, toolCalls };
};

/**
 * The request of a run as it is stored in the vault. Fields of `input` other than the messages keep their spelling.
 */
export interface StoredRequest {
  readonly input: RunInput;
  readonly mcpSessionId: string | null;
  readonly idempotencyKey: string | null;
}

export const redactInput = ({ messages, ...more }: RunInput, rules: CompiledRules): RunInput => ({
  ...(redactData(more, rules) as object),
  messages: messages.map((message) => redactMessage(message, rules)),
});

export const textOfRequest = ({ input, mcpSessionId, idempotencyKey }: StoredRequest): string =>
  JSON.stringify({
    input: { ...input, messages: storedMessages(input.messages) },
    mcp_session_id: mcpSessionId,
    idempotency_key: idempotencyKey,
  });

export const parseRequest = (text: string): StoredRequest => {
  const {
    input,
    mcp_session_id: mcpSessionId,
    idempotency_key: idempotencyKey,
  } = JSON.parse(text) as {
    input: { messages: unknown };
    mcp_session_id: string | null;
    idempotency_key: string | null;
  };
  return { input: { ...input, messages: readMessages(input.messages) }, mcpSessionId, idempotencyKey };
};

export const textOfMessages = (messages: readonly AgentMessage[]): string =>
  JSON.stringify(storedMessages(messages));
export const parseMessages = (text: string): readonly AgentMessage[] => readMessages(JSON.parse(text));
