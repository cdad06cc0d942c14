import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import { createExecute, type Execute } from '../../../application/event-sourcing/execute.ts';
import { WaitedTooLong } from '../../../application/event-sourcing/back-off.ts';
import type { EventStore } from '../../../application/ports/event-store.ts';
import { tagStream } from '../../../application/event-sourcing/streams.ts';
import { tag, type TagCommand } from '../../../domain/tag/decider.ts';
import { countingIds } from '../../support/ids.ts';
import { createTag as create } from '../../support/tag-commands.ts';
import { scheduledStore } from '../../support/scheduled-store.ts';

const STREAM = tagStream('acme');
const CONTEXT = {
  tenant: 'acme',
  actor: { kind: 'api_key', id: 'key-1' } as const,
  correlationId: 'c',
  causationId: 'c',
};
const codec = createEventCodec();
const run = (execute: Execute, command: TagCommand, signal?: AbortSignal) =>
  execute(tag, STREAM, command, { ...CONTEXT, ...(signal !== undefined && { signal }) });

/** Processes over one store, and what their appends met there. */
const processesOver = (count: number, wrap: (store: EventStore) => EventStore = (store) => store) => {
  const memory = createMemoryEventStore(() => 1);
  const shared = wrap(memory);
  const appends = { sent: 0, refused: 0 };
  const store: EventStore = {
    ...shared,
    append: async (...args) => {
      appends.sent += 1;
      return shared.append(...args).catch((error: unknown) => {
        appends.refused += 1;
        throw error;
      });
    },
  };
  const ids = countingIds();
  const processes = Array.from({ length: count }, () => createExecute({ store, codec, ids }));
  return { memory, processes, appends };
};

describe('writes to one stream that do not contradict each other', () => {
  it('are appended one after the other within a process, in the order in which they came', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const { processes, appends } = processesOver(1, (store) => scheduledStore(scheduler, store));
        const all = Array.from({ length: 64 }, (_, i) => run(processes[0]!, create(`tag ${i}`)));
        const done = await scheduler.waitFor(Promise.all(all));
        expect(done.map(({ revision }) => revision)).toStrictEqual(done.map((_, i) => BigInt(i)));
        expect(appends).toStrictEqual({ sent: 64, refused: 0 });
      }),
      { numRuns: 10 },
    );
  });

  it('all succeed over two processes', async () => {
    const refused: number[] = [];
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const { memory, processes, appends } = processesOver(2, (store) => scheduledStore(scheduler, store));
        const all = Array.from({ length: 64 }, (_, i) => run(processes[i % 2]!, create(`tag ${i}`)));
        await scheduler.waitFor(Promise.all(all));
        const names = (await memory.readStream(STREAM)).map(({ data }) => data['name']);
        expect([names.length, new Set(names).size]).toStrictEqual([64, 64]);
        refused.push(appends.refused);
      }),
      { numRuns: 10 },
    );
    expect(Math.max(...refused)).toBeGreaterThan(0);
  });

  it('come before what was sent later, however many keep writing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 16 }), async (scheduler, writers) => {
        const { processes } = processesOver(1, (store) => scheduledStore(scheduler, store));
        const [execute] = processes as [Execute];
        let written = 0;
        const removed = new AbortController();
        const write = async (writer: number): Promise<void> => {
          for (let i = 0; !removed.signal.aborted; i += 1) {
            await run(execute, create(`${writer} ${i}`));
            written += 1;
          }
        };
        await scheduler.waitFor(run(execute, create('leaked')));
        const flow = Array.from({ length: writers }, (_, writer) => write(writer));
        const remove = async (): Promise<void> => {
          await run(execute, { type: 'delete', tagId: 'leaked', at: 2 });
          removed.abort();
          expect(written).toBeLessThanOrEqual(writers);
        };
        await scheduler.waitFor(Promise.all([...flow, remove()]));
      }),
      { numRuns: 30 },
    );
  });
});

describe('a command that waits in line', () => {
  /** A process whose first append is held back. */
  const blocked = () => {
    const release = Promise.withResolvers<void>();
    let first: Promise<void> | null = release.promise;
    const opened = processesOver(1, (store) => ({
      ...store,
      append: async (...args) => {
        const wait = first;
        first = null;
        await wait;
        return store.append(...args);
      },
    }));
    return { ...opened, execute: opened.processes[0]!, release: release.resolve };
  };

  it('is given up when its caller has gone, and the others go on', async () => {
    const { memory, execute, release } = blocked();
    const gone = new AbortController();
    const first = run(execute, create('first'));
    const left = run(execute, create('left'), gone.signal);
    const last = run(execute, create('last'));
    gone.abort();
    await expect(left).rejects.toBeInstanceOf(WaitedTooLong);
    release();
    await Promise.all([first, last]);
    expect((await memory.readStream(STREAM)).map(({ data }) => data['name'])).toStrictEqual([
      'first',
      'last',
    ]);
  });

  it('whose append is under way is answered though its caller has gone', async () => {
    const { memory, execute, release } = blocked();
    const gone = new AbortController();
    const sent = run(execute, create('sent'), gone.signal);
    await Promise.resolve();
    gone.abort();
    release();
    expect((await sent).events).toHaveLength(1);
    expect(await memory.readStream(STREAM)).toHaveLength(1);
  });
});
