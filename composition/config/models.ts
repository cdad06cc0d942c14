import type {
  AwsCredentials,
  ProviderSettings,
} from '../../adapters/models/language-model/ai-sdk/providers.ts';
import {
  ConfigError,
  decimal,
  type Environment,
  integer,
  listOf,
  matching,
  oneOf,
  readVariable,
  readVariables,
  secret,
  text,
} from './environment.ts';
import { findFfmpeg } from './machine.ts';
import { type Given, MODEL_NAME, modelName, providerUrl } from './variables.ts';

interface OfEveryModel {
  /** The default model. */
  readonly model: string;
  /** Other models that a request may name. */
  readonly others: readonly string[];
  /** Token limit of every answer; null for the models' own limits. */
  readonly maxTokens: number | null;
  readonly maxTemperature: number;
  /** The model's context window in tokens, including its answer. */
  readonly contextTokens: number;
}

/** A language model with OpenAI's API at any address, or with the API of its own provider. */
export type LanguageModelConfig = OfEveryModel &
  (
    | {
        readonly provider: 'openai';
        /** Base URL of the API, without `/chat/completions`. */
        readonly url: string;
        readonly key: string | undefined;
      }
    | { readonly provider: ProviderSettings['provider']; readonly settings: ProviderSettings }
  );

type ProviderName = LanguageModelConfig['provider'];

/** Price per million tokens, in the operator's currency. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

const MAX_PRICE = 1_000_000;

/** Variables of a language model, after the prefix `LLM_` or the prefix of an agent provider. */
export const LANGUAGE_MODEL = {
  PROVIDER: oneOf(['openai', 'anthropic', 'google', 'bedrock']),
  URL: providerUrl,
  MODEL: modelName,
  MODELS: listOf(
    (item) => MODEL_NAME.test(item),
    (name, wrong) =>
      `${name} takes names of models, separated by commas, of visible ASCII characters, not ${wrong}`,
  ),
  API_KEY: secret,
  CONTEXT_TOKENS: integer(1_024, 10_000_000, 32_768),
  // The valid values of these two depend on other variables.
  MAX_TOKENS: text,
  MAX_TEMPERATURE: text,
  PRICE_INPUT: decimal(0, MAX_PRICE),
  PRICE_OUTPUT: decimal(0, MAX_PRICE),
};

/**
 * @param prefix prefix of the variable names
 * @throws ConfigError when a variable is set without another one that it needs
 */
export const readLanguageModel = (env: Environment, prefix = 'LLM_'): LanguageModelConfig | undefined => {
  const given = readVariables(env, LANGUAGE_MODEL, prefix);
  const { PROVIDER: provider = 'openai', URL: base, MODEL: model, API_KEY: key } = given;
  const isGiven = [given.PROVIDER, base, model, key].some((one) => one !== undefined);
  if (!isGiven && given.MODELS.length === 0) return undefined;
  if (provider === 'openai' && base === undefined)
    throw new ConfigError(
      `${prefix}URL takes the base URL of the API: ${model === undefined ? 'the rest' : `${prefix}MODEL`} alone says not where`,
    );
  if (model === undefined) {
    const what = provider === 'openai' ? 'URL' : `PROVIDER=${provider}`;
    throw new ConfigError(
      `${prefix}MODEL takes the name of the model: ${prefix}${what} alone says not which`,
    );
  }
  const hottest = MAX_TEMPERATURE[provider];
  const ofModel: OfEveryModel = {
    model,
    others: [...new Set(given.MODELS)].filter((name) => name !== model),
    // At least half of the window is left for the prompt.
    maxTokens:
      readVariable(env, `${prefix}MAX_TOKENS`, integer(1, Math.floor(given.CONTEXT_TOKENS / 2))) ?? null,
    maxTemperature: readVariable(env, `${prefix}MAX_TEMPERATURE`, decimal(0, hottest, hottest)),
    contextTokens: given.CONTEXT_TOKENS,
  };
  if (provider === 'openai') return { provider, url: base!, key, ...ofModel };
  const elsewhere = base === undefined ? {} : { baseUrl: base };
  if (provider === 'bedrock')
    return { provider, settings: { ...bedrock(env, key, prefix), ...elsewhere }, ...ofModel };
  if (key === undefined)
    throw new ConfigError(`${prefix}API_KEY takes the key that ${prefix}PROVIDER=${provider} needs`);
  return { provider, settings: { provider, apiKey: key, ...elsewhere }, ...ofModel };
};

/** The maximum temperature of each provider. */
const MAX_TEMPERATURE: Readonly<Record<ProviderName, number>> = {
  openai: 2,
  google: 2,
  anthropic: 1,
  bedrock: 1,
};

/**
 * Uses the variable names of AWS. A Bedrock API key, under either name, takes precedence over credentials for signing.
 */
const bedrock = (
  env: Environment,
  key: string | undefined,
  prefix: string,
): Extract<ProviderSettings, { provider: 'bedrock' }> => {
  const form = /^[a-z]{2,8}(-[a-z]{2,12}){1,3}-\d{1,2}$/;
  const named = env['AWS_REGION'] ? 'AWS_REGION' : 'AWS_DEFAULT_REGION';
  const region = readVariable(env, named, matching(form, 'a region, such as eu-central-1'));
  if (region === undefined)
    throw new ConfigError('AWS_REGION takes the region of Bedrock, such as eu-central-1');
  const apiKey = key ?? readVariable(env, 'AWS_BEARER_TOKEN_BEDROCK', secret);
  return {
    provider: 'bedrock',
    region,
    credentials: apiKey === undefined ? signedWith(env, prefix) : { apiKey },
  };
};

