import { describe, expect, it } from 'vitest';
import { agentThreadStream } from '../../../../application/event-sourcing/streams.ts';
import { request } from '../../../support/agent/agent-world.ts';
import { ACME, askedRun } from '../../../support/agent/asked-run.ts';
import { callerOf } from '../../../support/conversations.ts';
import { idOf } from '../../../support/memory-parts.ts';

const WELL = { messages: [], result: { done: true } };

describe('a thread that is deleted', () => {
  it('is marked as gone with its runs, at the revision and place of the fact', async () => {
    const { world, run } = await askedRun(async () => WELL);
    const { record, position, changed } = await world.remove(ACME, run.threadId, null);
    const last = (await world.store.readStream(agentThreadStream(run.threadId))).at(-1);
    expect([record, changed, position]).toEqual([run.threadId, true, last?.position]);
    const row = { id: run.threadId, tenant: 'acme', revision: last?.revision };
    expect(world.gone).toEqual([
      ['agent_thread', row, position],
      ['agent_run', row, position],
    ]);
  });

  it('is not by a key that may not see any more what it tells', async () => {
    const narrow = callerOf('acme', [idOf(7)]);
    const { world, run } = await askedRun(async () => WELL, { caller: narrow });
    const { destroy } = world.vault;
    const widening: typeof destroy = async (...of) => {
      const more = { threadId: run.threadId, concurrency: 'enqueue' } as const;
      await world.create(ACME, request('wider', more));
      await destroy(...of);
    };
    Object.assign(world.vault, { destroy: widening });
    await expect(world.remove(narrow, run.threadId, null)).rejects.toMatchObject({ code: 'not_found' });
    expect(world.gone).toEqual([]);
  });

  it('is so also where its runs cannot be told to stop, which is told', async () => {
    const { world, id, run, logged } = await askedRun(async () => WELL);
    world.onAppend((append, stream) =>
      stream.startsWith('agentRun-') ? Promise.reject(new Error('the log is away')) : append(),
    );
    expect((await world.remove(ACME, run.threadId, null)).changed).toBe(true);
    expect(logged).toEqual([
      ['info', 'a run of a deleted thread was not told to stop', { runId: id, error: 'the log is away' }],
    ]);
  });
});
