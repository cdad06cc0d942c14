import { onTestFinished } from 'vitest';
import {
  createOpenAiCompatibleModel,
  type OpenAiCompatibleOptions,
} from '../../../../../adapters/models/language-model/openai-compatible/language-model.ts';
import { openModelProvider } from '../../../../support/model-provider.ts';
import { asking } from '../asking.ts';

export const KEY = 'sk-secret-0123456789abcdef';
export { never, REQUEST } from '../asking.ts';

/** A model of a provider on loopback, which does not wait between tries; closed when the test ends. */
export const open = async (options: Partial<OpenAiCompatibleOptions> = {}) => {
  const provider = await openModelProvider();
  const slept: number[] = [];
  const model = createOpenAiCompatibleModel({
    baseUrl: provider.baseUrl,
    apiKey: KEY,
    model: 'a-model',
    contextWindow: 8_000,
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      slept.push(ms);
    },
    random: () => 0,
    ...options,
  });
  onTestFinished(async () => {
    await model.close();
    await provider.close();
  });
  return { provider, model, slept, ...asking(model) };
};
