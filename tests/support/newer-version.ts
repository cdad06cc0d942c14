import { randomUUID } from 'node:crypto';
import type { EventStore, JsonObject } from '../../application/ports/event-store.ts';

/** The metadata of every event of ours: of the tenant acme. */
export const OUR_MARKS: JsonObject = {
  tenant: 'acme',
  actor: { kind: 'api_key', id: 'k' },
  $correlationId: 'c',
  $causationId: 'c',
  schemaVersion: 1,
};

/** Has a newer version of the program write to a stream, which is there or not, what this one does not know. */
export const writeAsNewer = async (
  store: EventStore,
  stream: string,
  type = 'FactOfTomorrow',
): Promise<void> => {
  const last = (await store.readStream(stream)).at(-1);
  const event = { id: randomUUID(), type, data: { at: 2 }, metadata: OUR_MARKS };
  await store.append(stream, last?.revision ?? 'none', [event]);
};
