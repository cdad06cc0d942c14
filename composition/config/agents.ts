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

/** Runtimes that runs may be handed to. */
interface AgentRuntimeConfig {
  readonly arns: readonly string[];
  readonly client: Omit<AgentCoreOptions, 'credentials'>;
  readonly idleTimeoutMs: number;
}

/** What the names of the variables of each provider begin with. */
const PROVIDERS: Readonly<Record<Provider, string>> = {
  PROVIDER_A_DIRECT: 'LLM_A_',
  PROVIDER_B: 'LLM_B_',
  PROVIDER_C: 'LLM_C_',
  PROVIDER_D: 'LLM_D_',
};

/** What runs of agents may use. @throws ConfigError */
export const readAgents = (env: Environment, given: Given) => {
  const providers = Object.entries(PROVIDERS).flatMap(([name, prefix]) => {
    const model = readLanguageModel(env, prefix);
    return model === undefined ? [] : [[name, { model, price: readPrice(env, prefix) }] as const];
  });
  const price = readPrice(env);
  const hasPrices = [price, ...providers.map(([, one]) => one.price)].some((one) => one !== null);
  return {
    /** Those that are set up. */
    providers: Object.fromEntries(providers) as Readonly<Partial<Record<Provider, ProviderConfig>>>,
    /** Of the model that answers where a run names no provider. */
    price,
    limits: limits(given, hasPrices),
    /** Beside the knowledge base. */
    toolServers: readToolServers(given.KNOWLEDGER_MCP_SERVERS, env),
    /** Null: runs are executed here alone. */
    runtime: runtime(given),
  };
};
export type AgentsConfig = ReturnType<typeof readAgents>;

const limits = (given: Given, hasPrices: boolean): LoopLimits => {
  const cost = given.KNOWLEDGER_AGENT_MAX_COST;
  if (cost > 0 && !hasPrices)
    throw new ConfigError(
      'KNOWLEDGER_AGENT_MAX_COST needs LLM_PRICE_INPUT and LLM_PRICE_OUTPUT: without prices nothing costs anything',
    );
  return {
    steps: given.KNOWLEDGER_AGENT_MAX_STEPS,
    toolCalls: given.KNOWLEDGER_AGENT_MAX_TOOL_CALLS,
    ms: 1_000 * given.KNOWLEDGER_AGENT_MAX_SECONDS,
    tokens: given.KNOWLEDGER_AGENT_MAX_TOKENS,
    cost: cost === 0 ? null : Math.round(cost * 1_000_000),
  };
};

const runtime = (given: Given): AgentRuntimeConfig | null => {
  const arns = given.KNOWLEDGER_AGENT_RUNTIME_ARNS;
  const lonely = (
    [
      'KNOWLEDGER_AGENT_RUNTIME_URL',
      'KNOWLEDGER_AGENT_RUNTIME_REGION',
      'KNOWLEDGER_AGENT_RUNTIME_QUALIFIER',
      'KNOWLEDGER_AGENT_RUNTIME_SILENCE_SECONDS',
    ] as const
  ).find((name) => given[name] !== undefined);
  if (arns.length === 0 && lonely !== undefined)
    throw new ConfigError(
      `KNOWLEDGER_AGENT_RUNTIME_ARNS takes the ARNs of the runtimes that may be asked: ${lonely} alone says not which`,
    );
  if (arns.length === 0) return null;
  const { KNOWLEDGER_AGENT_RUNTIME_URL: endpoint, KNOWLEDGER_AGENT_RUNTIME_REGION: region } = given;
  const { KNOWLEDGER_AGENT_RUNTIME_QUALIFIER: qualifier } = given;
  return {
    arns,
    client: {
      ...(endpoint !== undefined && { endpoint }),
      ...(region !== undefined && { region }),
      ...(qualifier !== undefined && { qualifier }),
    },
    idleTimeoutMs: 1_000 * (given.KNOWLEDGER_AGENT_RUNTIME_SILENCE_SECONDS ?? 300),
  };
};
