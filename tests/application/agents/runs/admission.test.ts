import { sha256 } from '../../../../adapters/system/identity.ts';
import type { RunRequest } from '../../../../application/agents/runs/run-request.ts';
import {
  agentThreadStream,
  derivedId,
  idempotencyStream,
} from '../../../../application/event-sourcing/streams.ts';
import { agentWorld, request } from '../../../support/agent/agent-world.ts';
import { scriptedExecutor } from '../../../support/agent/scripted-executor.ts';
import { callerOf, refused } from '../../../support/conversations.ts';
import { describe, expect, it } from 'vitest';

const ACME = callerOf('acme');

const opened = () => agentWorld(scriptedExecutor(() => []));

type World = ReturnType<typeof opened>;

/** Names of the texts that the vault holds of a thread, without their runs. */
const textsOf = async ({ vault }: World, threadId: string): Promise<readonly string[] | null> => {
  const held = await vault.writtenBetween({ olderMs: 0, youngerMs: 9e9 }, '', 99);
  const own = held.find(({ owner }) => owner === agentThreadStream(threadId));
  return own === undefined ? null : own.ids.map((id) => id.slice(id.indexOf('/') + 1)).toSorted();
};

describe('admission', () => {
  const ask = async (world: World, content: string, more: Partial<RunRequest> = {}, key?: string) =>
    (await world.create(ACME, request(content, more), key)).record;

  describe('a run that is admitted', () => {
    it.each([undefined, 'key'])(
      'is answered as it is where a worker was quicker, with key %s',
      async (key) => {
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
      },
    );
  });

  describe('a run that is refused', () => {
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
});

/** What was written under keys of idempotency. */
const keysOf = async ({ store }: World) => (await store.read('', { categories: ['idempotency'] }, 99)).events;

const heldIn = ({ vault }: World) => vault.writtenBetween({ olderMs: 0, youngerMs: 9e9 }, '', 99);

/** Has appends to such streams fail; answers how to mend that. */
const failing = (world: World, category: string, error: Error) =>
  world.onAppend((append, stream) => (stream.startsWith(`${category}-`) ? Promise.reject(error) : append()));

describe('repeated requests', () => {
  const ask = (
    world: World,
    content: string,
    key: string | undefined,
    more: Partial<RunRequest> = {},
    caller = ACME,
  ) => world.create(caller, request(content, more), key);

  describe('a request that is repeated with its key', () => {
    it('is another request for another principal, another tenant and another key that is restricted', async () => {
      const world = opened();
      const [a, b] = [callerOf('acme', ['a']), { ...callerOf('acme', ['a']), id: 'key-2' }];
      const asked = [
        await ask(world, 'once', 'key'),
        await ask(world, 'once', 'key', { principalId: 'jo' }),
        await ask(world, 'once', 'key', {}, callerOf('other')),
        await ask(world, 'once', 'key', {}, a),
        await ask(world, 'once', 'key', {}, b),
      ];
      expect(new Set(asked.map(({ record }) => record.runId)).size).toBe(5);
      expect((await ask(world, 'once', 'key', {}, b)).record.runId).toBe(asked[4]!.record.runId);
      const unrestricted = { ...ACME, id: 'key-3' };
      expect((await ask(world, 'once', 'key', {}, unrestricted)).record.runId).toBe(asked[0]!.record.runId);
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
});
