import { describe, expect, it } from 'vitest';
import { agentThreadStream } from '../../../../application/event-sourcing/streams.ts';
import { agentWorld, request } from '../../../support/agent/agent-world.ts';
import { scriptedExecutor } from '../../../support/agent/scripted-executor.ts';
import { callerOf } from '../../../support/conversations.ts';
import { idOf } from '../../../support/memory-parts.ts';

const ACME = callerOf('acme');
const FIRST = { limit: 10 };
const unknown = { code: 'invalid_cursor' };

/** Two threads of nobody, the second with two runs, and one of a principal. */
const opened = async () => {
  const world = agentWorld(scriptedExecutor(() => [{ kind: 'text', step: 1, delta: 'So.' }]));
  const ask = async (content: string, more: object = {}) => {
    const { record } = await world.create(ACME, request(content, more));
    await world.work(record.runId);
    return record;
  };
  const one = await ask('one', { title: 'One' });
  const two = await ask('two');
  const again = await ask('again', { threadId: two.threadId, title: 'Again' });
  const ofJo = await ask('mine', { principalId: 'jo', title: 'Mine' });
  return { world, one, two, again, ofJo };
};

describe('a list of threads', () => {
  it('shows those of one principal, the newest first, each called as its first run', async () => {
    const { world, one, two, ofJo } = await opened();
    const { rows, total, hasMore } = await world.lists.threads(ACME, null, FIRST);
    expect(rows.map(({ id, title, runCount }) => [id, title, runCount])).toEqual([
      [two.threadId, null, 2],
      [one.threadId, 'One', 1],
    ]);
    expect([total, hasMore]).toEqual([2, false]);
    const mine = await world.lists.threads(ACME, 'jo', FIRST);
    expect(mine.rows.map(({ id, title }) => [id, title])).toEqual([[ofJo.threadId, 'Mine']]);
  });

  it('goes on behind a thread that the caller may have seen', async () => {
    const { world, one, two } = await opened();
    const page = await world.lists.threads(ACME, null, { limit: 1 });
    expect([page.rows[0]?.id, page.hasMore]).toEqual([two.threadId, true]);
    const next = await world.lists.threads(ACME, null, { limit: 1, after: two.threadId });
    expect([next.rows[0]?.id, next.hasMore]).toEqual([one.threadId, false]);
  });

  it('goes on behind no other', async () => {
    const { world, two, ofJo } = await opened();
    const behind = (after: string, caller = ACME, principalId: string | null = null) =>
      world.lists.threads(caller, principalId, { limit: 1, after });
    await expect(behind(idOf(9))).rejects.toMatchObject(unknown);
    await expect(behind(ofJo.threadId)).rejects.toMatchObject(unknown);
    await expect(behind(two.threadId, ACME, 'jo')).rejects.toMatchObject(unknown);
    await expect(behind(two.threadId, callerOf('other'))).rejects.toMatchObject(unknown);
    await expect(behind(two.threadId, callerOf('acme', ['a']))).rejects.toMatchObject(unknown);
  });

  it('shows a key that is restricted what may tell of its source groups alone', async () => {
    const { world } = await opened();
    const restricted = callerOf('acme', ['a']);
    const { record } = await world.create(restricted, request('within'));
    const { rows } = await world.lists.threads(restricted, null, FIRST);
    expect(rows.map(({ id }) => id)).toEqual([record.threadId]);
    expect((await world.lists.threads(callerOf('acme', ['b']), null, FIRST)).rows).toEqual([]);
    expect((await world.lists.threads(restricted, null, { limit: 1, after: record.threadId })).rows).toEqual(
      [],
    );
  });

  it('shows no title of a thread whose key is gone: it is being deleted', async () => {
    const { world, one } = await opened();
    await world.vault.destroy('acme', agentThreadStream(one.threadId));
    const { rows } = await world.lists.threads(ACME, null, FIRST);
    expect(rows.find(({ id }) => id === one.threadId)?.title).toBeNull();
  });
});

describe('a list of runs', () => {
  it('shows those of one principal, the newest first, and of one thread or status where that is asked', async () => {
    const { world, one, two, again } = await opened();
    const idsOf = async (filter: object) =>
      (await world.lists.runs(ACME, null, FIRST, filter)).rows.map(({ id }) => id);
    expect(await idsOf({})).toEqual([again.runId, two.runId, one.runId]);
    expect(await idsOf({ threadId: two.threadId })).toEqual([again.runId, two.runId]);
    expect(await idsOf({ status: 'QUEUED' })).toEqual([]);
  });

  it('goes on behind a run that the caller may have seen, and behind no other', async () => {
    const { world, two, again, ofJo } = await opened();
    const behind = async (after: string, caller = ACME, principalId: string | null = null) =>
      (await world.lists.runs(caller, principalId, { limit: 1, after }, {})).rows.map(({ id }) => id);
    expect(await behind(again.runId)).toEqual([two.runId]);
    await expect(behind(idOf(9))).rejects.toMatchObject(unknown);
    await expect(behind(ofJo.runId)).rejects.toMatchObject(unknown);
    await expect(behind(again.runId, callerOf('other'))).rejects.toMatchObject(unknown);
    await expect(behind(again.runId, callerOf('acme', ['a']))).rejects.toMatchObject(unknown);
  });

  it('shows a key that is restricted what may tell of its source groups alone', async () => {
    const { world } = await opened();
    expect((await world.lists.runs(callerOf('acme', ['a']), null, FIRST, {})).rows).toEqual([]);
  });
});

describe('the tree of a thread', () => {
  it('has all its runs, the eldest first, and the titles of those that have one', async () => {
    const { world, two, again } = await opened();
    const { rows, titles } = await world.lists.tree(ACME, two.threadId, null);
    expect(rows.map(({ id, parentRunId }) => [id, parentRunId])).toEqual([
      [two.runId, null],
      [again.runId, two.runId],
    ]);
    expect([...titles]).toEqual([[again.runId, 'Again']]);
  });

  it('leaves out a title that the vault does not hold', async () => {
    const { world, two, again } = await opened();
    await world.vault.forget('acme', agentThreadStream(two.threadId), [`${again.runId}/title`]);
    expect((await world.lists.tree(ACME, two.threadId, null)).titles.size).toBe(0);
  });

  it('is shown to whoever may see the thread', async () => {
    const { world, two } = await opened();
    const missing = { code: 'not_found' };
    const tree = (caller: typeof ACME, principalId: string | null) =>
      world.lists.tree(caller, two.threadId, principalId);
    await expect(tree(ACME, 'jo')).rejects.toMatchObject(missing);
    await expect(tree(callerOf('other'), null)).rejects.toMatchObject(missing);
    await expect(tree(callerOf('acme', ['a']), null)).rejects.toMatchObject(missing);
  });
});
