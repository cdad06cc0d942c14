import { createAiSdkModel } from '../adapters/models/language-model/ai-sdk/language-model.ts';
import { checkProvider, ProviderPackageMissing } from '../adapters/models/language-model/ai-sdk/providers.ts';
import { createExtractiveModel } from '../adapters/models/language-model/extractive/language-model.ts';
import { createOpenAiCompatibleModel } from '../adapters/models/language-model/openai-compatible/language-model.ts';
import type { ConnectedLanguageModel } from '../adapters/models/language-model/provider/connected-language-model.ts';
import type { ModelOffer } from '../application/answers/completions/model-choice.ts';
import { estimateTokens } from '../application/answers/completions/prompt.ts';
import { ConfigError } from './environment.ts';
import type { LanguageModelConfig } from './language-model-config.ts';

export type LanguageModels = readonly [ConnectedLanguageModel, ...ConnectedLanguageModel[]];

/** The models that are configured, the default first; where none is, what answers with sentences of the contents. */
export const createLanguageModels = (chosen: LanguageModelConfig | undefined): LanguageModels => {
  if (chosen === undefined) return [{ ...createExtractiveModel(estimateTokens), close: async () => {} }];
  const others = chosen.others.map((name) => createLanguageModel(chosen, name));
  return [createLanguageModel(chosen, chosen.model), ...others];
};

/** What requests may choose of them. */
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

/**
 * Refuses a provider whose package is not installed, before anything is started.
 *
 * @throws ConfigError
 */
export const checkLanguageModel = async (chosen: LanguageModelConfig | undefined): Promise<void> => {
  if (chosen === undefined || 'url' in chosen) return;
  try {
    await checkProvider(chosen.settings);
  } catch (error) {
    if (!(error instanceof ProviderPackageMissing)) throw error;
    throw new ConfigError(`LLM_PROVIDER=${chosen.provider} cannot be used: ${error.message}`);
  }
};
