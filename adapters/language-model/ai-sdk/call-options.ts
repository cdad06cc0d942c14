import type { ModelRequest } from '../../../application/ports/language-model.ts';
import type { SdkPrompt, SdkRequest } from './sdk-model.ts';

/**
 * A request as the SDK's models take it. Instructions hold for all of the conversation and come first, as one: the
 * providers refuse others. So do they blank messages, and a conversation that begins with an answer, as one has whose
 * eldest question was left out: neither is sent.
 */
export const callOptions = ({
  messages,
  maxOutputTokens,
  temperature,
  responseSchema,
}: ModelRequest): Omit<SdkRequest, 'abortSignal'> => {
  const said = messages.filter(({ content }) => content.trim() !== '');
  const system = said.filter(({ role }) => role === 'system').map(({ content }) => content);
  const turns = said.filter(({ role }) => role !== 'system');
  const first = turns.findIndex(({ role }) => role === 'user');
  const prompt: SdkPrompt = turns.slice(Math.max(0, first)).map(({ role, content }) => ({
    role: role === 'assistant' ? 'assistant' : 'user',
    content: [{ type: 'text', text: content }],
  }));
  return {
    prompt: system.length === 0 ? prompt : [{ role: 'system', content: system.join('\n\n') }, ...prompt],
    includeRawChunks: true,
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(responseSchema !== undefined && {
      responseFormat: { type: 'json', name: 'answer', schema: responseSchema },
    }),
  };
};
