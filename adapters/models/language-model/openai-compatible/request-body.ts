import type { ModelMessage, ModelRequest } from '../../../../application/ports/language-model.ts';
import { readArguments } from '../provider/tool-arguments.ts';

/** The older name is what most servers know; OpenAI's newer models refuse it. */
export type OutputLimitName = 'max_tokens' | 'max_completion_tokens';

export interface Dialect {
  readonly model: string;
  readonly limitName: OutputLimitName;
  /** Whether the usage is asked for: some servers refuse the field. */
  readonly asksUsage: boolean;
}

/** The body of POST /chat/completions. */
export const requestBody = ({ model, limitName, asksUsage }: Dialect, request: ModelRequest): string => {
  const { messages, tools = [], maxOutputTokens, temperature, responseSchema } = request;
  return JSON.stringify({
    model,
    messages: messages.map(messageOf),
    ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    stream: true,
    ...(asksUsage && { stream_options: { include_usage: true } }),
    ...(maxOutputTokens !== undefined && { [limitName]: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    // `strict` would refuse schemas outside the provider's subset of JSON Schema.
    ...(responseSchema !== undefined && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: responseSchema, strict: false },
      },
    }),
  });
};

const messageOf = (message: ModelMessage): object => {
  const { role, content } = message;
  if (role === 'tool') return { role, tool_call_id: message.toolCallId, content };
  const calls = role === 'assistant' ? (message.toolCalls ?? []) : [];
  if (calls.length === 0) return { role, content };
  return {
    role,
    // Null, not '': some servers refuse an empty text beside calls.
    content: content === '' ? null : content,
    tool_calls: calls.map(({ id, name, arguments: given }) => ({
      id,
      type: 'function',
      // Some servers parse those of earlier calls, and refuse the whole request for what is no object.
      function: { name, arguments: readArguments(given) === null ? '{}' : given },
    })),
  };
};
