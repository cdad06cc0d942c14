import { randomUUID } from 'node:crypto';
import type { EventStore } from '../../application/ports/event-store.ts';

/** Has a newer version of the program write to a stream, which is there or not, what this one does not know. */
export const writeAsNewer = async (
  store: EventStore,
  stream: string,
  type = 'FactOfTomorrow',
): Promise<void> => {
  const last = (await store.readStream(stream)).at(-1);
  const event = { id: randomUUID(), type, data: { at: 2 }, metadata: { tenant: 'acme' } };
  await store.append(stream, last?.revision ?? 'none', [event]);
};
