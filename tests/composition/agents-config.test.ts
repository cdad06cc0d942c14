import { describe, expect, it } from 'vitest';
import { readAgents } from '../../composition/agents-config.ts';
import { ConfigError } from '../../composition/config.ts';
import { createLanguageModels, offerOf } from '../../composition/language-model.ts';
import { createRunModels } from '../../composition/run-models.ts';

const B = { LLM_B_URL: 'https://models.example/v1', LLM_B_MODEL: 'large' };

describe('the configuration of agent runs', () => {
  it('has limits of its own, and no provider but the default one', () => {
    expect(readAgents({})).toEqual({
      providers: {},
      price: null,
      limits: { steps: 30, toolCalls: 100, ms: 900_000, tokens: 1_000_000, cost: null },
      toolServers: [],
      runtime: null,
    });
  });

  it('maps providers to models, each by variables of its own', () => {
    const { providers } = readAgents({
      ...B,
      LLM_B_PRICE_INPUT: '0.5',
      LLM_B_PRICE_OUTPUT: '2',
      LLM_A_PROVIDER: 'anthropic',
      LLM_A_MODEL: 'claude-sonnet-4-5',
      LLM_A_API_KEY: 'sk-ant-1',
    });
    expect(providers).toMatchObject({
      PROVIDER_A_DIRECT: { model: { provider: 'anthropic', model: 'claude-sonnet-4-5' }, price: null },
      PROVIDER_B: { model: { provider: 'openai', url: B.LLM_B_URL }, price: { input: 0.5, output: 2 } },
    });
    expect(Object.keys(providers)).toHaveLength(2);
  });

  it('names the variable that is wrong or missing', () => {
    const refusal = (env: Record<string, string>) => () => readAgents(env);
    expect(refusal({ LLM_C_URL: B.LLM_B_URL })).toThrow('LLM_C_MODEL takes the name of the model: LLM_C_URL');
    expect(refusal({ LLM_D_PROVIDER: 'bedrock', LLM_D_MODEL: 'x', AWS_REGION: 'eu-west-1' })).toThrow(
      'LLM_D_API_KEY takes the Bedrock API key',
    );
    expect(refusal({ ...B, LLM_B_PRICE_INPUT: '1' })).toThrow('LLM_B_PRICE_INPUT and LLM_B_PRICE_OUTPUT');
    expect(refusal({ KNOWLEDGER_AGENT_MAX_COST: '5' })).toThrow(ConfigError);
    expect(refusal({ KNOWLEDGER_AGENT_MAX_SECONDS: '4000' })).toThrow('KNOWLEDGER_AGENT_MAX_SECONDS');
  });

  it('limits what a run costs where there are prices', () => {
    const env = { LLM_PRICE_INPUT: '1', LLM_PRICE_OUTPUT: '4', KNOWLEDGER_AGENT_MAX_COST: '0.25' };
    expect(readAgents(env)).toMatchObject({ price: { input: 1, output: 4 }, limits: { cost: 250_000 } });
  });
});

describe('the runtimes of runs', () => {
  const ARN = 'arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/a';
  const read = (env: Record<string, string>) => readAgents(env).runtime;

  it('are those that are listed, asked as is set', () => {
    expect(read({ KNOWLEDGER_AGENT_RUNTIME_ARNS: `${ARN}, ${ARN}b` })).toEqual({
      arns: [ARN, `${ARN}b`],
      client: {},
      silenceMs: 300_000,
    });
    const more = {
      KNOWLEDGER_AGENT_RUNTIME_URL: 'https://runtimes.example',
      KNOWLEDGER_AGENT_RUNTIME_REGION: 'eu-west-1',
      KNOWLEDGER_AGENT_RUNTIME_QUALIFIER: 'prod',
      KNOWLEDGER_AGENT_RUNTIME_SILENCE_SECONDS: '20',
    };
    expect(read({ KNOWLEDGER_AGENT_RUNTIME_ARNS: ARN, ...more })).toEqual({
      arns: [ARN],
      client: { endpoint: 'https://runtimes.example', region: 'eu-west-1', qualifier: 'prod' },
      silenceMs: 20_000,
    });
  });

  it.each([
    [{ ARNS: 'runtime/a' }, 'KNOWLEDGER_AGENT_RUNTIME_ARNS takes ARNs'],
    [{ REGION: 'eu-west-1' }, 'KNOWLEDGER_AGENT_RUNTIME_REGION alone says not which'],
    [{ ARNS: ARN, URL: 'https://jo:hunter2@runtimes.example' }, 'takes no credentials'],
    [{ ARNS: ARN, REGION: 'eu/west' }, 'takes a region'],
    [{ ARNS: ARN, QUALIFIER: 'a b' }, 'takes the name of an endpoint'],
    [{ ARNS: ARN, SILENCE_SECONDS: '0' }, 'a whole number from 1 to 3540'],
  ])('%j is refused, and nothing secret is repeated', (given, message) => {
    const env = Object.entries(given).map(([name, value]) => [`KNOWLEDGER_AGENT_RUNTIME_${name}`, value]);
    const refused = () => read(Object.fromEntries(env));
    expect(refused).toThrow(ConfigError);
    expect(refused).toThrow(message);
    expect(refused).not.toThrow('hunter2');
  });
});

describe('the models of runs', () => {
  it('are those of the providers that are set up, and the default where a run names none', async () => {
    const offer = offerOf(createLanguageModels(undefined), undefined);
    const models = createRunModels(readAgents(B), offer);
    expect(models.modelOf(null)?.model.name).toBe('extractive');
    expect(models.modelOf('PROVIDER_B')?.model).toMatchObject({ name: 'large', toolUse: true });
    expect(models.modelOf('PROVIDER_C')).toBeUndefined();
    await models.close();
  });
});
