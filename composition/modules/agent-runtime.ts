import { ContainerModule } from 'inversify';
import { createAgentCore } from '../../adapters/models/agent-core/agent-runtime.ts';
import { after, sleep } from '../../adapters/system/timing.ts';
import { createManagedExecutor } from '../../application/agents/runtime/execute-managed.ts';
import { redact } from '../../application/redaction/redactor.ts';
import { noManagedRuntime } from '../agent-runtime.ts';
import type { Config } from '../config.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

/** How runs of agents are handed to runtimes that somebody else operates. */
export const agentRuntimeModule = ({ agents }: Pick<Config, 'agents'>): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const provide = providing(bind);
    const { runtime: chosen, limits } = agents;
    provide(T.AgentRuntime, () => createAgentCore(chosen?.client), {}).onDeactivation((runtime) =>
      runtime.close(),
    );
    if (chosen === null) {
      provide(T.ManagedExecutor, () => noManagedRuntime, {});
      return;
    }
    provide(
      T.ManagedExecutor,
      ({ rulesFor, ...deps }) =>
        createManagedExecutor({
          ...deps,
          allowed: new Set(chosen.arns),
          limits: { ms: limits.ms, silenceMs: chosen.silenceMs },
          hidingFor: async (tenant) => {
            const rules = await rulesFor(tenant);
            return (text) => redact(text, rules).text;
          },
        }),
      { runtime: T.AgentRuntime, rulesFor: T.AgentRules, clock: T.Clock, log: T.Logger },
      { sleep, after },
    );
  });
