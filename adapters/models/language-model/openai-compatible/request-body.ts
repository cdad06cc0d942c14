import type { ModelMessage, ModelRequest } from '../../../../application/ports/language-model.ts';
import { readArguments } from '../provider/surrogate-joiner.ts';

/** Most servers know the older name; OpenAI's newer models refuse it. */
export type OutputLimitName = 'max_tokens' | 'max_completion_tokens';

export interface Dialect {
  readonly model: string;
  readonly limitName: OutputLimitName;
  /** Whether to request the usage: some servers refuse the field. */
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
    // Null, not '': some servers refuse an empty text next to calls.
    content: content === '' ? null : content,
    tool_calls: calls.map(({ id, name, arguments: given }) => ({
      id,
      type: 'function',
      // Some servers parse the arguments of earlier calls, and refuse the whole request if they are not an object.
      function: { name, arguments: readArguments(given) === null ? '{}' : given },
    })),
  };
};

/** An invalid configuration. The message names the setting by its role and contains no secret. */
class InvalidProviderSettings extends Error {
  override readonly name = 'InvalidProviderSettings';
}

/**
 * The URL of chat completions: `/chat/completions` below the base URL, whose query is kept.
 *
 * @throws {InvalidProviderSettings}
 */
export const completionsUrl = (baseUrl: string): URL => {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InvalidProviderSettings(
      'the base URL of the language model must begin with http:// or https://',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new InvalidProviderSettings(
      'the base URL of the language model must not contain credentials: set the API key separately',
    );
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
  url.hash = '';
  return url;
};

/**
 * @throws {InvalidProviderSettings} for a key that is not a valid header value, for example with a line break at its
 * end
 */
export const authorization = (apiKey: string | undefined): { readonly authorization?: string } => {
  if (apiKey === undefined) return {};
  if (!/^[\u0021-\u007e]+$/.test(apiKey)) {
    throw new InvalidProviderSettings(
      'the API key of the language model is empty or contains spaces, line breaks or non-ASCII characters',
    );
  }
  return { authorization: `Bearer ${apiKey}` };
};
