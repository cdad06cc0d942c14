import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../../application/event-sourcing/execute.ts';
import { tagStream } from '../../../application/event-sourcing/streams.ts';
import { tag } from '../../../domain/tag/decider.ts';
import { countingIds } from '../../support/ids.ts';
import type { Abandoned } from '../../../application/ports/leases.ts';
import {
  ConcurrencyConflict,
  EventStoreUnavailable,
  OutcomeUnknown,
} from '../../../application/ports/event-store.ts';
import { FileStoreUnavailable } from '../../../application/ports/file-store.ts';
import { ReadModelsBehind } from '../../../application/ports/read-gate.ts';
import { load, sweeperContext, workerContext } from '../../../application/jobs/loaded.ts';
import { sweepAbandoned } from '../../../application/jobs/sweep.ts';
import { createIsTransient } from '../../../application/jobs/transient.ts';
import { DomainError, type DomainErrorCode } from '../../../domain/shared/domain-error.ts';
import { keptLog } from './leased.ts';

const abandoned = (kind: string, id: string): Abandoned => ({
  kind,
  id,
  tenant: 'acme',
  worker: 'lost',
  overdue: false,
  claim: null,
});

describe('abandoned work', () => {
  const sweep = async (ends: (found: Abandoned) => Promise<void>) => {
    const { lines, log } = keptLog();
    const found = ['a', 'b'].map((id) => abandoned('errand', id));
    const asked: number[] = [];
    const leases = {
      abandoned: async (limit: number) => {
        asked.push(limit);
        return [abandoned('other', 'x'), abandoned('unknown', 'y'), ...found];
      },
    };
    const run = async () => 'done' as const;
    const handlers = [
      { kind: 'other', idName: 'otherId', run },
      { kind: 'errand', idName: 'errandId', run, abandoned: ends },
    ];
    await sweepAbandoned({ leases, handlers, log });
    return { lines, asked };
  };

  it('is ended by the handler of its kind', async () => {
    const ended: string[] = [];
    const { lines, asked } = await sweep(async ({ id }) => void ended.push(id));
    expect([ended, lines, asked]).toEqual([['a', 'b'], [], [100]]);
  });

  it('that cannot be ended keeps the others from nothing, and is told unless somebody was quicker', async () => {
    const ended: string[] = [];
    const failing = (error: Error) => async (found: Abandoned) => {
      if (found.id === 'a') throw error;
      ended.push(found.id);
    };
    const quicker = await sweep(failing(new DomainError('conflict', 'it has ended')));
    const newer = await sweep(failing(new DomainError('unavailable', 'a newer version wrote to it')));
    expect(ended).toEqual(['b', 'b']);
    expect(quicker.lines).toEqual([]);
    expect(newer.lines).toEqual([
      ['warn', 'an abandoned job was left', { errandId: 'a', error: 'a newer version wrote to it' }],
    ]);
  });
});

describe('what may succeed later', () => {
  const ofDatabase = new Error('too many connections');
  const isTransient = createIsTransient((error) => error === ofDatabase);

  it.each([
    new EventStoreUnavailable('away'),
    new OutcomeUnknown('lost'),
    new ConcurrencyConflict('a-1', 1n, 2n),
    new FileStoreUnavailable('unreachable', 'it is away'),
    new ReadModelsBehind('behind'),
    new DomainError('unavailable', 'upgrade'),
    ofDatabase,
  ])('is %s', (error) => expect(isTransient(error)).toBe(true));

  const lasting: readonly unknown[] = [
    new DomainError('conflict' satisfies DomainErrorCode, 'x'),
    { code: 'unavailable' },
    new Error('away'),
    undefined,
  ];
  it.each(lasting)('is not %s', (error) => expect(isTransient(error)).toBe(false));
});

describe('what is worked on', () => {
  const loading = async () => {
    const store = createMemoryEventStore();
    const execute = createExecute({ store, codec: createEventCodec(), ids: countingIds() });
    const context = {
      tenant: 'acme',
      actor: { kind: 'api_key', id: 'k' } as const,
      correlationId: 'c',
      causationId: 'x',
    };
    const create = { type: 'create', tagId: 't', name: 'One', description: '', at: 1 } as const;
    await execute(tag, tagStream('acme'), create, context);
    const [event] = await store.readStream(tagStream('acme'));
    return { execute, event };
  };

  it('is as its stream tells it, and caused by the newest event', async () => {
    const { execute, event } = await loading();
    const found = await load(execute, tag, tagStream('acme'));
    expect(found).toMatchObject({
      revision: 0n,
      metadata: { tenant: 'acme', correlationId: 'c', causationId: event!.id },
    });
    expect([...found!.state.tags.values()]).toMatchObject([{ tagId: 't' }]);
    expect(await load(execute, tag, tagStream('other'))).toBeNull();
    expect(await load({ load: async () => null }, tag, tagStream('acme'))).toBeNull();
  });
});

describe('the events of a worker', () => {
  const found = {
    metadata: {
      tenant: 'acme',
      actor: { kind: 'api_key', id: 'k' } as const,
      correlationId: 'c',
      causationId: 'event-1',
      traceparent: 'trace-1',
      tracestate: 'state-1',
      schemaVersion: 1,
    },
  };
  const inTrace = {
    tenant: 'acme',
    actor: { kind: 'worker', id: 'worker-1' },
    correlationId: 'c',
    causationId: 'event-1',
    traceparent: 'trace-1',
    tracestate: 'state-1',
  };

  it('go on with the trace and correlation of what caused the work', () => {
    expect(workerContext(found, 'worker-1')).toStrictEqual(inTrace);
    expect(workerContext(found, 'worker-1', 'trace-2')).toStrictEqual({ ...inTrace, traceparent: 'trace-2' });
    const { traceparent: _, tracestate: __, ...metadata } = found.metadata;
    const { traceparent: ___, tracestate: ____, ...plain } = inTrace;
    expect(workerContext({ metadata }, 'worker-1')).toStrictEqual(plain);
  });

  it('are those of the system where it looks after abandoned work', () => {
    expect(sweeperContext(found, 'worker-1')).toStrictEqual({
      ...inTrace,
      actor: { kind: 'system', id: 'sweeper' },
    });
  });
});
