import { describe, expect, it } from 'vitest';
import { readConfig } from '../../composition/config/config.ts';
import { ConfigError } from '../../composition/config/environment.ts';
import { createLanguageModels, offerOf } from '../../composition/language-models.ts';

type Env = { readonly [name: string]: string };
const read = (env: Env) => () => readConfig(env, true);
const languageModel = (env: Env) => read(env)().languageModel;

const OPENAI = { LLM_URL: 'https://models.example/v1', LLM_MODEL: 'small' };
const ANTHROPIC = { LLM_PROVIDER: 'anthropic', LLM_MODEL: 'claude-sonnet-4-5', LLM_API_KEY: 'sk-ant-1' };
const GOOGLE = { LLM_PROVIDER: 'google', LLM_MODEL: 'gemini-2.5-flash', LLM_API_KEY: 'AIza-1' };
const SIGNED = { AWS_ACCESS_KEY_ID: 'AKIA1', AWS_SECRET_ACCESS_KEY: 'aws-secret' };
const BEDROCK = { LLM_PROVIDER: 'bedrock', LLM_MODEL: 'amazon.nova-lite-v1:0', AWS_REGION: 'eu-central-1' };

/** What nothing is said of. */
const ALONE = { others: [], maxTokens: null, maxTemperature: 2, contextTokens: 32_768 };

describe('the configuration of a language model', () => {
  it('is none by default, whatever else is set for AWS', () => {
    expect(languageModel({ ...SIGNED, AWS_REGION: 'eu-central-1' })).toBe(undefined);
    expect(offerOf(createLanguageModels(undefined), undefined).isConfigured).toBe(false);
  });

  it('is behind an interface of OpenAI where no provider is named', () => {
    const chosen = { provider: 'openai', url: OPENAI.LLM_URL, model: 'small', key: undefined, ...ALONE };
    expect(languageModel(OPENAI)).toEqual(chosen);
    expect(languageModel({ ...OPENAI, LLM_PROVIDER: 'openai' })).toEqual(chosen);
  });

  it('is a provider with a key and a model, and another address where one is given', () => {
    expect(languageModel(ANTHROPIC)).toEqual({
      provider: 'anthropic',
      settings: { provider: 'anthropic', apiKey: 'sk-ant-1' },
      model: 'claude-sonnet-4-5',
      ...ALONE,
      maxTemperature: 1,
    });
    const url = 'https://gateway.example/gemini';
    expect(languageModel({ ...GOOGLE, LLM_URL: url, LLM_CONTEXT_TOKENS: '1000000' })).toMatchObject({
      settings: { provider: 'google', apiKey: 'AIza-1', baseUrl: url },
      contextTokens: 1_000_000,
    });
  });

  it('is Bedrock by the names of AWS, or by a key', () => {
    const of = (env: Env): unknown => languageModel({ ...BEDROCK, ...env });
    const credentials = { accessKeyId: 'AKIA1', secretAccessKey: 'aws-secret' };
    const settings = { provider: 'bedrock', region: 'eu-central-1', credentials };
    expect(of(SIGNED)).toMatchObject({ provider: 'bedrock', settings });
    expect(of({ ...SIGNED, AWS_SESSION_TOKEN: 'a-token' })).toMatchObject({
      settings: { credentials: { ...credentials, sessionToken: 'a-token' } },
    });
    const byKey = { settings: { credentials: { apiKey: 'a-key' } } };
    expect(of({ LLM_API_KEY: 'a-key', AWS_BEARER_TOKEN_BEDROCK: 'another' })).toMatchObject(byKey);
    expect(of({ ...SIGNED, AWS_BEARER_TOKEN_BEDROCK: 'a-key' })).toMatchObject(byKey);
    expect(of({ ...SIGNED, AWS_REGION: '', AWS_DEFAULT_REGION: 'us-gov-west-1' })).toMatchObject({
      settings: { region: 'us-gov-west-1' },
    });
  });

  it('offers the models, the tokens and the temperature that it names, each model once', async () => {
    const chosen = languageModel({
      ...OPENAI,
      LLM_MODELS: 'large, small,large',
      LLM_MAX_TOKENS: '900',
      LLM_MAX_TEMPERATURE: '0.7',
    });
    const models = createLanguageModels(chosen);
    const offer = offerOf(models, chosen);
    expect(offer.models.map(({ name }) => name)).toEqual(['small', 'large']);
    expect(offer).toMatchObject({ isConfigured: true, maxTokens: 900, maxTemperature: 0.7 });
    await Promise.all(models.map((model) => model.close()));
  });

  it.each<[string, Env]>([
    ['LLM_URL', { LLM_MODELS: 'large' }],
    ['LLM_MODELS', { ...OPENAI, LLM_MODELS: 'large,extra large' }],
    ['LLM_MAX_TOKENS', { ...OPENAI, LLM_MAX_TOKENS: '20000' }],
    ['LLM_MAX_TEMPERATURE', { ...OPENAI, LLM_MAX_TEMPERATURE: '2.1' }],
    ['LLM_MAX_TEMPERATURE', { ...ANTHROPIC, LLM_MAX_TEMPERATURE: '1.5' }],
    ['LLM_PROVIDER', { ...OPENAI, LLM_PROVIDER: 'OpenAI' }],
    ['LLM_URL', { LLM_PROVIDER: 'openai' }],
    ['LLM_MODEL', { LLM_URL: OPENAI.LLM_URL }],
    ['LLM_MODEL', { ...ANTHROPIC, LLM_MODEL: '' }],
    ['LLM_API_KEY', { ...ANTHROPIC, LLM_API_KEY: '' }],
    ['LLM_API_KEY', { ...GOOGLE, LLM_API_KEY: 'a secret' }],
    ['LLM_PRICE_OUTPUT', { ...OPENAI, LLM_PRICE_INPUT: '1' }],
    ['AWS_REGION', { ...BEDROCK, ...SIGNED, AWS_REGION: '' }],
    ['AWS_REGION', { ...BEDROCK, ...SIGNED, AWS_REGION: 'evil.example/' }],
    ['LLM_API_KEY', BEDROCK],
    ['AWS_SECRET_ACCESS_KEY', { ...BEDROCK, AWS_ACCESS_KEY_ID: 'AKIA1' }],
    ['AWS_SECRET_ACCESS_KEY', { ...BEDROCK, ...SIGNED, AWS_SECRET_ACCESS_KEY: 'a secret' }],
  ])('names %s where %j cannot work, and tells no secret', (name, env) => {
    expect(read(env)).toThrow(ConfigError);
    expect(read(env)).toThrow(name);
    expect(read(env)).not.toThrow(/a secret/);
  });
});

