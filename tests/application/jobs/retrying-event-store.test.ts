import { describe, expect, it } from 'vitest';
import {
  ConcurrencyConflict,
  type EventStore,
  EventStoreUnavailable,
  type NewEvent,
  OutcomeUnknown,
} from '../../../application/ports/event-store.ts';
import { createRetryingEventStore } from '../../../application/jobs/transient.ts';
import { keptLog } from './leased.ts';

const EVENT: NewEvent = { id: '0f6d1a52-4c3e-7b1a-8d2c-000000000001', type: 'Some', data: {}, metadata: {} };

/** A store that answers with these errors first; and a sleep that takes no time but is remembered. */
const failing = (errors: readonly Error[], stop = new AbortController()) => {
  const left = [...errors];
  const calls: unknown[] = [];
  const pauses: number[] = [];
  const answer = async <T>(call: unknown, result: T): Promise<T> => {
    calls.push(call);
    const error = left.shift();
    if (error !== undefined) throw error;
    return result;
  };
  const { lines, log } = keptLog();
  const store: EventStore = {
    append: (...call) => answer(call, { revision: 7n, position: 'p' }),
    readStream: (...call) => answer(call, []),
  };
  const retrying = createRetryingEventStore({
    store,
    log,
    sleep: async (ms) => void pauses.push(ms),
    signal: stop.signal,
  });
  return { retrying, calls, pauses, lines, stop };
};

describe('a retrying event store', () => {
  it('repeats the same append, with growing pauses, until the store is back', async () => {
    const away = [
      new EventStoreUnavailable('away'),
      new OutcomeUnknown('lost'),
      new EventStoreUnavailable('away'),
    ];
    const { retrying, calls, pauses, lines } = failing(away);
    expect(await retrying.append('a-1', 3n, [EVENT])).toEqual({ revision: 7n, position: 'p' });
    expect(calls).toEqual(Array.from({ length: 4 }, () => ['a-1', 3n, [EVENT]]));
    expect(pauses).toEqual([200, 400, 800]);
    expect(retrying.retrying).toBe(true);
    expect(lines).toEqual(
      [
        { what: 'append to a-1', wait: 200, error: 'away' },
        { what: 'append to a-1', wait: 400, error: 'lost' },
        { what: 'append to a-1', wait: 800, error: 'away' },
      ].map((fields) => ['warn', 'waiting for the event store', fields]),
    );
  });

  it('repeats a read', async () => {
    const { retrying, calls, lines } = failing([new EventStoreUnavailable('away')]);
    expect(await retrying.readStream('a-1', 2n, 5)).toEqual([]);
    expect(lines).toMatchObject([['warn', 'waiting for the event store', { what: 'read a-1' }]]);
    expect(calls).toEqual([
      ['a-1', 2n, 5],
      ['a-1', 2n, 5],
    ]);
  });

  it('passes on what waiting does not mend', async () => {
    const { retrying, calls } = failing([new ConcurrencyConflict('a-1', 3n, 4n)]);
    await expect(retrying.append('a-1', 3n, [EVENT])).rejects.toThrow(ConcurrencyConflict);
    expect(calls).toHaveLength(1);
  });

  it('gives up after a quarter of an hour of pauses, or when it is told to stop', async () => {
    const always = Array.from({ length: 1_000 }, () => new EventStoreUnavailable('away'));
    const { retrying, pauses } = failing(always);
    await expect(retrying.append('a-1', 3n, [EVENT])).rejects.toThrow('away');
    const waited = pauses.reduce((sum, pause) => sum + pause, 0);
    expect(waited).toBeGreaterThanOrEqual(900_000);
    expect(waited).toBeLessThan(906_000);

    const stopped = failing(always);
    stopped.stop.abort();
    await expect(stopped.retrying.readStream('a-1')).rejects.toThrow('away');
    expect(stopped.pauses).toEqual([]);
  });
});
