import { describe, expect, it } from 'vitest';
import { isTransient } from '../../../../adapters/postgres/connection.ts';
import { createRetryingVault } from '../../../../application/agents/runs/retrying-vault.ts';
import { KeyDestroyed, type Vault } from '../../../../application/ports/vault.ts';
import { agentWorld, request } from '../../../support/agent/agent-world.ts';
import { scriptedExecutor } from '../../../support/agent/scripted-executor.ts';
import { callerOf } from '../../../support/conversations.ts';
import { silent } from '../../../support/silent.ts';

const ACME = callerOf('acme');
const AWAY = Object.assign(new Error('the server stops'), { code: '57P01' });

/** A run whose worker finds the vault away so many times, from its first text on. */
const ranWith = async (failures: number, error: Error = AWAY) => {
  let left = failures;
  const slept: number[] = [];
  const retrying = (vault: Vault): Vault =>
    createRetryingVault({
      vault: {
        ...vault,
        put: async (...args) => {
          if (left-- > 0) throw error;
          return vault.put(...args);
        },
      },
      isTransient,
      sleep: async (ms) => void slept.push(ms),
      log: silent,
      signal: new AbortController().signal,
    });
  const executor = scriptedExecutor(() => [
    { kind: 'step', step: 1 },
    { kind: 'text', step: 1, delta: 'It is so.' },
  ]);
  const world = agentWorld(executor, { vaultOfWorker: retrying });
  const { record } = await world.create(ACME, request('Is it so?'));
  await world.work(record.runId);
  const { record: run } = await world.read(ACME, record.runId, null);
  return { run, slept, types: await world.typesOf(record.runId) };
};

describe('a run whose vault is away', () => {
  it('waits for it, with growing pauses, and keeps everything once', async () => {
    const { run, slept, types } = await ranWith(5);
    expect(run.status).toBe('SUCCEEDED');
    expect(slept).toEqual([200, 400, 800, 1_600, 2_000]);
    expect(types).toEqual(['RunQueued', 'RunStarted', 'RunEmitted', 'RunEmitted', 'RunSucceeded']);
  });

  it('fails as unavailable where that takes too long', async () => {
    const { run } = await ranWith(Infinity);
    expect([run.status, run.error?.code]).toEqual(['FAILED', 'unavailable']);
    expect(run.errorMessage).toContain('send it again as a sibling');
  });

  it('does not wait where waiting does not help', async () => {
    const { slept } = await ranWith(1, new KeyDestroyed('it has no data key'));
    expect(slept).toEqual([]);
  });
});
