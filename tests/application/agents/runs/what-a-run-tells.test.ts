import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../../application/agents/runs/run-executor.ts';
import { askedRun } from '../../../support/agent/asked-run.ts';

const STEP: RunEvent = { kind: 'step', step: 1 };
const WELL = { messages: [], result: { done: true } };

describe('what a run tells', () => {
  const NOTE: RunEvent = { kind: 'note', code: 'seen', message: 'a note' };

  it('is no fact where the lease has run out while its words were kept', async () => {
    let out = false;
    const { world, id } = await askedRun(
      async (_run, emit) => {
        await emit(NOTE);
        await emit(NOTE);
        return WELL;
      },
      {
        vaultOfWorker: (vault) => ({
          ...vault,
          put: async (tenant, owner, bodies) => {
            await vault.put(tenant, owner, bodies);
            out = bodies.some(({ id: name }) => name.endsWith('/e1'));
          },
        }),
      },
    );
    await world.work(id, undefined, () => out);
    expect((await world.typesOf(id)).at(-1)).toBe('RunEmitted');
    expect((await world.typesOf(id)).filter((type) => type === 'RunEmitted')).toHaveLength(1);
  });

  it('is nothing where it cannot be begun: others may begin it', async () => {
    let away = true;
    const { world, id } = await askedRun(
      async (_run, emit) => {
        await emit(STEP);
        return WELL;
      },
      {
        storeOfWorker: (store) => ({
          ...store,
          append: (...of) => {
            if (!away) return store.append(...of);
            away = false;
            return Promise.reject(new Error('the connection broke'));
          },
        }),
      },
    );
    await expect(world.work(id)).rejects.toThrow('the connection broke');
    expect(await world.typesOf(id)).toEqual(['RunQueued']);
    await world.work(id);
    expect((await world.typesOf(id)).at(-1)).toBe('RunSucceeded');
  });
});
