import type { AgentView } from '../../../../application/ports/agent-view.ts';
import type { Vault } from '../../../../application/ports/vault.ts';
import { agentWorld, request } from '../../../support/agent/agent-world.ts';
import { scriptedExecutor } from '../../../support/agent/scripted-executor.ts';
import { callerOf } from '../../../support/conversations.ts';
import { describe, expect, it } from 'vitest';

const ACME = callerOf('acme');
const RUNS = 60;

/** The last run of a thread: the messages before it, and the ids of texts that its worker read, by read. */
const lastOf = async (contextTokens: number, view: Partial<AgentView> = {}) => {
  const reads: (readonly string[])[] = [];
  const executor = scriptedExecutor(() => [{ kind: 'text', step: 1, delta: 'It is so.' }]);
  const counted = (vault: Vault): Vault => ({
    ...vault,
    read: (tenant, owner, ids) => {
      reads.push(ids);
      return vault.read(tenant, owner, ids);
    },
  });
  const world = agentWorld(executor, { contextTokens, view, vaultOfWorker: counted });
  let threadId: string | undefined;
  for (let nth = 1; nth <= RUNS; nth++) {
    const more = threadId === undefined ? {} : { threadId };
    const { record } = await world.create(ACME, request(`Is ${nth} so?`, more));
    threadId = record.threadId;
    reads.length = 0;
    await world.work(record.runId);
  }
  return { history: executor.executed.at(-1)!.history, reads };
};

describe('the last run of a long thread', () => {
  it('has all runs before it, and reads many of them at once', async () => {
    const { history, reads } = await lastOf(100_000);
    const asked = history.filter(({ role }) => role === 'user').map(({ content }) => content);
    expect(asked).toEqual(Array.from({ length: RUNS - 1 }, (_, i) => `Is ${i + 1} so?`));
    expect(reads.length).toBeLessThan(8);
  });

  it('has the same before it where the view lags behind', async () => {
    const { history } = await lastOf(100_000);
    expect((await lastOf(100_000, { lineOf: async () => [] })).history).toEqual(history);
  });

  it('reads little more than fits', async () => {
    const { history, reads } = await lastOf(90);
    expect(history.length).toBeGreaterThan(4);
    expect(reads.flat().length).toBeLessThan(3 * history.length);
  });
});
