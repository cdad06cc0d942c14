import { categoryOf } from '../ports/append-check.ts';
import type { RecordedEvent } from '../ports/event-store.ts';

/**
 * An event as the log shows it to analysts: without the hashes of API keys, which serve to look keys up and to nothing
 * else. By the stream, not by the types: an event of keys that a newer version wrote is held to it too.
 */
export const disclosed = (event: RecordedEvent): RecordedEvent => {
  if (categoryOf(event.stream) !== 'apiKey') return event;
  const { key_hash: _, ...data } = event.data;
  return { ...event, data };
};
