import type { ModelRequest } from '../../../application/ports/language-model.ts';

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
  const { messages, maxOutputTokens, temperature, responseSchema } = request;
  return JSON.stringify({
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
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
