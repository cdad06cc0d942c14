import { onTestFinished } from 'vitest';
import {
  createAiSdkModel,
  type AiSdkOptions,
} from '../../../../../adapters/models/language-model/ai-sdk/language-model.ts';
import { anthropicInterface } from '../../../../support/model-interfaces/anthropic.ts';
import { bedrockInterface } from '../../../../support/model-interfaces/bedrock.ts';
import { googleInterface } from '../../../../support/model-interfaces/google.ts';
import { says, type ModelInterface } from '../../../../support/model-interfaces/interface.ts';
import { openModelProvider } from '../../../../support/model-provider.ts';
import { asking } from '../asking.ts';

export const INTERFACES = [anthropicInterface, googleInterface, bedrockInterface].map(
  (wire): [string, ModelInterface] => [wire.name, wire],
);
export { never, REQUEST } from '../asking.ts';

/** A model of a provider on loopback, which does not wait between tries; closed when the test ends. */
export const open = async (wire: ModelInterface, options: Partial<AiSdkOptions> = {}) => {
  const provider = await openModelProvider();
  provider.otherwise = says(wire, 'An answer from the passages [1].', '{"answer": "birds"}');
  const slept: number[] = [];
  const model = createAiSdkModel({
    settings: wire.settings(provider.baseUrl),
    model: wire.model,
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
