import { HttpAgent } from '@ag-ui/client';
import type { BaseEvent } from '@ag-ui/core';
import type { Answer, Client } from './client.ts';
import { eventually } from './eventually.ts';

const OVER = ['SUCCEEDED', 'FAILED', 'CANCELLED'];

const asking = (content: string, more: object = {}): object => ({
  workflow_type: 'chat',
  input: { messages: [{ role: 'user', content }] },
  ...more,
});

/** Starts a run, which must be accepted. */
export const started = async (
  client: Client,
  content: string,
  more: object = {},
): Promise<Answer['body']> => {
  const { status, body } = await client.api('POST', '/agent/runs', asking(content, more));
  if (status !== 202) throw new Error(`the run was not accepted: ${JSON.stringify(body)}`);
  return body;
};

/** The run as it is once it is over, or in one of the states that are asked for. */
export const runThatIs = async (
  client: Client,
  id: string,
  ...statuses: readonly string[]
): Promise<Answer['body']> => {
  const wanted = statuses.length === 0 ? OVER : statuses;
  const { body } = await eventually(
    () => client.api('GET', `/agent/runs/${id}`),
    ({ body: run }) => wanted.includes(run.status),
    `run ${id} ${wanted.join(' or ')}`,
  );
  return body;
};

/** Starts a run and waits for its end. */
export const done = async (client: Client, content: string, more: object = {}): Promise<Answer['body']> =>
  runThatIs(client, (await started(client, content, more)).run_id);

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
