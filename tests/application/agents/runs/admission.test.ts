import { describe, expect, it } from 'vitest';
import { textPatterns } from '../../../../adapters/system/patterns/text-patterns.ts';
import { createRulesFor, redactJson } from '../../../../application/agents/runs/bodies.ts';
import type { RunRequest } from '../../../../application/agents/runs/run-request.ts';
import { compileRules } from '../../../../application/redaction/redactor.ts';
import { agentRunStream, agentThreadStream } from '../../../../application/event-sourcing/streams.ts';
import { agentThread } from '../../../../domain/agent-thread/decider.ts';
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
  it('is known to its thread and has a stream of its own, with all that was asked for but the words', async () => {
    const world = opened();
    const group = idOf(7);
    const caller = callerOf('acme', [group]);
    const more = {
      principalId: 'jo',
      authzPolicy: 'readers',
      title: 'So',
      workflowType: 'research',
      provider: 'PROVIDER_B',
      inputHistoryMode: 'legacy_full',
    } as const;
    const { record } = await world.create(caller, request('Is it so?', more));
    const [started, admitted] = await world.store.readStream(agentThreadStream(record.threadId));
    expect(started).toMatchObject({ type: 'AgentThreadStarted', data: { principal_id: 'jo' } });
    const facts = {
      principal_id: 'jo',
      parent_run_id: null,
      after_run_id: null,
      workflow_type: 'research',
      provider: 'PROVIDER_B',
      execution_mode: 'LOCAL',
      runtime_arn: null,
      input_history_mode: 'legacy_full',
      key_id: 'key-1',
      source_group_ids: [group],
      reach: [group],
      authz_policy: 'readers',
      titled: true,
    };
    const first = { ...facts, run_id: record.runId, ended: [] };
    expect(admitted).toMatchObject({ type: 'RunAdmitted', data: first });
    const [queued] = await world.store.readStream(agentRunStream(record.runId));
    expect(queued).toMatchObject({ type: 'RunQueued', data: { ...facts, thread_id: record.threadId } });
    const names = Object.keys(queued!.data);
    expect(names).not.toContain('run_id');
    expect(names).not.toContain('ended');
    const plain = await ask(world, 'plain');
    const [, second] = await world.store.readStream(agentThreadStream(plain.threadId));
    expect(second?.data).toMatchObject({ authz_policy: null, titled: false });
    expect(Object.keys(second!.data)).toContain('parent_run_id');
  });

  it('has its words in the vault, with a salt of its own, and a title where it has one', async () => {
    const world = opened();
    const one = await ask(world, 'one', { title: 'One' });
    const two = await ask(world, 'two');
    expect(await textsOf(world, one.threadId)).toEqual(['request', 'salt', 'title']);
    expect(await textsOf(world, two.threadId)).toEqual(['request', 'salt']);
    const saltOf = async ({ threadId, runId }: typeof one) =>
      (await world.vault.read('acme', agentThreadStream(threadId), [`${runId}/salt`]))?.get(`${runId}/salt`);
    const [first, second] = [await saltOf(one), await saltOf(two)];
    expect(first).toMatch(/^\S{36} \S{36}$/);
    expect(second).not.toBe(first);
    const texts = await world.vault.read('acme', agentThreadStream(one.threadId), [`${one.runId}/title`]);
    expect([...texts!.values()]).toEqual(['One']);
  });

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

  it('is refused under a parent that its thread has not, and says which', async () => {
    const world = opened();
    const { threadId, runId } = await ask(world, 'first');
    const other = await ask(world, 'other');
    const missing = { code: 'not_found', message: 'there is no such run in the thread' };
    for (const parentRunId of [other.runId, idOf(9)])
      await expect(ask(world, 'more', { threadId, parentRunId })).rejects.toMatchObject(missing);
    await world.work(runId);
    expect((await ask(world, 'more', { threadId, parentRunId: runId })).parentRunId).toBe(runId);
  });

  it('may stand under the newest also where the stream of that has not begun: the thread knows it', async () => {
    const world = opened();
    const { threadId, runId } = await ask(world, 'first');
    await world.work(runId);
    const mend = world.onAppend((append, stream) =>
      stream.startsWith('agentRun-') ? Promise.reject(new Error('killed')) : append(),
    );
    await expect(ask(world, 'second', { threadId })).rejects.toThrow('killed');
    mend();
    const newest = (await world.store.readStream(agentThreadStream(threadId))).at(-1);
    const parentRunId = newest!.data['run_id'] as string;
    const third = await ask(world, 'third', { threadId, parentRunId, concurrency: 'enqueue' });
    expect([third.parentRunId, third.afterRunId]).toEqual([parentRunId, parentRunId]);
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

  it('settles those before it that are over by now', async () => {
    const world = opened();
    const first = await ask(world, 'first');
    const { threadId } = first;
    await world.work(first.runId);
    await ask(world, 'second', { threadId });
    const [, , admitted] = await world.store.readStream(agentThreadStream(threadId));
    expect(admitted?.data).toMatchObject({ ended: [first.runId] });
    const third = await ask(world, 'third', { threadId, concurrency: 'enqueue' });
    const last = (await world.store.readStream(agentThreadStream(threadId))).at(-1);
    expect(last?.data).toMatchObject({ run_id: third.runId, ended: [] });
  });

  it('is queued all the same where whoever asked has gone since', async () => {
    const world = opened();
    const gone = new AbortController();
    const caller = { ...ACME, context: { ...ACME.context, signal: gone.signal } };
    world.onAppend(async (append) => {
      const result = await append();
      gone.abort();
      return result;
    });
    const { record } = await world.create(caller, request('Is it so?'));
    expect(await world.typesOf(record.runId)).toEqual(['RunQueued']);
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

  it('leaves its words where nobody knows what was written', async () => {
    const world = opened();
    const mend = world.onAppend(() => Promise.reject(new Error('the connection broke')));
    await expect(ask(world, 'first')).rejects.toThrow('the connection broke');
    mend();
    const [held] = await world.vault.writtenBetween({ olderMs: 0, youngerMs: 9e9 }, '', 99);
    expect(held?.ids).toHaveLength(2);
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

  it('is one of a thread whose key is gone', async () => {
    const world = opened();
    const { threadId, runId } = await ask(world, 'first');
    await world.work(runId);
    await world.vault.destroy('acme', agentThreadStream(threadId));
    await expect(ask(world, 'second', { threadId })).rejects.toMatchObject({
      code: 'not_found',
      message: 'there is no such thread',
    });
    Object.assign(world.vault, { create: () => Promise.reject(new Error('the disk is full')) });
    await expect(ask(world, 'third')).rejects.toThrow('the disk is full');
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

  it('finds its own admission among those of its thread', async () => {
    const world = opened();
    const first = await ask(world, 'first');
    const { threadId } = first;
    const mend = world.onAppend((append, stream) =>
      stream.startsWith('agentRun-') ? Promise.reject(new Error('killed')) : append(),
    );
    const more = { threadId, concurrency: 'enqueue', workflowType: 'research' } as const;
    await expect(ask(world, 'once', more, 'key')).rejects.toThrow('killed');
    mend();
    await ask(world, 'third', { threadId, concurrency: 'enqueue' });
    const again = await ask(world, 'once', more, 'key');
    expect(again).toMatchObject({ workflowType: 'research', afterRunId: first.runId });
    const admitted = await world.execute.history(agentThread, agentThreadStream(threadId), 'acme');
    expect(admitted.filter(({ event }) => event.type === 'RunAdmitted')).toHaveLength(3);
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

  it('is hidden in every text of a JSON text, and in what is none', () => {
    const rules = compileRules([{ name: 'mail', kind: 'email' }], textPatterns);
    expect(redactJson('{"a":["to jo@example.org",1]}', rules)).toBe('{"a":["to [mail]",1]}');
    expect(redactJson('to jo@example.org {', rules)).toBe('to [mail] {');
    const none = { ...rules, rules: [] };
    const spaced = '{ "a": 1 }';
    expect(redactJson(spaced, none)).toBe(spaced);
  });
});
