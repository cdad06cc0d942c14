import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../adapters/system/identity.ts';
import type { RunRequest } from '../../../../application/agents/runs/run-request.ts';
import { derivedId } from '../../../../application/event-sourcing/derived-id.ts';
import { agentThreadStream, idempotencyStream } from '../../../../application/event-sourcing/streams.ts';
import { agentWorld, request } from '../../../support/agent/agent-world.ts';
import { scriptedExecutor } from '../../../support/agent/scripted-executor.ts';
import { callerOf, refused } from '../../../support/conversations.ts';

const ACME = callerOf('acme');
const opened = () => agentWorld(scriptedExecutor(() => []));
type World = ReturnType<typeof opened>;
const ask = (
  world: World,
  content: string,
  key: string | undefined,
  more: Partial<RunRequest> = {},
  caller = ACME,
) => world.create(caller, request(content, more), key);
/** What was written under keys of idempotency. */
const keysOf = async ({ store }: World) => (await store.read('', { categories: ['idempotency'] }, 99)).events;
const heldIn = ({ vault }: World) => vault.writtenBetween({ olderMs: 0, youngerMs: 9e9 }, '', 99);
/** Has appends to such streams fail; answers how to mend that. */
const failing = (world: World, category: string, error: Error) =>
  world.onAppend((append, stream) => (stream.startsWith(`${category}-`) ? Promise.reject(error) : append()));

describe('a request that is repeated with its key', () => {
  it('is answered with its run as it is by now, as repeated and as no change', async () => {
    const world = opened();
    const first = await ask(world, 'once', 'key');
    expect([first.changed, first.replayed]).toEqual([true, false]);
    await world.work(first.record.runId);
    const again = await ask(world, 'once', 'key');
    expect(again).toMatchObject({ changed: false, replayed: true, record: { status: 'SUCCEEDED' } });
    expect(await keysOf(world)).toHaveLength(1);
  });

  it('is another request for another principal, another tenant and another key that is restricted', async () => {
    const world = opened();
    const [a, b] = [callerOf('acme', ['a']), { ...callerOf('acme', ['a']), keyId: 'key-2' }];
    const asked = [
      await ask(world, 'once', 'key'),
      await ask(world, 'once', 'key', { principalId: 'jo' }),
      await ask(world, 'once', 'key', {}, callerOf('other')),
      await ask(world, 'once', 'key', {}, a),
      await ask(world, 'once', 'key', {}, b),
    ];
    expect(new Set(asked.map(({ record }) => record.runId)).size).toBe(5);
    expect((await ask(world, 'once', 'key', {}, b)).record.runId).toBe(asked[4]!.record.runId);
    const unrestricted = { ...ACME, keyId: 'key-3' };
    expect((await ask(world, 'once', 'key', {}, unrestricted)).record.runId).toBe(asked[0]!.record.runId);
  });

  it('is refused with another body, whatever became of the first, and says what to do', async () => {
    const world = opened();
    await ask(world, 'once', 'key');
    await expect(ask(world, 'twice', 'key')).rejects.toMatchObject({
      code: 'idempotency_conflict',
      message: 'this Idempotency-Key was used with another body: send a new key with a new request',
    });
  });

  it('keeps what tells requests apart in the vault, and not in an event', async () => {
    const world = opened();
    const { record } = await ask(world, 'once', 'key');
    const id = `${record.runId}/fingerprint`;
    const texts = await world.vault.read('acme', agentThreadStream(record.threadId), [id]);
    expect(texts?.get(id)).toMatch(/^[0-9a-f]{64}$/);
    const [claimed] = await keysOf(world);
    const named = derivedId(sha256, 'agent-run', 'acme', 'null', 'key');
    expect(claimed?.stream).toBe(idempotencyStream(named));
    expect(claimed?.data).toEqual({
      thread_id: record.threadId,
      run_id: record.runId,
      at: expect.any(Number),
    });
  });
});

describe('a request that was broken off', () => {
  it('behind its key is gone on with by the next, under the ids that it had', async () => {
    const world = opened();
    const mend = failing(world, 'agentThread', new Error('killed'));
    await expect(ask(world, 'once', 'key')).rejects.toThrow('killed');
    mend();
    const [claimed] = await keysOf(world);
    await expect(ask(world, 'another', 'key')).rejects.toMatchObject({ code: 'idempotency_conflict' });
    const again = await ask(world, 'once', 'key');
    expect([again.record.runId, again.record.threadId]).toEqual([
      claimed?.data['run_id'],
      claimed?.data['thread_id'],
    ]);
    expect([again.replayed, again.changed]).toEqual([true, false]);
    expect(await heldIn(world)).toHaveLength(1);
    expect((await ask(world, 'once', 'key')).record.runId).toBe(again.record.runId);
  });

  it('and whose words the sweep has taken since is as one that never came', async () => {
    const world = opened();
    const mend = failing(world, 'agentThread', new Error('killed'));
    await expect(ask(world, 'once', 'key')).rejects.toThrow('killed');
    mend();
    const [claimed] = await keysOf(world);
    await world.vault.destroy('acme', agentThreadStream(claimed!.data['thread_id'] as string));
    const other = await ask(world, 'another', 'key');
    expect([other.replayed, other.record.runId === claimed?.data['run_id']]).toEqual([false, false]);
    expect((await ask(world, 'another', 'key')).record.runId).toBe(other.record.runId);
  });
});

describe('a request that is refused', () => {
  it('frees its key for another, which then leads to that', async () => {
    const world = opened();
    const { record } = await ask(world, 'first', undefined);
    const { threadId, runId } = record;
    expect(await refused(ask(world, 'second', 'key', { threadId }))).toBe('thread_busy');
    expect((await keysOf(world)).map(({ type }) => type)).toEqual([
      'AgentRunKeyClaimed',
      'AgentRunKeyReleased',
    ]);
    await world.work(runId);
    const other = await ask(world, 'another', 'key', { threadId });
    expect([other.replayed, other.record.parentRunId]).toEqual([false, runId]);
    expect(await refused(ask(world, 'second', 'key', { threadId }))).toBe('idempotency_conflict');
  });
});

describe('equal requests that come at once', () => {
  it('get one run, and leave nothing of the others', async () => {
    const world = opened();
    const answers = await Promise.all([1, 2, 3].map(() => ask(world, 'once', 'key')));
    const [{ record }] = answers as [(typeof answers)[0]];
    expect(answers.every((one) => one.record.runId === record.runId)).toBe(true);
    expect((await heldIn(world)).map(({ owner }) => owner)).toEqual([agentThreadStream(record.threadId)]);
    expect(answers.filter(({ replayed }) => !replayed!)).toHaveLength(1);
  });
});
