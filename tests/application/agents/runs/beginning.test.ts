import { describe, expect, it } from 'vitest';
import type { RunExecutor } from '../../../../application/agents/runs/run-executor.ts';
import type { EventStore } from '../../../../application/ports/event-store.ts';
import type { Vault } from '../../../../application/ports/vault.ts';
import { agentRunStream } from '../../../../application/event-sourcing/streams.ts';
import { agentRun } from '../../../../domain/agent-run/index.ts';
import { agentWorld, request } from '../../../support/agent/agent-world.ts';
import { callerOf } from '../../../support/conversations.ts';

const ACME = callerOf('acme');
const CALLED = { kind: 'model_called', step: 1, model: 'm', messageCount: 1, request: {} } as const;
const SO = { messages: [{ role: 'assistant', content: 'It is so.' }], result: {} } as const;

/** A world whose worker writes down what it keeps: types of events, and names of texts. */
const watched = (
  execute: RunExecutor['execute'],
  vaultOfWorker: (vault: Vault) => Vault = (vault) => vault,
) => {
  const wrote: string[] = [];
  const storeOfWorker = (store: EventStore): EventStore => ({
    ...store,
    append: (stream, expected, events) => {
      wrote.push(events.map(({ type }) => type).join(' '));
      return store.append(stream, expected, events);
    },
  });
  const world = agentWorld(
    { execute },
    {
      storeOfWorker,
      vaultOfWorker: (vault) => ({
        ...vault,
        put: (tenant, owner, bodies) => {
          wrote.push(bodies.map(({ id }) => id.slice(id.lastIndexOf('/') + 1)).join(' '));
          return vaultOfWorker(vault).put(tenant, owner, bodies);
        },
      }),
    },
  );
  return { ...world, wrote };
};
const asked = async (world: ReturnType<typeof watched>) =>
  (await world.create(ACME, request('Is it so?'))).record;

describe('a run that is begun', () => {
  it('is not where somebody else was first: then nothing is asked, and nothing recorded, not even an end', async () => {
    const failed: unknown[] = [];
    let others = async (): Promise<void> => {};
    const world = watched(
      async ({ begun }, emit) => {
        const both = await Promise.allSettled([emit(CALLED), begun()]);
        failed.push(...both.map(({ status }) => status));
        throw new Error('not ours');
      },
      (vault) => ({
        ...vault,
        put: async (tenant, owner, bodies) => {
          await others();
          await vault.put(tenant, owner, bodies);
        },
      }),
    );
    const { runId } = await asked(world);
    others = async () => {
      others = async () => {};
      const nothing = { contextStartRunId: null, contextTruncated: false, contextMessages: 0 };
      const claim = { type: 'claim', workerId: 'other', ...nothing, contextDigest: '', at: 1 } as const;
      await world.execute(agentRun, agentRunStream(runId), claim, ACME.context);
      await world.cancel(ACME, runId, null, 0, new AbortController().signal);
    };
    await world.work(runId);
    expect(failed).toEqual(['rejected', 'rejected']);
    expect(await world.typesOf(runId)).toEqual(['RunQueued', 'RunStarted', 'RunCancelRequested']);
  });

  it('is so where its first texts could not be kept, and then fails', async () => {
    const world = watched(
      async (_run, emit) => {
        await emit(CALLED);
        return SO;
      },
      (vault) => ({ ...vault, put: () => Promise.reject(new Error('the disk is full')) }),
    );
    const { runId } = await asked(world);
    await world.work(runId);
    expect(await world.typesOf(runId)).toEqual(['RunQueued', 'RunStarted', 'RunFailed']);
  });

  it('is so where what it tells cannot even be written down, and then fails', async () => {
    const world = watched(async (_run, emit) => {
      await emit({ ...CALLED, request: { n: 1n } });
      return SO;
    });
    const { runId } = await asked(world);
    await world.work(runId);
    expect(await world.typesOf(runId)).toEqual(['RunQueued', 'RunStarted', 'RunFailed']);
  });
});
