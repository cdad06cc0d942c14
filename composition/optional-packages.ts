import { AgentCorePackageMissing, checkAgentCore } from '../adapters/models/agent-core/agent-runtime.ts';
import { checkModelPackages, ModelPackagesMissing } from '../adapters/local-model/packages.ts';
import { checkProvider, ProviderPackageMissing } from '../adapters/models/language-model/ai-sdk/providers.ts';
import type { Config } from './config/config.ts';
import { ConfigError } from './config/environment.ts';
import type { LanguageModelConfig } from './config/models.ts';
import { installed } from './local-models.ts';

/**
 * Refuses features whose packages are not installed, and local models that are missing or have another task, before
 * anything starts. Only processes that serve searches or embed documents need local models.
 *
 * @throws ConfigError
 */
export const checkOptionalPackages = async (config: Config): Promise<void> => {
  const { agents, embeddings, languageModel, rerank, roles } = config;
  const providers = Object.values(agents.providers).map(({ model }) => model);
  for (const model of [...(roles.has('api') ? [languageModel] : []), ...providers])
    await checkLanguageModel(model);
  if (agents.runtime !== null)
    await checkAgentCore().catch(asConfigError('KNOWLEDGER_AGENT_RUNTIME_ARNS', AgentCorePackageMissing));
  const embeds = roles.has('api') || roles.has('worker');
  if (embeds && embeddings !== undefined && 'local' in embeddings)
    checkLocalModel(config, embeddings.local, 'EMBEDDINGS');
  if (roles.has('api') && rerank !== undefined && 'local' in rerank)
    checkLocalModel(config, rerank.local, 'RERANK');
};

const asConfigError =
  (variable: string, missing: new (...args: never) => Error) =>
  (error: unknown): never => {
    throw error instanceof missing ? new ConfigError(`${variable} cannot be used: ${error.message}`) : error;
  };

const checkLanguageModel = async (chosen: LanguageModelConfig | undefined): Promise<void> => {
  if (chosen === undefined || 'url' in chosen) return;
  const variable = `LLM_PROVIDER=${chosen.provider}`;
  await checkProvider(chosen.settings).catch(asConfigError(variable, ProviderPackageMissing));
};

const checkLocalModel = (config: Config, name: string, kind: 'EMBEDDINGS' | 'RERANK'): void => {
  try {
    checkModelPackages();
  } catch (error) {
    asConfigError(`${kind}_MODEL=local:${name}`, ModelPackagesMissing)(error);
  }
  installed(config, name, kind);
};