const signedWith = (env: Environment, prefix: string): AwsCredentials => {
  const accessKeyId = readVariable(env, 'AWS_ACCESS_KEY_ID', secret);
  const secretAccessKey = readVariable(env, 'AWS_SECRET_ACCESS_KEY', secret);
  const sessionToken = readVariable(env, 'AWS_SESSION_TOKEN', secret);
  if (accessKeyId !== undefined && secretAccessKey !== undefined)
    return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  throw new ConfigError(
    `${prefix}API_KEY takes the Bedrock API key that ${prefix}PROVIDER=bedrock needs, where AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not both set: profiles and roles are not looked up`,
  );
};

/** @throws ConfigError when only one of the two prices is set */
export const readPrice = (env: Environment, prefix = 'LLM_'): Price | null => {
  const { PRICE_INPUT: input, PRICE_OUTPUT: output } = readVariables(env, LANGUAGE_MODEL, prefix);
  if (input !== undefined && output !== undefined) return { input, output };
  if (input === undefined && output === undefined) return null;
  throw new ConfigError(
    `${prefix}PRICE_INPUT and ${prefix}PRICE_OUTPUT go together: prices of a million tokens`,
  );
};

/** The name of a model on this machine. */
interface LocalModel {
  readonly local: string;
}

/** An embedding server with OpenAI's API, by its base URL. */
export type EmbeddingsServer = {
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
};
/** A server with a `/rerank` API. Undefined model: text-embeddings-inference, which serves one model. */
export type RerankServer = Omit<EmbeddingsServer, 'model'> & { readonly model: string | undefined };

const ofThisMachine = (kind: 'EMBEDDINGS' | 'RERANK', given: Given): LocalModel | undefined => {
  const model = given[`${kind}_MODEL`];
  if (typeof model !== 'object') return undefined;
  const other = ([`${kind}_URL`, `${kind}_API_KEY`] as const).find((name) => given[name] !== undefined);
  if (other === undefined) return model;
  throw new ConfigError(
    `${kind}_MODEL=local:… is a model of this machine, which has no ${other}: unset one of them`,
  );
};

/** @throws ConfigError when only one of address and model is set */
export const embeddings = (given: Given): EmbeddingsServer | LocalModel | undefined => {
  const { EMBEDDINGS_URL: base, EMBEDDINGS_MODEL: model, EMBEDDINGS_API_KEY: key } = given;
  if (typeof model === 'object') return ofThisMachine('EMBEDDINGS', given);
  if (base === undefined && model === undefined && key === undefined) return undefined;
  if (base === undefined)
    throw new ConfigError(
      'EMBEDDINGS_URL takes the base URL of the API: EMBEDDINGS_MODEL and EMBEDDINGS_API_KEY alone say not where. A model of this machine is EMBEDDINGS_MODEL=local:<name>',
    );
  if (model !== undefined) return { url: base, model, key };
  throw new ConfigError('EMBEDDINGS_MODEL takes the name of the model: EMBEDDINGS_URL alone says not which');
};

/** @throws ConfigError for a model or a key without an address */
export const rerank = (given: Given): RerankServer | LocalModel | undefined => {
  const { RERANK_URL: base, RERANK_MODEL: model, RERANK_API_KEY: key } = given;
  if (typeof model === 'object') return ofThisMachine('RERANK', given);
  if (base !== undefined) return { url: base, model, key };
  if (model === undefined && key === undefined) return undefined;
  throw new ConfigError(
    'RERANK_URL takes the base URL of the API: RERANK_MODEL and RERANK_API_KEY alone say not where. A model of this machine is RERANK_MODEL=local:<name>',
  );
};

/** A server with OpenAI's `/audio/transcriptions` API, by its base URL. @throws ConfigError without an address */
export const transcription = (given: Given, path: string | undefined) => {
  const { TRANSCRIPTION_URL: base, TRANSCRIPTION_MODEL: model, TRANSCRIPTION_API_KEY: key } = given;
  if (base !== undefined)
    return { url: base, model: model ?? 'whisper-1', key, ffmpeg: findFfmpeg(given.KNOWLEDGER_FFMPEG, path) };
  if (model === undefined && key === undefined) return undefined;
  throw new ConfigError(
    'TRANSCRIPTION_URL takes the base URL of the API: TRANSCRIPTION_MODEL and TRANSCRIPTION_API_KEY alone say not where',
  );
};
export type TranscriptionConfig = NonNullable<ReturnType<typeof transcription>>;

/** A SearXNG instance, by its base URL. @throws ConfigError for a key without an address */
export const webSearch = ({ WEB_SEARCH_URL: base, WEB_SEARCH_API_KEY: key }: Given) => {
  if (base !== undefined) return { url: base, key };
  if (key === undefined) return undefined;
  throw new ConfigError(
    'WEB_SEARCH_URL takes the base URL of a SearXNG instance: WEB_SEARCH_API_KEY alone says not where',
  );
};
