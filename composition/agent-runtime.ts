import { AgentCorePackageMissing, checkAgentCore } from '../adapters/models/agent-core/agent-runtime.ts';
import type { RunExecutor } from '../application/agents/runs/run-executor.ts';
import { DomainError } from '../domain/shared/domain-error.ts';
import type { AgentRuntimeConfig } from './agent-runtime-config.ts';
import { ConfigError } from './environment.ts';

/**
 * Refuses runtimes whose client is not installed, before anything is started.
 *
 * @throws ConfigError
 */
export const checkAgentRuntime = async (chosen: AgentRuntimeConfig | null): Promise<void> => {
  if (chosen === null) return;
  try {
    await checkAgentCore();
  } catch (error) {
    if (!(error instanceof AgentCorePackageMissing)) throw error;
    throw new ConfigError(`KNOWLEDGER_AGENT_RUNTIME_ARNS cannot be used: ${error.message}`);
  }
};

/** In place of an executor where the operator allows no runtime: it says what to do. */
export const noManagedRuntime: RunExecutor = {
  check: () => {
    throw notSetUp();
  },
  execute: () => Promise.reject(notSetUp()),
};

const notSetUp = (): DomainError =>
  new DomainError(
    'not_configured',
    'execution_mode MANAGED_RUNTIME is not set up here: the operator lists the runtimes that may be asked in KNOWLEDGER_AGENT_RUNTIME_ARNS',
  );
