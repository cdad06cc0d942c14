import type { Client } from './client.ts';

/** One event of a stream, as a client gets it. */
export interface StreamedEvent {
  readonly id?: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- journeys look into answers of every shape
  readonly data: any;
}

/**
 * Follows a stream of server-sent events until one satisfies; answers all up to it.
 *
 * @throws when the stream is refused for good, or all is told before
 */
export const follow = async (
  client: Pick<Client, 'follow'>,
  path: string,
  enough: (event: StreamedEvent) => boolean,
  after?: string,
): Promise<readonly StreamedEvent[]> => {
  const events: StreamedEvent[] = [];
  const asked = { signal: new AbortController().signal, ...(after !== undefined && { after }) };
  for await (const event of client.follow<StreamedEvent['data']>(path, asked)) {
    events.push(event);
    if (enough(event)) return events;
  }
  throw new Error(`${path} ended after ${events.map(({ data }) => data.type).join(', ')}`);
};
