import type { AgentCoreOptions } from '../../adapters/models/agent-core/agent-runtime.ts';
import type { LoopLimits } from '../../domain/agent-loop/limits.ts';
import type { Provider } from '../../domain/agent-run/terms.ts';
import { ConfigError, type Environment } from './environment.ts';
import { type LanguageModelConfig, type Price, readLanguageModel, readPrice } from './models.ts';
import { readToolServers } from './tool-servers.ts';
import type { Given } from './variables.ts';

interface ProviderConfig {
  readonly model: LanguageModelConfig;
  readonly price: Price | null;
}

/** External agent runtimes that runs may be delegated to. */
interface AgentRuntimeConfig {
  readonly arns: readonly string[];
  readonly client: Omit<AgentCoreOptions, 'credentials'>;
  readonly idleTimeoutMs: number;
}

/** Prefix of the environment variables of each provider. */
const VARIABLE_PREFIXES: Readonly<Record<Provider, string>> = {
  PROVIDER_A_DIRECT: 'LLM_A_',
  PROVIDER_B: 'LLM_B_',
  PROVIDER_C: 'LLM_C_',
  PROVIDER_D: 'LLM_D_',
};

/** Reads the configuration of agent runs. @throws ConfigError */
export const readAgents = (env: Environment, values: Given) => {
  const providers = Object.entries(VARIABLE_PREFIXES).flatMap(([name, prefix]) => {
    const model = readLanguageModel(env, prefix);
    return model === undefined ? [] : [[name, { model, price: readPrice(env, prefix) }] as const];
  });
  const price = readPrice(env);
  const hasPrices = [price, ...providers.map(([, one]) => one.price)].some((one) => one !== null);
  return {
    /** The configured providers. */
    providers: Object.fromEntries(providers) as Readonly<Partial<Record<Provider, ProviderConfig>>>,
    /** Price of the default model, which serves runs that name no provider. */
    price,
    limits: readLimits(values, hasPrices),
    /** MCP servers whose tools are offered in addition to the knowledge base. */
    toolServers: readToolServers(values.KNOWLEDGER_MCP_SERVERS, env),
    /** Null when no external runtime is configured: this service executes all runs. */
    runtime: readRuntime(values),
  };
};
export type AgentsConfig = ReturnType<typeof readAgents>;

const readLimits = (values: Given, hasPrices: boolean): LoopLimits => {
  const cost = values.KNOWLEDGER_AGENT_MAX_COST;
  if (cost > 0 && !hasPrices)
    throw new ConfigError(
      'KNOWLEDGER_AGENT_MAX_COST needs LLM_PRICE_INPUT and LLM_PRICE_OUTPUT: without prices the cost of a run is unknown',
    );
  return {
    steps: values.KNOWLEDGER_AGENT_MAX_STEPS,
    toolCalls: values.KNOWLEDGER_AGENT_MAX_TOOL_CALLS,
    ms: 1_000 * values.KNOWLEDGER_AGENT_MAX_SECONDS,
    tokens: values.KNOWLEDGER_AGENT_MAX_TOKENS,
    cost: cost === 0 ? null : Math.round(cost * 1_000_000),
  };
};

const readRuntime = (values: Given): AgentRuntimeConfig | null => {
  const arns = values.KNOWLEDGER_AGENT_RUNTIME_ARNS;
  const variableWithoutArns = (
    [
      'KNOWLEDGER_AGENT_RUNTIME_URL',
      'KNOWLEDGER_AGENT_RUNTIME_REGION',
      'KNOWLEDGER_AGENT_RUNTIME_QUALIFIER',
      'KNOWLEDGER_AGENT_RUNTIME_SILENCE_SECONDS',
    ] as const
  ).find((name) => values[name] !== undefined);
  if (arns.length === 0 && variableWithoutArns !== undefined)
    throw new ConfigError(
      `${variableWithoutArns} has no effect without KNOWLEDGER_AGENT_RUNTIME_ARNS: set it to the ARNs of the runtimes that may be used`,
    );
  if (arns.length === 0) return null;
  const { KNOWLEDGER_AGENT_RUNTIME_URL: endpoint, KNOWLEDGER_AGENT_RUNTIME_REGION: region } = values;
  const { KNOWLEDGER_AGENT_RUNTIME_QUALIFIER: qualifier } = values;
  return {
    arns,
    client: {
      ...(endpoint !== undefined && { endpoint }),
      ...(region !== undefined && { region }),
      ...(qualifier !== undefined && { qualifier }),
    },
    idleTimeoutMs: 1_000 * (values.KNOWLEDGER_AGENT_RUNTIME_SILENCE_SECONDS ?? 300),
  };
};
