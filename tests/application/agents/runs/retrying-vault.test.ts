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

  it('tells of each wait, for what, and waits no more once it is to stop', async () => {
    const told: unknown[] = [];
    const log = { ...silent, warn: (message: string, facts?: object) => void told.push([message, facts]) };
    const stop = new AbortController();
    const vault = createRetryingVault({
      vault: { put: () => Promise.reject(AWAY), read: () => Promise.reject(AWAY) } as unknown as Vault,
      isTransient,
      sleep: async () => stop.abort(),
      log,
      signal: stop.signal,
    });
    const away = { code: 'unavailable', message: 'the vault of runs is away' };
    await expect(vault.put('acme', 'owner', [])).rejects.toMatchObject(away);
    await expect(vault.read('acme', 'owner', [])).rejects.toMatchObject(away);
    const waiting = (what: string, wait: number) => [
      'waiting for the vault',
      { what, wait, error: 'the server stops' },
    ];
    expect(told).toEqual([waiting('put', 200), waiting('put', 400), waiting('read', 200)]);
  });
});
