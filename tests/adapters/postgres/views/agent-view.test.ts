import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  agentRunProjection,
  agentThreadProjection,
} from '../../../../adapters/postgres/projections/agent-views.ts';
import { createAgentView } from '../../../../adapters/postgres/views/agent-view.ts';
import { agentRunWork, createAgentRunRows } from '../../../../adapters/postgres/work/agent-work.ts';
import { createWorkLeases } from '../../../../adapters/postgres/work/work-leases.ts';
import { createRowOverlay } from '../../../../adapters/postgres/read-your-writes/overlays.ts';
import { agentRunStream, agentThreadStream } from '../../../../application/event-sourcing/streams.ts';
import {
  type AgentRunCommand,
  agentRun,
  CANCEL_LIMIT,
  QUEUE_LIMIT,
  RUN_LIMIT,
} from '../../../../domain/agent-run/index.ts';
import { type AdmitRun, agentThread, type RunAdmitted } from '../../../../domain/agent-thread/decider.ts';
import { callerOf } from '../../../support/conversations.ts';
import { openWorld, type World } from '../../../support/world.ts';
import { RUN_FACTS } from '../../../support/agent/run-facts.ts';

const T0 = 1_790_000_000_000;
const { context: ACME } = callerOf('acme');
const VIEWS = ['agent_thread', 'agent_run'] as const;

let world: World;
let last = '';
let time = T0;
beforeAll(async () => {
  world = await openWorld([agentThreadProjection, agentRunProjection]);
  for (const projection of [agentThreadProjection, agentRunProjection]) world.project(projection);
});
afterAll(() => world.close());

const view = () => createAgentView(world.db);
const seen = async () => expect(await world.gate.reached(VIEWS, last, 10_000)).toBe(true);
const leases = () => createWorkLeases(world.db, { now: () => time }, [agentRunWork]);
const send = async (runId: string, command: AgentRunCommand) => {
  last = (await world.execute(agentRun, agentRunStream(runId), command, ACME)).position;
};
/** A run that its thread has admitted; `queued`: its own stream has begun. */
const run = async (
  threadId: string | null,
  { queued = true, ...more }: Partial<AdmitRun> & { readonly queued?: boolean } = {},
  context = ACME,
) => {
  const [thread, runId] = [threadId ?? world.ids.newId(), world.ids.newId()];
  const command: AdmitRun = {
    type: 'admit',
    runId,
    starts: threadId === null,
    concurrency: 'enqueue',
    ended: [],
    ...RUN_FACTS,
    at: T0,
    ...more,
  };
  const done = await world.execute(agentThread, agentThreadStream(thread), command, context);
  last = done.position;
  const { type: _, ended: _ended, runId: _id, ...facts } = done.events.at(-1) as RunAdmitted;
  if (queued) await send(runId, { type: 'queue', threadId: thread, ...facts });
  return { threadId: thread, runId };
};
const body = { bodyId: 'b', digest: 'd', bytes: 1 };
const claim = (at: number): AgentRunCommand => ({
  type: 'claim',
  workerId: 'w',
  contextStartRunId: null,
  contextTruncated: false,
  contextMessages: 0,
  contextDigest: 'd',
  at,
});
const completed = (at: number): AgentRunCommand => ({ type: 'complete', result: body, messages: body, at });
const claimed = async () => (await leases().claim('w', 50, 60_000)).map(({ id }) => id);
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
const runsOf = (principalId: string | null, filter: object = {}, only: readonly string[] | null = null) =>
  view().runs('acme', principalId, { limit: 2 }, only, filter);