describe.each(['LLM', 'EMBEDDINGS', 'RERANK', 'TRANSCRIPTION', 'WEB_SEARCH'])('the variables of %s', (of) => {
  const url = 'https://models.example/v1';
  const whole = { [`${of}_URL`]: url, ...(of !== 'WEB_SEARCH' && { [`${of}_MODEL`]: 'small' }) };

  it.each(['https://me:sk-secret@models.example/v1', `${url}?key=sk-secret`, `${url}#sk-secret`])(
    'take no address like %s, and say where the key goes',
    (address) => {
      expect(read({ ...whole, [`${of}_URL`]: address })).toThrow(
        new ConfigError(`${of}_URL takes no credentials and no query: set ${of}_API_KEY`),
      );
    },
  );

  it.each([
    ['spaces', 'sk secret'],
    ['a line feed', 'sk-secret\n'],
    ['other characters', 'sk-größer'],
    ['4,001 characters', 's'.repeat(4_001)],
  ])('take no key with %s', (_, key) => {
    expect(read({ ...whole, [`${of}_API_KEY`]: key })).toThrow(
      new ConfigError(`${of}_API_KEY takes visible ASCII characters without spaces`),
    );
  });

  it('take an address and a key, and no key without an address', () => {
    expect(read({ ...whole, [`${of}_API_KEY`]: 's'.repeat(4_000) })).not.toThrow();
    expect(read({ [`${of}_API_KEY`]: 'sk-secret' })).toThrow(`${of}_URL takes the base URL of`);
    expect(read({ [`${of}_API_KEY`]: 'sk-secret' })).not.toThrow(/sk-secret/);
  });
});

it('what is configured is found, and nothing where nothing is', () => {
  const url = 'https://models.example/v1';
  const { embeddings, rerank, transcription, webSearch } = read({})();
  expect([embeddings, rerank, transcription, webSearch]).toEqual(Array.from({ length: 4 }));
  const all = read({
    EMBEDDINGS_URL: url,
    EMBEDDINGS_MODEL: 'small',
    RERANK_URL: url,
    TRANSCRIPTION_URL: url,
    WEB_SEARCH_URL: url,
    WEB_SEARCH_API_KEY: 'sk-1',
  })();
  expect(all).toMatchObject({
    embeddings: { url, model: 'small', key: undefined },
    rerank: { url, model: undefined, key: undefined },
    transcription: { url, model: 'whisper-1' },
    webSearch: { url, key: 'sk-1' },
  });
  expect(read({ EMBEDDINGS_URL: url })).toThrow('EMBEDDINGS_MODEL takes the name of the model');
  expect(read({ TRANSCRIPTION_URL: url, KNOWLEDGER_FFMPEG: 'ffmpeg' })).toThrow('KNOWLEDGER_FFMPEG');
});

describe.each(['EMBEDDINGS', 'RERANK'] as const)('a model of this machine for %s', (kind) => {
  const named = (model: string, env: Env = {}) => read({ [`${kind}_MODEL`]: model, ...env });

  it('is named as hubs name it', () => {
    const { embeddings, rerank } = named('local:Xenova/multilingual-e5-small')();
    expect(kind === 'RERANK' ? rerank : embeddings).toEqual({ local: 'Xenova/multilingual-e5-small' });
  });

  it.each(['local:', 'local:../up', 'local:a/b/c', 'local:/etc'])('is not named %s', (name) => {
    expect(named(name)).toThrow(new RegExp(`^${kind}_MODEL takes local:<name>`));
  });

  it.each(['URL', 'API_KEY'])('has no %s', (other) => {
    const env = { [`${kind}_${other}`]: 'https://models.example/v1' };
    expect(named('local:small', env)).toThrow(`which has no ${kind}_${other}`);
  });
});
