import type { ToolServerSettings } from '../adapters/models/tool-server/tool-server.ts';
import type { Provider } from '../domain/agent-run/terms.ts';
import type { LoopLimits } from '../domain/agent-loop/limits.ts';
import { type AgentRuntimeConfig, readAgentRuntime } from './agent-runtime-config.ts';
import { ConfigError, decimal, type Environment, integer } from './environment.ts';
import { type LanguageModelConfig, readLanguageModel } from './language-model-config.ts';
import { readToolServers } from './tool-servers-config.ts';

/** For a million tokens, in the operator's currency. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

export interface ProviderConfig {
  readonly model: LanguageModelConfig;
  readonly price: Price | null;
}

/** What runs of agents may use. */
export interface AgentsConfig {
  /** Those that are set up. */
  readonly providers: Readonly<Partial<Record<Provider, ProviderConfig>>>;
  /** Of the model that answers where a run names no provider. */
  readonly price: Price | null;
  readonly limits: LoopLimits;
  /** Beside the knowledge base. */
  readonly toolServers: readonly ToolServerSettings[];
  /** Null: runs are executed here alone. */
  readonly runtime: AgentRuntimeConfig | null;
}

/** What the names of the variables of each provider begin with. */
const PROVIDERS: { readonly [Name in Provider]: string } = {
  PROVIDER_A_DIRECT: 'LLM_A',
  PROVIDER_B: 'LLM_B',
  PROVIDER_C: 'LLM_C',
  PROVIDER_D: 'LLM_D',
};

/** @throws ConfigError */
export const readAgents = (env: Environment): AgentsConfig => {
  const providers = Object.entries(PROVIDERS).flatMap(([name, of]) => {
    const model = readLanguageModel(env, of);
    return model === undefined ? [] : [[name, { model, price: readPrice(env, of) }] as const];
  });
  const price = readPrice(env, 'LLM');
  const hasPrices = [price, ...providers.map(([, one]) => one.price)].some((one) => one !== null);
  return {
    providers: Object.fromEntries(providers),
    price,
    limits: readLimits(env, hasPrices),
    toolServers: readToolServers(env),
    runtime: readAgentRuntime(env),
  };
};

const MOST_PRICE = 1_000_000;

const readPrice = (env: Environment, of: string): Price | null => {
  const [input, output] = [`${of}_PRICE_INPUT`, `${of}_PRICE_OUTPUT`];
  if (!env[input] && !env[output]) return null;
  if (!env[input] || !env[output])
    throw new ConfigError(`${input} and ${output} go together: prices of a million tokens`);
  return { input: decimal(env, input, 0, 0, MOST_PRICE), output: decimal(env, output, 0, 0, MOST_PRICE) };
};

const readLimits = (env: Environment, hasPrices: boolean): LoopLimits => {
  const cost = decimal(env, 'KNOWLEDGER_AGENT_MAX_COST', 0, 0, 1_000_000);
  if (cost > 0 && !hasPrices)
    throw new ConfigError(
      'KNOWLEDGER_AGENT_MAX_COST needs LLM_PRICE_INPUT and LLM_PRICE_OUTPUT: without prices nothing costs anything',
    );
  return {
    steps: integer(env, 'KNOWLEDGER_AGENT_MAX_STEPS', 30, 1, 1_000),
    toolCalls: integer(env, 'KNOWLEDGER_AGENT_MAX_TOOL_CALLS', 100, 1, 10_000),
    // A run may be under way for an hour, and is to end by itself before that.
    ms: 1_000 * integer(env, 'KNOWLEDGER_AGENT_MAX_SECONDS', 900, 1, 3_540),
    tokens: integer(env, 'KNOWLEDGER_AGENT_MAX_TOKENS', 1_000_000, 1_000, 1_000_000_000),
    cost: cost === 0 ? null : Math.round(cost * 1_000_000),
  };
};
