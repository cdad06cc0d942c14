import type { AgentCoreOptions } from '../adapters/models/agent-core/agent-runtime.ts';
import { ConfigError, type Environment, integer, list, matching, url } from './environment.ts';

/** Runtimes that runs may be handed to. */
export interface AgentRuntimeConfig {
  readonly arns: readonly string[];
  readonly client: Omit<AgentCoreOptions, 'credentials'>;
  readonly silenceMs: number;
}

const ARNS = 'KNOWLEDGER_AGENT_RUNTIME_ARNS';
const OTHERS = ['URL', 'REGION', 'QUALIFIER', 'SILENCE_SECONDS'].map(
  (name) => `KNOWLEDGER_AGENT_RUNTIME_${name}`,
);

/** Null: runs are executed here alone. @throws ConfigError */
export const readAgentRuntime = (env: Environment): AgentRuntimeConfig | null => {
  const arns = list(env, ARNS);
  const wrong = arns.find((arn) => !/^arn:[\x21-\x7e]{1,2044}$/.test(arn));
  if (wrong !== undefined)
    throw new ConfigError(
      `${ARNS} takes ARNs of runtimes, separated by commas, not ${JSON.stringify(wrong.slice(0, 100))}`,
    );
  const lonely = OTHERS.find((name) => env[name]);
  if (arns.length === 0 && lonely !== undefined)
    throw new ConfigError(
      `${ARNS} takes the ARNs of the runtimes that may be asked: ${lonely} alone says not which`,
    );
  const endpoint = endpointOf(env);
  const region = optional(
    env,
    'KNOWLEDGER_AGENT_RUNTIME_REGION',
    /^[a-z0-9-]{1,50}$/,
    'a region, such as eu-central-1',
  );
  const qualifier = optional(
    env,
    'KNOWLEDGER_AGENT_RUNTIME_QUALIFIER',
    /^[\w-]{1,48}$/,
    'the name of an endpoint of the runtime, such as prod',
  );
  const seconds = integer(env, 'KNOWLEDGER_AGENT_RUNTIME_SILENCE_SECONDS', 300, 1, 3_540);
  if (arns.length === 0) return null;
  return {
    arns,
    client: {
      ...(endpoint !== undefined && { endpoint }),
      ...(region !== undefined && { region }),
      ...(qualifier !== undefined && { qualifier }),
    },
    silenceMs: 1_000 * seconds,
  };
};

const optional = (env: Environment, name: string, form: RegExp, takes: string): string | undefined =>
  env[name] ? matching(env, name, '', form, takes) : undefined;

const endpointOf = (env: Environment): string | undefined => {
  const name = 'KNOWLEDGER_AGENT_RUNTIME_URL';
  const base = url(env, name, ['http:', 'https:']);
  if (base === undefined) return undefined;
  const { username, password, search, hash } = new URL(base);
  if (username === '' && password === '' && search === '' && hash === '') return base;
  throw new ConfigError(`${name} takes no credentials and no query: requests are signed as the AWS SDK does`);
};
