import { categoryOf } from '../ports/event-checks.ts';
import type { RecordedEvent } from '../ports/event-store.ts';

/**
 * An event as the log shows it to analysts: without the hashes of API keys, which serve to look keys up and to nothing
 * else, and with the titles of documents as `hide` lets them be read. By the stream, not by the types: an event that a
 * newer version wrote is held to it too.
 */
export const redactForAudit = (event: RecordedEvent, hide: (text: string) => string): RecordedEvent => {
  switch (categoryOf(event.stream)) {
    case 'apiKey': {
      const { key_hash: _, ...data } = event.data;
      return { ...event, data };
    }
    case 'source': {
      const { title } = event.data;
      return typeof title === 'string' ? { ...event, data: { ...event.data, title: hide(title) } } : event;
    }
    default:
      return event;
  }
};
