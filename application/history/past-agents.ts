import { agentThread } from '../../domain/agent-thread/decider.ts';
import { conversation as conversationDecider } from '../../domain/conversation/index.ts';
import type { Decider } from '../../domain/shared/decider.ts';
import type { Past } from '../access/past.ts';
import { agentRunStream, agentThreadStream, conversationStream } from '../event-sourcing/streams.ts';
import type { AgentRunRow } from '../ports/agent-view.ts';
import { agentRunFold, agentThreadFold, conversationFold } from '../read-models/row-folds.ts';
import { isBy } from './moment.ts';
import type { ListPast } from './past-lists.ts';
import { known, type PastReader } from './past-reader.ts';

/** Conversations, and the threads and runs of agents, without their texts. */
export const pastAgents = (reader: PastReader, list: ListPast): Pick<Past, 'agents' | 'conversations'> => {
  const conversation = (tenant: string, id: string) =>
    reader.row(conversationFold, id, tenant, conversationStream(id));
  /** The state of today: what a conversation or thread reveals grows, and a key must not see it before either. */
  const today = async <Event, State>(
    { initial, evolve }: Pick<Decider<never, Event, State>, 'initial' | 'evolve'>,
    stream: string,
    tenant: string,
  ): Promise<State> => {
    const events = await reader.events(stream, tenant, () => true);
    return events.map(known).reduce((state, { event }) => evolve(state, event as Event), initial);
  };
  const reachesConversation = async (
    only: readonly string[],
    tenant: string,
    id: string,
  ): Promise<boolean> => {
    const state = await today(conversationDecider, conversationStream(id), tenant);
    return state.status !== 'none' && isWithin(only, state.sourceGroupIds);
  };
  const reachesThread = async (only: readonly string[], tenant: string, id: string): Promise<boolean> => {
    const state = await today(agentThread, agentThreadStream(id), tenant);
    return state.status !== 'none' && isWithin(only, state.reach);
  };
  const thread = (tenant: string, id: string) =>
    reader.row(agentThreadFold, id, tenant, agentThreadStream(id));

  /** Only the stream of the thread tells of its deletion, which ends its runs. */
  const runOf = async (tenant: string, threadId: string, id: string): Promise<AgentRunRow | null> => {
    if ((await thread(tenant, threadId)) === null) return null;
    const endedAt = reader.endedAt(threadId);
    if (endedAt !== undefined) reader.noteEnd(id, endedAt);
    return reader.row(agentRunFold, id, tenant, agentThreadStream(threadId), agentRunStream(id));
  };
  const run = async (tenant: string, id: string): Promise<AgentRunRow | null> => {
    const [queued] = await reader.events(
      agentRunStream(id),
      tenant,
      ({ event }) => event.type === 'RunQueued',
    );
    return queued?.event.type === 'RunQueued' ? runOf(tenant, queued.event.threadId, id) : null;
  };

  return {
    conversations: {
      list: (tenant, principalId, page, only) =>
        list(
          { tenant, list: 'conversation', owner: principalId ?? '' },
          page,
          async (id) =>
            only === null || (await reachesConversation(only, tenant, id)) ? conversation(tenant, id) : null,
          only === null ? undefined : () => true,
        ),
    },
    agents: {
      threads: (tenant, principalId, page, only) =>
        list(
          { tenant, list: 'agent_thread', owner: principalId ?? '' },
          page,
          async (id) =>
            only === null || (await reachesThread(only, tenant, id)) ? thread(tenant, id) : null,
          only === null ? undefined : () => true,
        ),
      runs: (tenant, principalId, page, only, { threadId, status }) =>
        list(
          {
            tenant,
            list: 'agent_run',
            owner: principalId ?? '',
            ...(threadId !== undefined && { parent: threadId }),
          },
          page,
          (id) => run(tenant, id),
          only === null && status === undefined
            ? undefined
            : (row) =>
                (only === null || isWithin(only, row.reach)) &&
                (status === undefined || row.status === status),
        ),
      runsOf: async (tenant, threadId) => {
        const admitted = await reader.events(
          agentThreadStream(threadId),
          tenant,
          (event) => event.event.type === 'RunAdmitted' && isBy(reader.moment, event),
        );
        const ids = admitted.flatMap(({ event }) => (event.type === 'RunAdmitted' ? [event.runId] : []));
        const rows = await Promise.all(ids.map((id) => runOf(tenant, threadId, id)));
        return rows.filter((row) => row !== null).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      },
    },
  };
};

const isWithin = (only: readonly string[], reach: readonly string[] | null): boolean =>
  reach?.every((id) => only.includes(id)) ?? false;
