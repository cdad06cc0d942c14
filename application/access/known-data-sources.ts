import { DomainError } from '../../domain/shared/domain-error.ts';
import { readMetadata } from '../event-sourcing/event-codec.ts';
import type { EventStore } from '../ports/event-store.ts';
import { dataSourceStream } from '../event-sourcing/streams.ts';

/** Streams asked for at once. */
const AT_ONCE = 16;

/**
 * Refuses ids under which the tenant has, and had, no data source. The beginning of each stream is read and no view, so
 * that one counts from the answer to its creation on.
 *
 * @throws DomainError not_found, naming the first that is not there
 */
export const mustBeKnown = async (
  store: Pick<EventStore, 'readStream'>,
  tenant: string,
  ids: readonly string[],
): Promise<void> => {
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    const found = await Promise.all(some.map((id) => store.readStream(dataSourceStream(id), 0n, 1)));
    for (const [i, [first]] of found.entries()) {
      if (first !== undefined && readMetadata(first.metadata).tenant === tenant) continue;
      throw new DomainError('not_found', `there is no source group ${some[i]}`);
    }
  }
};