describe('the lists of threads and runs', () => {
  it('hold what is of one principal, newest first, by thread and by status, with totals', async () => {
    const first = await run(null, { principalId: 'lister' });
    await send(first.runId, { type: 'cancel', at: T0 + 1 });
    const second = await run(first.threadId, { principalId: 'lister', ended: [first.runId], titled: true });
    const other = await run(null, { principalId: 'lister', sourceGroupIds: ['g'] });
    await run(null, { principalId: 'another' });
    await seen();
    const all = await runsOf('lister');
    expect([idsOf(all.rows), all.hasMore, all.total]).toEqual([[other.runId, second.runId], true, 3]);
    const ofThread = await runsOf('lister', { threadId: first.threadId });
    expect([idsOf(ofThread.rows), ofThread.total]).toEqual([[second.runId, first.runId], 2]);
    const cancelled = await runsOf('lister', { status: 'CANCELLED' });
    expect([idsOf(cancelled.rows), cancelled.total]).toEqual([[first.runId], 1]);
    expect(idsOf((await runsOf('lister', {}, ['g', 'h'])).rows)).toEqual([other.runId]);
    expect((await runsOf('lister', {}, ['h'])).total).toBe(0);
    expect((await runsOf(null)).rows.filter(({ principalId }) => principalId !== null)).toEqual([]);
    const threads = await view().threads('acme', 'lister', { limit: 5 }, null);
    expect(threads.rows.map(({ id, runCount, titled }) => [id, runCount, titled])).toEqual([
      [other.threadId, 1, false],
      [first.threadId, 2, false],
    ]);
    expect(threads.total).toBe(2);
    const tree = await view().runsOf('acme', first.threadId);
    const shared = { threadId: first.threadId, at: T0 };
    expect(tree).toEqual([
      { ...shared, id: first.runId, parentRunId: null, status: 'CANCELLED', titled: false },
      { ...shared, id: second.runId, parentRunId: first.runId, status: 'QUEUED', titled: true },
    ]);
    expect(await view().runsOf('other', first.threadId)).toEqual([]);
  });

  it('lose a thread with all its runs, at once by its marks, and then by the view', async () => {
    const { threadId, runId } = await run(null, { principalId: 'deleter' });
    await run(threadId, { principalId: 'deleter' });
    await run(null, { principalId: 'deleter' });
    await seen();
    const overlay = createRowOverlay(world.db);
    const future = `9${last.slice(1)}`;
    for (const name of VIEWS)
      await overlay.remove(name, { id: threadId, tenant: 'acme', revision: 9n }, future);
    const lists = async () => [
      (await view().threads('acme', 'deleter', { limit: 9 }, null)).total,
      (await view().runs('acme', 'deleter', { limit: 9 }, null, {})).total,
      (await view().runs('acme', 'deleter', { limit: 9 }, null, { threadId })).rows.length,
    ];
    expect(await lists()).toEqual([1, 1, 0]);
    const remove = { type: 'delete', principalId: 'deleter', at: T0 } as const;
    last = (await world.execute(agentThread, agentThreadStream(threadId), remove, ACME)).position;
    await send(runId, { type: 'cancel', at: T0 });
    await seen();
    await world.db.deleteFrom('work.row_mark' as never).execute();
    expect(await lists()).toEqual([1, 1, 0]);
  });
});

describe('the work that runs owe', () => {
  it('is what waits for a worker, also where its own stream has not begun, in the order of the thread', async () => {
    time = T0;
    await claimed();
    const first = await run(null, { queued: false });
    const second = await run(first.threadId);
    const free = await run(null);
    await seen();
    expect((await claimed()).toSorted()).toEqual([first.runId, free.runId].toSorted());
    const rows = createAgentRunRows(world.db);
    const admitted = await rows.admitted(first.runId);
    expect(admitted).toMatchObject({
      facts: { threadId: first.threadId, at: T0 },
      context: { tenant: 'acme' },
    });
    await send(first.runId, { type: 'queue', ...admitted!.facts });
    await send(first.runId, claim(T0 + 1));
    await seen();
    expect(await claimed()).toEqual([]);
    await send(first.runId, completed(T0 + 2));
    await seen();
    expect(await claimed()).toEqual([second.runId]);
    expect(await rows.admitted(world.ids.newId())).toBeNull();
  });

  it('is no run while one before it is not over, whatever became of those between', async () => {
    time = T0;
    const first = await run(null);
    const [second, third, fourth] = [
      await run(first.threadId),
      await run(first.threadId),
      await run(first.threadId),
    ];
    await send(first.runId, claim(T0 + 1));
    await send(second.runId, { type: 'cancel', at: T0 + 2 });
    await send(third.runId, { type: 'queue_timeout', at: T0 + 2 });
    await seen();
    expect(await claimed()).not.toContain(fourth.runId);
    await send(first.runId, completed(T0 + 3));
    await seen();
    expect(await claimed()).toContain(fourth.runId);
  });

  it('is abandoned when it has lost its worker, or when a limit has passed', async () => {
    const [running, cancelling, waiting] = [await run(null), await run(null), await run(null)];
    await send(running.runId, claim(T0 + 1));
    await send(cancelling.runId, claim(T0 + 1));
    await send(cancelling.runId, { type: 'cancel', at: T0 + 2 });
    await seen();
    const ours = new Set([running.runId, cancelling.runId, waiting.runId]);
    const abandoned = async (at: number) => {
      time = at;
      const found = (await leases().abandoned(500)).filter(({ id }) => ours.has(id));
      return Object.fromEntries(
        found.map(({ id, worker, overdue, claim: of }) => [id, [worker, overdue, of]]),
      );
    };
    const [RUNNING, CANCELLING, QUEUED] = ['RUNNING', 'CANCELLING', 'QUEUED'].map((status) => ({ status }));
    expect(await abandoned(T0 + 3)).toEqual({
      [running.runId]: ['lost', false, RUNNING],
      [cancelling.runId]: ['lost', false, CANCELLING],
    });
    expect((await abandoned(T0 + 2 + CANCEL_LIMIT))[cancelling.runId]).toEqual(['lost', true, CANCELLING]);
    expect((await abandoned(T0 + QUEUE_LIMIT))[waiting.runId]).toEqual(['lost', true, QUEUED]);
    expect((await abandoned(T0 + QUEUE_LIMIT - 1))[waiting.runId]).toBeUndefined();
    expect((await abandoned(T0 + 1 + RUN_LIMIT))[running.runId]).toEqual(['lost', true, RUNNING]);
    expect((await abandoned(T0 + RUN_LIMIT))[running.runId]).toEqual(['lost', false, RUNNING]);
    time = T0 + QUEUE_LIMIT;
    expect(await claimed()).not.toContain(waiting.runId);
  });
});
