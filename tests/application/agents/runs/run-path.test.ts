import { describe, expect, it } from 'vitest';
import type { PlaceOnPath } from '../../../../application/agents/runs/run-path.ts';
import type { ToldEvent } from '../../../../application/agents/runs/told-event.ts';
import { agentWorld, type AgentWorldOptions, request } from '../../../support/agent/agent-world.ts';
import { scriptedExecutor } from '../../../support/agent/scripted-executor.ts';
import { callerOf } from '../../../support/conversations.ts';
import { idOf } from '../../../support/memory-parts.ts';

const ACME = callerOf('acme');

/** A thread of three runs below each other, and one beside the last. */
const thread = async (options: AgentWorldOptions = {}) => {
  const world = agentWorld(
    scriptedExecutor(() => [{ kind: 'text', step: 1, delta: 'So.' }]),
    options,
  );
  const ask = async (content: string, more: object = {}) => {
    const { record } = await world.create(ACME, request(content, more));
    await world.work(record.runId);
    return record;
  };
  const root = await ask('one');
  const { threadId } = root;
  const second = await ask('two', { threadId });
  const beside = await ask('beside', { threadId, parentRunId: second.runId });
  const last = await ask('three', { threadId, parentRunId: second.runId });
  const page = (limit: number, after?: PlaceOnPath) =>
    world.events.path(ACME, threadId, null, last.runId, { limit, ...(after && { after }) });
  return { world, page, threadId, beside, path: [root, second, last].map(({ runId }) => runId) };
};
const placesOf = (rows: readonly ToldEvent[]) => rows.map(({ runId, revision }) => `${runId}:${revision}`);

describe('the path to a run', () => {
  it('is told in pages as it is told at once, whatever their size', async () => {
    const { page, path } = await thread();
    const whole = await page(1_000);
    expect([whole.hasMore, (await page(whole.rows.length)).hasMore]).toEqual([false, false]);
    expect(placesOf(whole.rows)).toEqual(path.flatMap((id) => [0, 1, 2, 3].map((n) => `${id}:${n}`)));
    for (let limit = 1; limit <= whole.rows.length; limit++) {
      const told: ToldEvent[] = [];
      for (let more = true; more;) {
        const { rows, hasMore } = await page(limit, told.at(-1));
        expect(rows).toHaveLength(Math.min(limit, whole.rows.length - told.length));
        told.push(...rows);
        more = hasMore;
      }
      expect(told).toEqual(whole.rows);
    }
  });

  it('leads to no run that is not there, or of another thread', async () => {
    const { world, threadId } = await thread();
    const other = (await world.create(ACME, request('other'))).record;
    for (const runId of [other.runId, idOf(9)])
      await expect(world.events.path(ACME, threadId, null, runId, { limit: 5 })).rejects.toMatchObject({
        code: 'not_found',
      });
    const missing = world.events.path(ACME, threadId, 'jo', other.runId, { limit: 5 });
    await expect(missing).rejects.toMatchObject({ code: 'not_found' });
  });
});
