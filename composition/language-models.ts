import { createAiSdkModel } from '../adapters/models/language-model/ai-sdk/language-model.ts';
import { createExtractiveModel } from '../adapters/models/language-model/extractive/language-model.ts';
import { createOpenAiCompatibleModel } from '../adapters/models/language-model/openai-compatible/language-model.ts';
import type { ConnectedLanguageModel } from '../adapters/models/language-model/provider/connection.ts';
import { tracedLanguageModel } from '../adapters/telemetry/traced-providers.ts';
import type { RunModel } from '../application/agents/loop/ask-model.ts';
import type { PrepareDeps } from '../application/agents/loop/prepare.ts';
import type { ModelOffer } from '../application/answers/completions/model-choice.ts';
import { estimateTokens } from '../application/answers/completions/prompt.ts';
import type { Provider } from '../domain/agent-run/terms.ts';
import type { AgentsConfig } from './config/agents.ts';
import type { LanguageModelConfig } from './config/models.ts';

export type LanguageModels = readonly [ConnectedLanguageModel, ...ConnectedLanguageModel[]];

/** The configured models, the default first; without any, the one that answers with sentences from the contents. */
export const createLanguageModels = (chosen: LanguageModelConfig | undefined): LanguageModels => {
  if (chosen === undefined) return [{ ...createExtractiveModel(estimateTokens), close: async () => {} }];
  const others = chosen.others.map((name) => createLanguageModel(chosen, name));
  return [createLanguageModel(chosen, chosen.model), ...others];
};

/** The models that requests may choose. */
export const offerOf = (models: LanguageModels, chosen: LanguageModelConfig | undefined): ModelOffer => ({
  models,
  isConfigured: chosen !== undefined,
  maxTokens: chosen?.maxTokens ?? null,
  maxTemperature: chosen?.maxTemperature ?? 0,
});

const createLanguageModel = (chosen: LanguageModelConfig, model: string): ConnectedLanguageModel => {
  const { contextTokens: contextWindow } = chosen;
  if (!('url' in chosen)) return createAiSdkModel({ settings: chosen.settings, model, contextWindow });
  const { url, key } = chosen;
  return createOpenAiCompatibleModel({
    baseUrl: url,
    model,
    contextWindow,
    ...(key !== undefined && { apiKey: key }),
  });
};

/** The models of agent runs. */
export interface RunModels {
  readonly modelOf: PrepareDeps['modelOf'];
  /** Aborts all requests of the models that were made here; the default is not one of them. */
  readonly close: () => Promise<void>;
}

/** @param offer models of completions; its first model serves runs that name no provider */
export const createRunModels = (
  { providers, price }: Pick<AgentsConfig, 'providers' | 'price'>,
  offer: ModelOffer,
): RunModels => {
  const opened = Object.entries(providers).map(([name, provider]) => {
    const [model] = createLanguageModels(provider.model);
    const { maxTokens } = provider.model;
    return [
      name as Provider,
      { model: tracedLanguageModel(model), maxTokens, price: provider.price },
    ] as const;
  });
  const models = new Map<Provider, RunModel>(opened);
  const usual: RunModel = { model: offer.models[0], maxTokens: offer.maxTokens, price };
  return {
    modelOf: (provider) => (provider === null ? usual : models.get(provider)),
    close: async () => void (await Promise.all(opened.map(([, { model }]) => model.close()))),
  };
};
