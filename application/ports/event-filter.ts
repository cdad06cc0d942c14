import { categoryOf } from './append-check.ts';
import type { EventFilter, RecordedEvent } from './event-store.ts';

/** The meaning of `EventFilter`, for adapters whose store cannot filter by itself. */
export const matchesFilter = (filter: EventFilter, event: RecordedEvent): boolean =>
  (filter.stream === undefined || event.stream === filter.stream) &&
  (filter.categories === undefined || filter.categories.includes(categoryOf(event.stream))) &&
  (filter.types === undefined || filter.types.includes(event.type)) &&
  (filter.tenant === undefined || event.metadata['tenant'] === filter.tenant) &&
  (filter.from === undefined || event.recordedAt >= filter.from) &&
  (filter.to === undefined || event.recordedAt < filter.to);
