import { describe, expect, it } from 'vitest';
import { readConfig } from '../../composition/config/config.ts';
import { ConfigError } from '../../composition/config/environment.ts';
import { createLanguageModels, createRunModels, offerOf } from '../../composition/language-models.ts';

const readAgents = (env: Readonly<Record<string, string>>) => readConfig(env, true).agents;
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
    expect(providers).toEqual({
      PROVIDER_A_DIRECT: expect.objectContaining({ price: null }),
      PROVIDER_B: expect.objectContaining({ price: { input: 0.5, output: 2 } }),
    });
    expect(providers).toMatchObject({
      PROVIDER_A_DIRECT: { model: { provider: 'anthropic', model: 'claude-sonnet-4-5' } },
      PROVIDER_B: { model: { provider: 'openai', url: B.LLM_B_URL } },
    });
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
  const of = (given: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [`KNOWLEDGER_AGENT_RUNTIME_${name}`, value]),
    );
  const read = (given: Readonly<Record<string, string>>) => readAgents(of(given)).runtime;

  it('are those that are listed, asked as is set', () => {
    expect(read({ ARNS: `${ARN}, ${ARN}b` })).toEqual({
      arns: [ARN, `${ARN}b`],
      client: {},
      idleTimeoutMs: 300_000,
    });
    const client = { endpoint: 'https://runtimes.example', region: 'eu-west-1', qualifier: 'prod' };
    expect(
      read({
        ARNS: ARN,
        URL: client.endpoint,
        REGION: client.region,
        QUALIFIER: client.qualifier,
        SILENCE_SECONDS: '20',
      }),
    ).toEqual({ arns: [ARN], client, idleTimeoutMs: 20_000 });
  });

  it.each([
    [{ ARNS: 'runtime/a' }, 'KNOWLEDGER_AGENT_RUNTIME_ARNS takes ARNs'],
    [
      { REGION: 'eu-west-1' },
      'KNOWLEDGER_AGENT_RUNTIME_REGION has no effect without KNOWLEDGER_AGENT_RUNTIME_ARNS',
    ],
    [{ ARNS: ARN, URL: 'https://jo:hunter2@runtimes.example' }, 'takes no credentials'],
    [{ ARNS: ARN, REGION: 'eu/west' }, 'takes a region'],
    [{ ARNS: ARN, SILENCE_SECONDS: '0' }, 'a whole number from 1 to 3540'],
  ])('%j is refused, and nothing secret is repeated', (given, message) => {
    const refused = () => read(given);
    expect(refused).toThrow(message);
    expect(refused).not.toThrow('hunter2');
  });
});

describe('the configuration of tool servers', () => {
  const CRM = { name: 'crm', url: 'https://crm.example/mcp', tools: ['look_up'] };
  const read = (servers: unknown, env: Record<string, string> = {}) =>
    readAgents({ KNOWLEDGER_MCP_SERVERS: JSON.stringify(servers), ...env }).toolServers;

  it('takes secrets of headers from other variables', () => {
    const headers = { Authorization: 'Bearer ${CRM_TOKEN}' };
    const given = { ...CRM, headers, timeout_seconds: 5, session: true };
    expect(read([given, { ...CRM, name: 'b' }], { CRM_TOKEN: 's3cret' })).toEqual([
      { ...CRM, headers: { authorization: 'Bearer s3cret' }, timeoutMs: 5_000, takesSession: true },
      { ...CRM, name: 'b', headers: {}, timeoutMs: 30_000, takesSession: false },
    ]);
  });

  it.each([
    ['no list', {}, 'takes a list of servers'],
    ['two of one name', [CRM, CRM], 'two servers alike'],
    ['a name for no tool', [{ ...CRM, name: 'a b' }], 'name of server 1'],
    ['an address with credentials', [{ ...CRM, url: 'https://u:s3cret@x.example' }], 'url of crm'],
    ['no tools', [{ ...CRM, tools: [] }], 'tools of crm'],
    ['a variable that is not set', [{ ...CRM, headers: { a: '${NOPE}' } }], 'the variable NOPE'],
    ['a line break in a header', [{ ...CRM, headers: { a: 'x\ns3cret' } }], 'the header a of crm'],
    ['no time', [{ ...CRM, timeout_seconds: 0 }], 'timeout_seconds of crm'],
    ['a misspelt field', [{ ...CRM, tool: [] }], 'does not know "tool"'],
  ])('refuses %s, without repeating a value', (_name, servers, words) => {
    expect(() => read(servers)).toThrow(words);
    expect(() => read(servers)).not.toThrow('s3cret');
    expect(() => readAgents({ KNOWLEDGER_MCP_SERVERS: '[{' })).toThrow('takes JSON');
  });
});

it('the models of runs are those of the providers that are set up, and the default where a run names none', async () => {
  const offer = offerOf(createLanguageModels(undefined), undefined);
  const models = createRunModels(readAgents(B), offer);
  expect(models.modelOf(null)?.model.name).toBe('extractive');
  expect(models.modelOf('PROVIDER_B')?.model).toMatchObject({ name: 'large', toolUse: true });
  expect(models.modelOf('PROVIDER_C')).toBeUndefined();
  await models.close();
});
