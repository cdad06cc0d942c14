import type { DeleteThread } from '../../../application/agents/runs/cancel-run.ts';
import type { AgentLists } from '../../../application/agents/runs/lists.ts';
import { ok, okJson } from '../json-response.ts';
import { pageRequestOf, paginationOf } from '../parameters.ts';
import { agentThreadDetail, agentThreadRecord } from '../records/agent-record.ts';
import { type AnyRoute, route } from '../route.ts';
import { AgentThreadDetail, AgentThreadList, AgentThreadQuery, PrincipalQuery } from '../schemas/agent.ts';
import { Message } from '../schemas/common.ts';

export interface AgentThreadRouteDeps {
  readonly agentLists: AgentLists;
  readonly deleteThread: DeleteThread;
}

const common = { tag: 'agents', scope: 'inference:run' } as const;

export const agentThreadRoutes = (deps: AgentThreadRouteDeps): readonly AnyRoute[] => [
  route({
    ...common,
    method: 'get',
    path: '/agent/threads',
    operationId: 'listAgentThreads',
    summary: 'List the threads of a principal, newest first',
    description: 'Experimental. Without `principal_id` those of nobody.',
    query: AgentThreadQuery,
    reads: ['agent_thread'],
    rewinds: 'thread_id',
    erases: true,
    answers: { 200: AgentThreadList },
    problems: ['not_configured'],
    handler: async ({ caller, query }) => {
      const page = pageRequestOf(query);
      const found = await deps.agentLists.threads(caller, query.principal_id ?? null, page);
      const pagination = paginationOf(found, page.limit, ({ id }) => id);
      return ok({ threads: found.rows.map(agentThreadRecord), pagination });
    },
  }),
  route({
    ...common,
    method: 'get',
    path: '/agent/threads/{thread_id}',
    operationId: 'getAgentThread',
    summary: 'Get the runs of a thread as a tree',
    description: 'Experimental. All its runs, with their branches.',
    query: PrincipalQuery,
    reads: ['agent_run'],
    rewinds: 'thread_id',
    erases: true,
    answers: { 200: AgentThreadDetail },
    problems: ['not_configured'],
    handler: async ({ caller, params, query }) => {
      const threadId = threadIdIn(params);
      const tree = await deps.agentLists.tree(caller, threadId, query.principal_id ?? null);
      return okJson(agentThreadDetail(threadId, tree));
    },
  }),
  route({
    ...common,
    method: 'delete',
    path: '/agent/threads/{thread_id}',
    operationId: 'deleteAgentThread',
    summary: 'Delete a thread with all its runs',
    description:
      'Experimental. Destroys the key of its texts: from the answer on nobody can read them. What still runs is asked to ' +
      'stop. That it was held, when, and with which models and tools, stays in the audit trail.',
    query: PrincipalQuery,
    writes: true,
    settles: ['agent_thread', 'agent_run'],
    answers: { 200: Message },
    handler: async ({ caller, params, query }) => {
      const threadId = threadIdIn(params);
      const { position } = await deps.deleteThread(caller, threadId, query.principal_id ?? null);
      return ok({ message: `thread ${threadId} was deleted` }, position);
    },
  }),
];

const threadIdIn = (params: Readonly<Record<string, string>>): string =>
  (params['thread_id'] ?? '').toLowerCase();
