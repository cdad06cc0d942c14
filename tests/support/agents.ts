import { HttpAgent } from '@ag-ui/client';
import type { BaseEvent } from '@ag-ui/core';
import type { AgentRun, AgentRunCreate } from '../../clients/typescript/src/index.ts';
import type { Client } from './client.ts';
import { eventually } from './eventually.ts';

/** Each workflow says what its result is. */
// oxlint-disable-next-line typescript/no-explicit-any -- journeys look into answers of every shape
type Run = AgentRun & { readonly result: any };

/** Starts a run, which must be accepted. */
export const started = (
  client: Client,
  content: string,
  more: Partial<AgentRunCreate> = {},
): Promise<AgentRun> =>
  client.post('/agent/runs', {
    body: { workflow_type: 'chat', input: { messages: [{ role: 'user', content }] }, ...more },
  });

/** The run as it is once it is over, or in one of the states that are asked for. */
export const runThatIs = (client: Client, id: string, ...statuses: readonly string[]): Promise<Run> =>
  (statuses.length === 0
    ? client.waitFor('/agent/runs', id)
    : eventually(
        () => client.get('/agent/runs/{run_id}', { path: { run_id: id } }),
        ({ status }) => statuses.includes(status),
        `run ${id} ${statuses.join(' or ')}`,
      )) as Promise<Run>;

/** Starts a run and waits for its end. */
export const done = async (
  client: Client,
  content: string,
  more: Partial<AgentRunCreate> = {},
): Promise<Run> => runThatIs(client, (await started(client, content, more)).run_id);

/** The public client of the agent-UI protocol, following one run. Its verifier sees every event. */
class RunFollower extends HttpAgent {
  readonly #client: Client;
  readonly #lastEventId: string | undefined;
  constructor(client: Client, runId: string, lastEventId?: string) {
    super({ url: `${client.base}/api/v1/agent/runs/${runId}/events` });
    this.#client = client;
    this.#lastEventId = lastEventId;
  }
  protected override requestInit(input: Parameters<HttpAgent['run']>[0]): RequestInit {
    const { signal } = super.requestInit(input);
    return {
      method: 'GET',
      headers: {
        'x-api-key': this.#client.key,
        accept: 'text/event-stream',
        ...(this.#lastEventId !== undefined && { 'last-event-id': this.#lastEventId }),
      },
      ...(signal !== undefined && { signal }),
    };
  }
}

/** All events that the public client takes from a run, to its end; `onEvent` hears each as it comes. */
export const followed = async (
  client: Client,
  runId: string,
  lastEventId?: string,
  onEvent: (event: BaseEvent) => void = () => {},
): Promise<readonly BaseEvent[]> => {
  const seen: BaseEvent[] = [];
  const agent = new RunFollower(client, runId, lastEventId);
  const take = ({ event }: { readonly event: BaseEvent }): void => {
    seen.push(event);
    onEvent(event);
  };
  await agent.runAgent({}, { onEvent: take });
  return seen;
};
