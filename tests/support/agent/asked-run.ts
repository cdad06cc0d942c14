import type { RunExecutor } from '../../../application/agents/runs/run-executor.ts';
import { agentRunStream } from '../../../application/event-sourcing/streams.ts';
import { agentRun, type AgentRunCommand } from '../../../domain/agent-run/index.ts';
import { callerOf } from '../conversations.ts';
import { agentWorld, type AgentWorldOptions, request } from './agent-world.ts';

export const ACME = callerOf('acme');

/** A run that is executed so, and all that is logged meanwhile. */
export const askedRun = async (
  execute: RunExecutor['execute'],
  {
    more = {},
    caller = ACME,
    ...options
  }: AgentWorldOptions & { readonly more?: object; readonly caller?: typeof ACME } = {},
) => {
  const logged: unknown[] = [];
  const at = (level: string) => (message: string, facts?: object) =>
    void logged.push([level, message, facts]);
  const log = { info: at('info'), warn: at('warn'), error: at('error') };
  const world = agentWorld({ execute }, { log, ...options });
  const { record } = await world.create(caller, request('Is it so?', more));
  const send = (command: AgentRunCommand) =>
    world.execute(agentRun, agentRunStream(record.runId), command, ACME.context);
  const read = async () => (await world.read(ACME, record.runId, record.principalId)).record;
  return { world, id: record.runId, run: record, logged, send, read };
};
