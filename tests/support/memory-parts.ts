import { createMemoryEventStore } from './memory/event-store.ts';
import { sha256 } from '../../adapters/system/identity.ts';
import { createEventCodec } from '../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../application/event-sourcing/execute.ts';
import { dataSourceStream } from '../../application/event-sourcing/streams.ts';
import { dataSource } from '../../domain/data-source/index.ts';
import { claimed, begun, created, deleted, purged, type Step } from '../domain/data-source/job-steps.ts';
import { callerOf, NOW } from './conversations.ts';
import { countingIds } from './ids.ts';

/** What operations write through, in memory: numbered ids, and a clock that the test moves. */
export const memoryParts = () => {
  const time = { now: NOW };
  const store = createMemoryEventStore(() => time.now);
  const ids = countingIds();
  const codec = createEventCodec();
  const execute = createExecute({ store, codec, ids });
  return {
    store,
    codec,
    execute,
    ids,
    time,
    clock: { now: () => time.now },
    hash: sha256,
    /** Data of the events of a stream, each with its type, as they are stored. */
    stored: async (stream: string) =>
      (await store.readStream(stream)).map(({ type, data }) => ({ type, ...data })),
    /** What a data source goes through. */
    dataSource: async (id: string, steps: readonly Step[], tenant = 'acme'): Promise<void> => {
      const stream = dataSourceStream(id);
      const { context } = callerOf(tenant);
      for (const step of steps) {
        const state = (await execute.load(dataSource, stream, tenant))?.state ?? dataSource.initial;
        await execute(dataSource, stream, step(state, (time.now += 100_000)), context);
      }
    },
  };
};
export type MemoryParts = ReturnType<typeof memoryParts>;

/** Of a data source: it is there; its deletion was asked for; it is gone. */
export const THERE: readonly Step[] = [created];
export const AT_WORK: readonly Step[] = [created, claimed, begun];
export const DELETING: readonly Step[] = [created, deleted];
export const GONE: readonly Step[] = [created, deleted, purged];

/** An id of something, numbered. */
export const idOf = (n: number): string => `01a00000-0000-7000-8000-${String(n).padStart(12, '0')}`;
