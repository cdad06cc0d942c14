import { describe, expect, it } from 'vitest';
import { EventStoreUnavailable } from '../../application/ports/event-store.ts';
import { createReadiness, createStartState } from '../../composition/readiness.ts';
import { silent } from '../support/silent.ts';

describe('the readiness of a service whose events are apart', () => {
  const reasonOf = async (away: Error): Promise<string | undefined> => {
    const ready = createReadiness({
      db: null as never,
      files: { check: async () => {} } as never,
      watches: { database: { check: async () => null }, events: { check: async () => away } } as never,
      start: createStartState(),
      log: silent,
      cluster: undefined,
      eventsApart: true,
    });
    return (await ready()).reasons['event store'];
  };

  it('tells an event store that refuses its user from one that does not answer', async () => {
    expect(await reasonOf(new EventStoreUnavailable('no', { reason: 'refused' }))).toBe(
      'it refuses the user',
    );
    expect(await reasonOf(new EventStoreUnavailable('no'))).toBe('it does not answer as it should');
  });
});
