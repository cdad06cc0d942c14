import type { AwsCredentials, ProviderSettings } from '../adapters/models/language-model/ai-sdk/providers.ts';
import { ConfigError, decimal, type Environment, integer, list, matching, oneOf } from './environment.ts';
import { baseUrl, MODEL_NAME, modelName, secret } from './provider-variables.ts';

interface OfEveryModel {
  /** Answers where a request names none. */
  readonly model: string;
  /** Others that a request may name. */
  readonly others: readonly string[];
  /** Of every answer; null: the models' own limits. */
  readonly maxTokens: number | null;
  readonly maxTemperature: number;
  /** What the model takes in, in tokens, its answer included. */
  readonly contextTokens: number;
}

/** A language model: behind OpenAI's interface, wherever that is, or behind the interface of its own provider. */
export type LanguageModelConfig = OfEveryModel &
  (
    | {
        readonly provider: 'openai';
        /** Base of the API, without `/chat/completions`. */
        readonly url: string;
        readonly key: string | undefined;
      }
    | { readonly provider: ProviderSettings['provider']; readonly settings: ProviderSettings }
  );

const namesOf = (of: string) => ({
  provider: `${of}_PROVIDER`,
  url: `${of}_URL`,
  model: `${of}_MODEL`,
  models: `${of}_MODELS`,
  key: `${of}_API_KEY`,
  contextTokens: `${of}_CONTEXT_TOKENS`,
  maxTokens: `${of}_MAX_TOKENS`,
  maxTemperature: `${of}_MAX_TEMPERATURE`,
});
type Names = ReturnType<typeof namesOf>;

/**
 * @param of what the names of its variables begin with
 * @throws ConfigError where something is given and something else that it needs is not
 */
export const readLanguageModel = (env: Environment, of = 'LLM'): LanguageModelConfig | undefined => {
  const names = namesOf(of);
  const provider = oneOf(env, names.provider, ['openai', 'anthropic', 'google', 'bedrock'], 'openai');
  const telling = [names.provider, names.url, names.model, names.models, names.key];
  if (telling.every((name) => !env[name])) return undefined;
  const base = baseUrl(env, names.url, names.key);
  const key = secret(env, names.key);
  const ofModel = (): OfEveryModel => readModels(env, provider, names);
  if (provider === 'openai') {
    if (base === undefined)
      throw new ConfigError(
        `${names.url} takes the base URL of the API: ${env[names.model] ? names.model : 'the rest'} alone says not where`,
      );
    if (!env[names.model])
      throw new ConfigError(`${names.model} takes the name of the model: ${names.url} alone says not which`);
    return { provider, url: base, key, ...ofModel() };
  }
  if (!env[names.model])
    throw new ConfigError(
      `${names.model} takes the name of the model: ${names.provider}=${provider} alone says not which`,
    );
  const elsewhere = base === undefined ? {} : { baseUrl: base };
  if (provider === 'bedrock')
    return { provider, settings: { ...bedrock(env, key, names), ...elsewhere }, ...ofModel() };
  if (key === undefined)
    throw new ConfigError(`${names.key} takes the key that ${names.provider}=${provider} needs`);
  return { provider, settings: { provider, apiKey: key, ...elsewhere }, ...ofModel() };
};

const readModels = (
  env: Environment,
  provider: LanguageModelConfig['provider'],
  names: Names,
): OfEveryModel => {
  const model = modelName(env, names.model);
  const contextTokens = integer(env, names.contextTokens, 32_768, 1_024, 10_000_000);
  const wrong = list(env, names.models).find((name) => !MODEL_NAME.test(name));
  if (wrong !== undefined)
    throw new ConfigError(
      `${names.models} takes names of models, separated by commas, of visible ASCII characters, not ${JSON.stringify(wrong.slice(0, 100))}`,
    );
  return {
    model,
    others: [...new Set(list(env, names.models))].filter((name) => name !== model),
    // Half of the window at least is left for what is asked.
    maxTokens: integer(env, names.maxTokens, 0, 1, Math.floor(contextTokens / 2)) || null,
    maxTemperature: decimal(env, names.maxTemperature, HOTTEST[provider], 0, HOTTEST[provider]),
    contextTokens,
  };
};

/** What the providers take. */
const HOTTEST: { readonly [Provider in LanguageModelConfig['provider']]: number } = {
  openai: 2,
  google: 2,
  anthropic: 1,
  bedrock: 1,
};

/** By the names that AWS gives them. A Bedrock API key, under either name, goes before what requests are signed with. */
const bedrock = (
  env: Environment,
  key: string | undefined,
  names: Names,
): Extract<ProviderSettings, { provider: 'bedrock' }> => {
  const named = env['AWS_REGION'] ? 'AWS_REGION' : 'AWS_DEFAULT_REGION';
  if (!env[named]) throw new ConfigError('AWS_REGION takes the region of Bedrock, such as eu-central-1');
  const region = matching(
    env,
    named,
    '',
    /^[a-z]{2,8}(-[a-z]{2,12}){1,3}-\d{1,2}$/,
    'a region, such as eu-central-1',
  );
  const apiKey = key ?? secret(env, 'AWS_BEARER_TOKEN_BEDROCK');
  return {
    provider: 'bedrock',
    region,
    credentials: apiKey === undefined ? signedWith(env, names) : { apiKey },
  };
};

const signedWith = (env: Environment, names: Names): AwsCredentials => {
  const accessKeyId = secret(env, 'AWS_ACCESS_KEY_ID');
  const secretAccessKey = secret(env, 'AWS_SECRET_ACCESS_KEY');
  const sessionToken = secret(env, 'AWS_SESSION_TOKEN');
  if (accessKeyId !== undefined && secretAccessKey !== undefined)
    return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  throw new ConfigError(
    `${names.key} takes the Bedrock API key that ${names.provider}=bedrock needs, where AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not both set: profiles and roles are not looked up`,
  );
};
