import type { ModelRequest } from '../../../application/ports/language-model.ts';

/** The older name is what most servers know; OpenAI's newer models refuse it. */
export type OutputLimitName = 'max_tokens' | 'max_completion_tokens';

/** The body of POST /chat/completions. */
export const requestBody = (model: string, limitName: OutputLimitName, request: ModelRequest): string => {
  const { messages, maxOutputTokens, temperature, responseSchema } = request;
  return JSON.stringify({
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    stream: true,
    stream_options: { include_usage: true },
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
