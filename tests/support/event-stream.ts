import type { Client } from './client.ts';
import { eventually } from './eventually.ts';

/** One event of a stream, as a client gets it. */
export interface StreamedEvent {
  readonly id: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- journeys look into answers of every shape
  readonly data: any;
}

/**
 * Follows a stream of server-sent events until one satisfies; answers all up to it. Ids that come without data are
 * places to go on from, and no events.
 *
 * @throws when the stream is refused for good, or ends before
 */
export const follow = async (
  { base, key }: Pick<Client, 'base' | 'key'>,
  path: string,
  enough: (event: StreamedEvent) => boolean,
  lastEventId?: string,
): Promise<readonly StreamedEvent[]> => {
  const headers = {
    'x-api-key': key,
    accept: 'text/event-stream',
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  };
  // Right after a start on a busy machine a service may ask its clients to come back.
  const response = await eventually(
    () => fetch(`${base}/api/v1${path}`, { headers }),
    ({ status }) => status !== 503,
    path,
  );
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  const events: StreamedEvent[] = [];
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
      const frame = text.slice(0, at);
      text = text.slice(at + 2);
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (data === undefined) continue;
      const event = { id: /^id: (.*)$/m.exec(frame)?.[1] ?? '', data: JSON.parse(data) };
      events.push(event);
      if (enough(event)) return events;
    }
  }
  throw new Error(`${path} ended after ${events.map(({ data }) => data.type).join(', ')}`);
};
