import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../composition/config.ts';
import { createLanguageModels, offerOf } from '../../composition/language-model.ts';
import { readLanguageModel } from '../../composition/language-model-config.ts';

type Env = { readonly [name: string]: string };
const OPENAI = { LLM_URL: 'https://models.example/v1', LLM_MODEL: 'small' };
const ANTHROPIC = { LLM_PROVIDER: 'anthropic', LLM_MODEL: 'claude-sonnet-4-5', LLM_API_KEY: 'sk-ant-1' };
const GOOGLE = { LLM_PROVIDER: 'google', LLM_MODEL: 'gemini-2.5-flash', LLM_API_KEY: 'AIza-1' };
const SIGNED = { AWS_ACCESS_KEY_ID: 'AKIA1', AWS_SECRET_ACCESS_KEY: 'aws-secret' };
const BEDROCK = { LLM_PROVIDER: 'bedrock', LLM_MODEL: 'amazon.nova-lite-v1:0', AWS_REGION: 'eu-central-1' };

/** What nothing is said of. */
const ALONE = { others: [], maxTokens: null, maxTemperature: 2, contextTokens: 32_768 };

describe('the configuration of a language model', () => {
  it('is none by default, whatever else is set for AWS', () => {
    expect(readLanguageModel({ ...SIGNED, AWS_REGION: 'eu-central-1' })).toBe(undefined);
    expect(offerOf(createLanguageModels(undefined), undefined).isConfigured).toBe(false);
  });

  it('is behind an interface of OpenAI where no provider is named', () => {
    const chosen = {
      provider: 'openai',
      url: OPENAI.LLM_URL,
      model: 'small',
      key: undefined,
      ...ALONE,
    };
    expect(readLanguageModel(OPENAI)).toEqual(chosen);
    expect(readLanguageModel({ ...OPENAI, LLM_PROVIDER: 'openai' })).toEqual(chosen);
  });

  it('is a provider with a key and a model, and another address where one is given', () => {
    expect(readLanguageModel(ANTHROPIC)).toEqual({
      provider: 'anthropic',
      settings: { provider: 'anthropic', apiKey: 'sk-ant-1' },
      model: 'claude-sonnet-4-5',
      ...ALONE,
      maxTemperature: 1,
    });
    const url = 'https://gateway.example/gemini';
    expect(readLanguageModel({ ...GOOGLE, LLM_URL: url, LLM_CONTEXT_TOKENS: '1000000' })).toMatchObject({
      settings: { provider: 'google', apiKey: 'AIza-1', baseUrl: url },
      contextTokens: 1_000_000,
    });
  });

  it('is Bedrock by the names of AWS, or by a key', () => {
    const of = (env: Env): unknown => readLanguageModel({ ...BEDROCK, ...env });
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
    const chosen = readLanguageModel({
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
    ['LLM_MAX_TOKENS', { ...OPENAI, LLM_MAX_TOKENS: '0' }],
    ['LLM_MAX_TEMPERATURE', { ...OPENAI, LLM_MAX_TEMPERATURE: '2.1' }],
    ['LLM_MAX_TEMPERATURE', { ...ANTHROPIC, LLM_MAX_TEMPERATURE: '1.5' }],
    ['LLM_MAX_TEMPERATURE', { ...OPENAI, LLM_MAX_TEMPERATURE: '-1' }],
    ['LLM_PROVIDER', { ...OPENAI, LLM_PROVIDER: 'OpenAI' }],
    ['LLM_URL', { LLM_PROVIDER: 'openai' }],
    ['LLM_URL', { LLM_MODEL: 'small' }],
    ['LLM_MODEL', { LLM_URL: OPENAI.LLM_URL }],
    ['LLM_MODEL', { ...OPENAI, LLM_MODEL: 'two words' }],
    ['LLM_MODEL', { ...ANTHROPIC, LLM_MODEL: '' }],
    ['LLM_API_KEY', { ...ANTHROPIC, LLM_API_KEY: '' }],
    ['LLM_API_KEY', { ...GOOGLE, LLM_API_KEY: 'a secret' }],
    ['LLM_URL', { ...GOOGLE, LLM_URL: 'https://me:secret@gateway.example' }],
    ['LLM_URL', { ...GOOGLE, LLM_URL: 'https://gateway.example/?key=secret' }],
    ['LLM_CONTEXT_TOKENS', { ...GOOGLE, LLM_CONTEXT_TOKENS: '1e6' }],
    ['AWS_REGION', { ...BEDROCK, ...SIGNED, AWS_REGION: '' }],
    ['AWS_REGION', { ...BEDROCK, ...SIGNED, AWS_REGION: 'evil.example/' }],
    ['LLM_API_KEY', BEDROCK],
    ['AWS_SECRET_ACCESS_KEY', { ...BEDROCK, AWS_ACCESS_KEY_ID: 'AKIA1' }],
    ['AWS_SECRET_ACCESS_KEY', { ...BEDROCK, ...SIGNED, AWS_SECRET_ACCESS_KEY: 'a secret' }],
  ])('names %s where %j cannot work, and tells no secret', (name, env) => {
    const read = (): unknown => readLanguageModel(env);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(name);
    expect(read).not.toThrow(/a secret|me:secret|key=secret/);
  });
});
