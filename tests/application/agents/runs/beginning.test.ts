import { describe, expect, it } from 'vitest';
import type { RunEvent, RunExecutor } from '../../../../application/agents/runs/run-executor.ts';
import type { EventStore } from '../../../../application/ports/event-store.ts';
import type { Vault } from '../../../../application/ports/vault.ts';
import { agentRunStream } from '../../../../application/event-sourcing/streams.ts';
import { agentRun } from '../../../../domain/agent-run/index.ts';
import { agentWorld, request } from '../../../support/agent/agent-world.ts';
import { callerOf } from '../../../support/conversations.ts';

const ACME = callerOf('acme');
const STEP: RunEvent = { kind: 'step', step: 1 };
const CALLED = { kind: 'model_called', step: 1, model: 'm', messageCount: 1, request: {} } as const;
const SAYS: RunEvent = { kind: 'text', step: 1, delta: 'It is so.' };
const ANSWERED: RunEvent = {
  kind: 'model_answered',
  step: 1,
  model: 'm',
  usage: null,
  finishReason: 'stop',
  message: { role: 'assistant', content: 'It is so.' },
};
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
  it('is so together with what it asks first, and ends together with an answer that comes as a whole', async () => {
    const world = watched(async (_run, emit) => {
      await Promise.all([emit(STEP), emit(CALLED)]);
      void emit(SAYS);
      void emit(ANSWERED);
      return SO;
    });
    const { runId } = await asked(world);
    await world.work(runId);
    expect(world.wrote).toEqual([
      'e0',
      'RunStarted RunEmitted RunEmitted',
      'e1 e2 messages result',
      'RunEmitted RunEmitted RunSucceeded',
    ]);
  });

  it('is so for ever once it was waited for, with nothing else asked', async () => {
    const types: (readonly string[])[] = [];
    const world = watched(async ({ runId, begun }) => {
      await begun();
      types.push(await world.typesOf(runId));
      return SO;
    });
    const { runId } = await asked(world);
    await world.work(runId);
    expect(types).toEqual([['RunQueued', 'RunStarted']]);
  });

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

  it('names what two workers keep apart, of whom one begins it', async () => {
    const ids: string[] = [];
    const world = watched(
      async (_run, emit) => {
        await emit(CALLED);
        return SO;
      },
      (vault) => ({
        ...vault,
        put: (tenant, owner, bodies) => {
          ids.push(...bodies.map(({ id }) => id));
          return vault.put(tenant, owner, bodies);
        },
      }),
    );
    const { runId } = await asked(world);
    await Promise.all([world.work(runId), world.work(runId)]);
    const [first, second] = ids.filter((id) => id.endsWith('/e0'));
    expect(first).not.toBe(second);
    const events = await world.store.readStream(agentRunStream(runId));
    expect(events.map(({ type }) => type)).toEqual(['RunQueued', 'RunStarted', 'RunEmitted', 'RunSucceeded']);
  });
});
