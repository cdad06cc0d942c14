import type { RunModel } from '../application/agents/loop/ask-model.ts';
import type { PrepareDeps } from '../application/agents/loop/prepare.ts';
import type { ModelOffer } from '../application/answers/completions/model-choice.ts';
import { tracedLanguageModel } from '../adapters/telemetry/traced-language-model.ts';
import type { Provider } from '../domain/agent-run/terms.ts';
import type { AgentsConfig } from './agents-config.ts';
import { createLanguageModels } from './language-model.ts';

/** The models of runs. */
export interface RunModels {
  readonly modelOf: PrepareDeps['modelOf'];
  /** Ends all requests of the models that were made here; the default is not one of them. */
  readonly close: () => Promise<void>;
}

/** @param offer of completions: its first model answers where a run names no provider */
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
