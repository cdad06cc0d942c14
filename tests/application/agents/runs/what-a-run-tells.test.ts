import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../../application/agents/runs/run-executor.ts';
import { askedRun } from '../../../support/agent/asked-run.ts';

const STEP: RunEvent = { kind: 'step', step: 1 };
const WELL = { messages: [], result: { done: true } };

describe('what a run tells', () => {
  const NOTE: RunEvent = { kind: 'note', code: 'seen', message: 'a note' };

  it('is written down no more once its lease has run out, neither words nor facts', async () => {
    let out = false;
    const { world, id } = await askedRun(async (_run, emit) => {
      await emit(NOTE);
      out = true;
      await emit(NOTE);
      return WELL;
    });
    await world.work(id, undefined, () => out);
    const [held] = await world.vault.writtenBetween({ olderMs: 0, youngerMs: 9e9 }, '', 9);
    expect(held?.ids.filter((one) => /\/e\d+$/.test(one))).toHaveLength(1);
    expect((await world.typesOf(id)).filter((type) => type === 'RunEmitted')).toHaveLength(1);
  });

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

  it('ends it as broken where it cannot be kept once it has begun', async () => {
    const { world, id, read } = await askedRun(
      async (_run, emit) => {
        await emit(NOTE);
        await emit(NOTE);
        return WELL;
      },
      {
        vaultOfWorker: (vault) => ({
          ...vault,
          put: (tenant, owner, bodies) =>
            bodies.some(({ id: name }) => name.endsWith('/e1'))
              ? Promise.reject(new Error('the disk is full'))
              : vault.put(tenant, owner, bodies),
        }),
      },
    );
    await world.work(id);
    expect(await read()).toMatchObject({ status: 'FAILED', error: { code: 'internal_error' } });
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

  it('is told at once, where it is text, when 2,000 characters of it have come', async () => {
    const told: number[] = [];
    const text = (length: number): RunEvent => ({ kind: 'text', step: 1, delta: 'x'.repeat(length) });
    const { world, id } = await askedRun(async (_run, emit) => {
      for (const length of [1, 1_999, 1]) {
        await emit(text(length));
        told.push((await world.typesOf(id)).filter((type) => type === 'RunEmitted').length);
      }
      return WELL;
    });
    await world.work(id);
    expect(told).toEqual([1, 1, 2]);
  });

  it('leaves no timer behind', async () => {
    const { world, id } = await askedRun(async (_run, emit) => {
      await emit(STEP);
      return WELL;
    });
    await world.work(id);
    expect(world.timers).toEqual([]);
  });
});
