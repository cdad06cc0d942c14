import { sweepVault } from '../../../../application/agents/sweep-vault.ts';
import { agentThreadStream } from '../../../../application/event-sourcing/streams.ts';
import { agentWorld, request } from '../../../support/agent/agent-world.ts';
import { ACME, askedRun } from '../../../support/agent/asked-run.ts';
import { scriptedExecutor } from '../../../support/agent/scripted-executor.ts';
import { callerOf } from '../../../support/conversations.ts';
import { idOf } from '../../../support/memory-parts.ts';
import { describe, expect, it } from 'vitest';

const AGE = { olderMs: 0, youngerMs: 3_600_000 };

const STRANGE = '0199d2a0-0000-7000-8000-00000000dead';

describe('sweep', () => {
  it('a sweep leaves what events name, and deletes what a crash has left between a body and its event', async () => {
    const world = agentWorld(
      scriptedExecutor(() => [
        { kind: 'step', step: 1 },
        { kind: 'text', step: 1, delta: 'It is so.' },
        { kind: 'note', code: 'seen', message: 'a note' },
        { kind: 'fails', code: 'provider_error', message: 'the provider refused' },
      ]),
    );
    const { vault, execute } = world;
    const sweep = () => sweepVault({ vault, execute }, new AbortController().signal, AGE);
    const { record } = await world.create(ACME, request('Is it so?', { title: 'So' }), 'key-1');
    const owner = agentThreadStream(record.threadId);
    expect(await sweep()).toEqual({ keys: 0, texts: 0 });
    await world.work(record.runId);
    await vault.put('acme', owner, [
      { id: `${record.runId}/e99`, text: 'kept, and never named' },
      { id: `${STRANGE}/request`, text: 'of a run that was refused' },
    ]);
    await vault.create('acme', agentThreadStream(STRANGE));
    await vault.put('acme', agentThreadStream(STRANGE), [{ id: `${STRANGE}/request`, text: 'never begun' }]);

    expect(await sweep()).toEqual({ keys: 1, texts: 3 });

    const [holding] = await vault.writtenBetween(AGE, '', 10);
    const names = holding?.ids.map((id) => id.slice(id.lastIndexOf('/') + 1)).toSorted();
    expect(names).toEqual(['e0', 'e1', 'error', 'fingerprint', 'request', 'salt', 'title']);
    const { record: failed } = await world.read(ACME, record.runId, null);
    expect(failed).toMatchObject({ status: 'FAILED', title: 'So', errorMessage: 'the provider refused' });
    await world.remove(ACME, record.threadId, null);
    await vault.create('acme', owner);
    expect(await sweep()).toEqual({ keys: 1, texts: 0 });
  });

  describe('a sweep', () => {
    const opened = (script: Parameters<typeof scriptedExecutor>[0] = () => []) => {
      const world = agentWorld(scriptedExecutor(script));
      const { vault, execute } = world;
      const put = (threadId: string, id: string) =>
        vault.put('acme', agentThreadStream(threadId), [{ id, text: 'a text' }]);
      return { world, put, sweep: () => sweepVault({ vault, execute }, new AbortController().signal, AGE) };
    };
    const nothing = { keys: 0, texts: 0 };

    it('leaves all of a run that is under way, or that its thread has admitted and nobody has begun', async () => {
      const { world, put, sweep } = opened();
      const { record } = await world.create(ACME, request('Is it so?'));
      await put(record.threadId, `${record.runId}/e9`);
      expect(await sweep()).toEqual(nothing);
      world.onAppend((append, stream) =>
        stream.startsWith('agentRun-') ? Promise.reject(new Error('killed')) : append(),
      );
      await expect(world.create(ACME, request('another'))).rejects.toThrow('killed');
      expect(await sweep()).toEqual(nothing);
    });

    it('leaves what was handed over of a run that failed, and what was asked of one that was canceled', async () => {
      const { world, put, sweep } = opened(() => [
        { kind: 'handed_over', runtimeArn: 'arn:x', runtimeSessionId: 's', request: '{}' },
        { kind: 'fails', code: 'x', message: 'it broke' },
      ]);
      const { record } = await world.create(ACME, request('Is it so?'));
      await world.work(record.runId);
      expect(await sweep()).toEqual(nothing);
      const canceled = (await world.create(ACME, request('another'))).record;
      await world.cancel(ACME, canceled.runId, null, 0, new AbortController().signal);
      await put(canceled.threadId, `${canceled.runId}/e9`);
      expect(await sweep()).toEqual({ keys: 0, texts: 1 });
      expect((await world.read(ACME, canceled.runId, null)).record.status).toBe('CANCELLED');
    });
  });
});

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
      ['info', 'a run of a deleted thread could not be cancelled', { runId: id, error: 'the log is away' }],
    ]);
  });
});
