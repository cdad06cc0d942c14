import { onTestFinished } from 'vitest';
import {
  createAiSdkModel,
  type AiSdkOptions,
} from '../../../../adapters/models/language-model/ai-sdk/language-model.ts';
import {
  createOpenAiCompatibleModel,
  type OpenAiCompatibleOptions,
} from '../../../../adapters/models/language-model/openai-compatible/language-model.ts';
import type { ModelEvent, ModelRequest } from '../../../../application/ports/language-model.ts';
import { anthropicInterface } from '../../../support/model-interfaces/anthropic.ts';
import { bedrockInterface } from '../../../support/model-interfaces/bedrock.ts';
import { googleInterface } from '../../../support/model-interfaces/google.ts';
import { says, type ModelInterface } from '../../../support/model-interfaces/interface.ts';
import { openAiInterface } from '../../../support/model-interfaces/openai.ts';
import { openModelProvider } from '../../../support/model-provider.ts';
import { eventsOf, textOf } from '../../contracts/language-model.ts';

const SDK = [anthropicInterface, googleInterface, bedrockInterface];
/** Those that the AI SDK knows, by name. */
export const SDK_INTERFACES = SDK.map((wire) => [wire.name, wire] as const);
export const INTERFACES: readonly (readonly [string, ModelInterface])[] = [
  ...SDK_INTERFACES,
  [openAiInterface.name, openAiInterface],
];
export const REQUEST: ModelRequest = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Say something.' },
  ],
};
export const never = (): AbortSignal => new AbortController().signal;

type Options = Partial<Omit<AiSdkOptions & OpenAiCompatibleOptions, 'settings'>> &
  Partial<Pick<AiSdkOptions, 'settings'>>;

export const createModel = (wire: ModelInterface, baseUrl: string, options: Options = {}) => {
  const sdk = SDK.find(({ name }) => name === wire.name);
  const common = { model: wire.model, contextWindow: 8_000, ...options };
  return sdk === undefined
    ? createOpenAiCompatibleModel({ baseUrl, apiKey: wire.secret, beginning: 'answer', ...common })
    : createAiSdkModel({ settings: sdk.settings(baseUrl), ...common });
};

/** A model of a provider on loopback, which does not wait between tries; closed when the test ends. */
export const open = async (wire: ModelInterface, options: Options = {}) => {
  const provider = await openModelProvider();
  provider.otherwise = says(wire, 'An answer from the passages [1].', '{"answer": "birds"}');
  const slept: number[] = [];
  const model = createModel(wire, options.baseUrl ?? provider.baseUrl, {
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
  return {
    provider,
    model,
    slept,
    ask: (more: Partial<ModelRequest> = {}): Promise<ModelEvent[]> =>
      eventsOf(model.stream({ ...REQUEST, ...more }, never())),
    /** The error, and what was said before it. */
    fail: async (signal = never()): Promise<{ error: Error; said: string }> => {
      const said: ModelEvent[] = [];
      try {
        for await (const one of model.stream(REQUEST, signal)) said.push(one);
      } catch (error) {
        return { error: error as Error, said: textOf(said) };
      }
      throw new Error('it answered');
    },
  };
};
