import { describe, expect, it } from 'vitest';
import { createRulesFor } from '../../../../application/agents/runs/bodies.ts';
import type { RunRequest } from '../../../../application/agents/runs/run-request.ts';
import { agentThreadStream } from '../../../../application/event-sourcing/streams.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { agentWorld, request } from '../../../support/agent/agent-world.ts';
import { scriptedExecutor } from '../../../support/agent/scripted-executor.ts';
import { callerOf, refused } from '../../../support/conversations.ts';
import { idOf } from '../../../support/memory-parts.ts';

const ACME = callerOf('acme');
const opened = () => agentWorld(scriptedExecutor(() => []));
type World = ReturnType<typeof opened>;
const ask = async (world: World, content: string, more: Partial<RunRequest> = {}, key?: string) =>
  (await world.create(ACME, request(content, more), key)).record;
/** Names of the texts that the vault holds of a thread, without their runs. */
const textsOf = async ({ vault }: World, threadId: string): Promise<readonly string[] | null> => {
  const held = await vault.writtenBetween({ olderMs: 0, youngerMs: 9e9 }, '', 99);
  const own = held.find(({ owner }) => owner === agentThreadStream(threadId));
  return own === undefined ? null : own.ids.map((id) => id.slice(id.indexOf('/') + 1)).toSorted();
};

describe('a run that is admitted', () => {
  it('stands under the newest, beside the first where no parent is wanted, or under any of its thread', async () => {
    const world = opened();
    const first = await ask(world, 'first');
    const { threadId } = first;
    await world.work(first.runId);
    const second = await ask(world, 'second', { threadId });
    await world.work(second.runId);
    const root = await ask(world, 'root', { threadId, parentRunId: null });
    await world.work(root.runId);
    const under = await ask(world, 'under', { threadId, parentRunId: first.runId });
    expect([second, root, under].map(({ parentRunId }) => parentRunId)).toEqual([
      first.runId,
      null,
      first.runId,
    ]);
  });

  it.each([undefined, 'key'])('is answered as it is where a worker was quicker, with key %s', async (key) => {
    const world = opened();
    let first = true;
    world.onAppend(async (append, stream) => {
      if (first && stream.startsWith('agentRun-')) {
        first = false;
        await world.work(stream.slice('agentRun-'.length));
      }
      return append();
    });
    const made = await world.create(ACME, request('Is it so?'), key);
    expect([made.record.status, made.changed, made.replayed]).toEqual(['SUCCEEDED', true, false]);
    expect(made.record).toEqual((await world.read(ACME, made.record.runId, null)).record);
  });

  it('is not let into a thread that has come to tell of more than its key may see', async () => {
    const world = opened();
    const narrow = callerOf('acme', [idOf(7)]);
    const { threadId, runId } = (await world.create(narrow, request('first'))).record;
    await world.work(runId);
    const { put } = world.vault;
    const widening: typeof put = async (...of) => {
      await put(...of);
      Object.assign(world.vault, { put });
      await ask(world, 'wider', { threadId });
    };
    Object.assign(world.vault, { put: widening });
    const more = { threadId, concurrency: 'enqueue' } as const;
    expect(await refused(world.create(narrow, request('second', more)))).toBe('not_found');
  });
});

describe('a run that is refused', () => {
  it('leaves no key of a thread that never began', async () => {
    const world = opened();
    const { threadId } = await ask(world, 'first');
    const before = await world.vault.writtenBetween({ olderMs: 0, youngerMs: 9e9 }, '', 99);
    const mend = world.onAppend(() => Promise.reject(new DomainError('unavailable', 'the log is away')));
    await expect(ask(world, 'second')).rejects.toMatchObject({ code: 'unavailable' });
    mend();
    expect(await world.vault.writtenBetween({ olderMs: 0, youngerMs: 9e9 }, '', 99)).toEqual(before);
    expect(await textsOf(world, threadId)).toEqual(['request', 'salt']);
  });

  it('leaves no word in a thread that goes on, and takes none of the others', async () => {
    const world = opened();
    const { threadId } = await ask(world, 'first');
    expect(await refused(ask(world, 'second', { threadId, title: 'Two' }))).toBe('thread_busy');
    expect(await textsOf(world, threadId)).toEqual(['request', 'salt']);
  });

  it('leaves its words where another with the same key may have been admitted with them', async () => {
    const world = opened();
    const { threadId } = await ask(world, 'first');
    expect(await refused(ask(world, 'second', { threadId }, 'key'))).toBe('thread_busy');
    expect(await textsOf(world, threadId)).toEqual(['fingerprint', 'request', 'request', 'salt', 'salt']);
  });

  it('is one of a thread that is deleted while it is asked for', async () => {
    const world = opened();
    const { threadId, runId } = await ask(world, 'first');
    await world.work(runId);
    const { put } = world.vault;
    const deleting: typeof put = async (...of) => {
      await put(...of);
      Object.assign(world.vault, { put });
      await world.remove(ACME, threadId, null);
    };
    Object.assign(world.vault, { put: deleting });
    expect(await refused(ask(world, 'second', { threadId }))).toBe('not_found');
    expect(await textsOf(world, threadId)).toBeNull();
    expect(await refused(ask(world, 'third', { threadId }))).toBe('not_found');
  });
});

describe('a request that was broken off after its admission', () => {
  it('is answered with its run when it comes again with its key', async () => {
    const world = opened();
    const mend = world.onAppend((append, stream) =>
      stream.startsWith('agentRun-') ? Promise.reject(new Error('killed')) : append(),
    );
    await expect(ask(world, 'once', { title: 'One' }, 'key')).rejects.toThrow('killed');
    mend();
    const again = await world.create(ACME, request('once', { title: 'One' }), 'key');
    expect(again.record).toMatchObject({ status: 'QUEUED', title: 'One', idempotencyKey: 'key' });
    const thread = await world.store.readStream(agentThreadStream(again.record.threadId));
    expect(thread.map(({ type }) => type)).toEqual(['AgentThreadStarted', 'RunAdmitted']);
    expect(thread[1]?.data).toMatchObject({ run_id: again.record.runId });
    expect(await world.typesOf(again.record.runId)).toEqual(['RunQueued']);
  });
});

describe('what policies hide of runs', () => {
  it('is what those for agents hide', async () => {
    const asked: string[] = [];
    const compiled = { rules: [], replacements: null as never };
    const at = async (tenant: string, scope: string) => {
      asked.push(`${tenant} ${scope}`);
      return { rules: [], compiled };
    };
    expect(await createRulesFor({ at, forget: () => {} })('acme')).toBe(compiled);
    expect(asked).toEqual(['acme agent']);
  });
});
