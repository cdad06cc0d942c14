import { describe, expect, it } from 'vitest';
import type { ToldEvent } from '../../../../application/agents/runs/told-event.ts';
import { agentRunStream, agentThreadStream } from '../../../../application/event-sourcing/streams.ts';
import { agentRun, type AgentRunCommand } from '../../../../domain/agent-run/index.ts';
import { agentWorld, type AgentWorldOptions, request } from '../../../support/agent/agent-world.ts';
import { type Act, scriptedExecutor } from '../../../support/agent/scripted-executor.ts';
import { callerOf } from '../../../support/conversations.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const acme = callerOf('acme');
const ACME = { ...acme, context: { ...acme.context, traceparent: `00-${TRACE}-00f067aa0ba902b7-01` } };
const STEP: Act = { kind: 'step', step: 1 };
const SAYS: Act = { kind: 'text', step: 1, delta: 'It is so.' };
const FAILS: Act = { kind: 'fails', code: 'provider_error', message: 'the provider refused' };
const WHOLE = { limit: 50 };
const forEver = new AbortController().signal;

const asked = async (script: readonly Act[], more: object = {}, options: AgentWorldOptions = {}) => {
  const world = agentWorld(
    scriptedExecutor(() => script),
    options,
  );
  const { record } = await world.create(ACME, request('Is it so?', more));
  const send = (command: AgentRunCommand) =>
    world.execute(agentRun, agentRunStream(record.runId), command, ACME.context);
  return { world, run: record, id: record.runId, send };
};
const worked = async (script: readonly Act[], more: object = {}) => {
  const all = await asked(script, more);
  await all.world.work(all.id);
  return all;
};
const told = async ({ world, id }: Pick<Awaited<ReturnType<typeof asked>>, 'world' | 'id'>) =>
  (await world.events.page(ACME, id, null, WHOLE)).rows;
const bodies = (rows: readonly ToldEvent[]) => rows.map(({ event, body }) => [event.type, body]);

describe('what is told of a run', () => {
  it('is every event, with its facts, its body, its place and its trace', async () => {
    const all = await worked([STEP, SAYS], { title: 'So' });
    const { world, run, id } = all;
    const rows = await told(all);
    const stored = await world.store.readStream(agentRunStream(id));
    expect(rows.map(({ revision, position, data }) => ({ revision, position, data }))).toEqual(
      stored.map(({ revision, position, data }) => ({ revision, position, data })),
    );
    for (const row of rows)
      expect(row).toMatchObject({ runId: id, threadId: run.threadId, parentRunId: null, traceId: TRACE });
    expect(rows.map(({ status }) => status)).toEqual([
      'QUEUED',
      'RUNNING',
      'RUNNING',
      'RUNNING',
      'SUCCEEDED',
    ]);
    expect(rows[3]?.data).toMatchObject({ emission: { kind: 'text', step: 1 } });
    const message = { role: 'assistant', content: 'It is so.' };
    expect(bodies(rows)).toEqual([
      ['RunQueued', { input: { messages: [{ role: 'user', content: 'Is it so?' }] }, title: 'So' }],
      ['RunStarted', null],
      ['RunEmitted', null],
      ['RunEmitted', { delta: 'It is so.' }],
      ['RunSucceeded', { result: { message, finish_reason: 'stop' }, messages: [message] }],
    ]);
  });

  it('says of one that was canceled what kept it from ending well, if anything did', async () => {
    const plain = await asked([]);
    await plain.send({ type: 'cancel', at: 1 });
    expect((await told(plain)).at(-1)?.body).toBeNull();
    const broken = await asked([]);
    const claim = {
      type: 'claim',
      workerId: 'w',
      contextStartRunId: null,
      contextTruncated: false,
      contextMessages: 0,
      contextDigest: '',
      at: 1,
    } as const;
    await broken.send(claim);
    await broken.send({ type: 'cancel', at: 2 });
    expect((await told(broken)).at(-1)?.body).toBeNull();
    const message = { bodyId: `${broken.id}/error`, digest: 'd', bytes: 9 };
    const owner = agentThreadStream(broken.run.threadId);
    await broken.world.vault.put('acme', owner, [{ id: message.bodyId, text: 'it broke first' }]);
    await broken.send({ type: 'fail', code: 'provider_error', message, at: 3 });
    const last = (await told(broken)).at(-1);
    expect([last?.event.type, last?.body]).toEqual(['RunCancelled', { message: 'it broke first' }]);
    const { record } = await broken.world.read(ACME, broken.id, null);
    expect([record.status, record.errorMessage]).toEqual(['CANCELLED', 'it broke first']);
  });

  it('says what it was handed to, with all that was sent', async () => {
    const all = await worked([
      { kind: 'handed_over', runtimeArn: 'arn:x', runtimeSessionId: 's', request: '{"prompt":"so?"}' },
    ]);
    const handed = (await told(all)).find(({ event }) => event.type === 'RunHandedOver');
    expect(handed?.body).toEqual({ request: { prompt: 'so?' } });
    expect(handed?.data).toMatchObject({ runtime_arn: 'arn:x', runtime_session_id: 's' });
  });

  it('is told without words that are not there any more', async () => {
    const all = await worked([SAYS, FAILS], { title: 'So' });
    const { world, run, id } = all;
    const owner = agentThreadStream(run.threadId);
    const [held] = await world.vault.writtenBetween({ olderMs: 0, youngerMs: 9e9 }, '', 9);
    await world.vault.forget('acme', owner, held!.ids);
    expect(bodies(await told(all))).toEqual([
      ['RunQueued', { input: null }],
      ['RunStarted', null],
      ['RunEmitted', null],
      ['RunFailed', { message: 'it failed: provider_error' }],
    ]);
    await expect(world.read(ACME, id, null)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a page of what is told', () => {
  it('goes on behind an event, and says whether there is more', async () => {
    const { world, id } = await worked([STEP, SAYS]);
    const page = async (limit: number, after?: bigint) => {
      const { rows, ...rest } = await world.events.page(ACME, id, null, {
        limit,
        ...(after !== undefined && { after }),
      });
      return { ...rest, revisions: rows.map(({ revision }) => Number(revision)) };
    };
    expect(await page(2)).toEqual({ revisions: [0, 1], hasMore: true, total: 5 });
    expect(await page(3, 1n)).toEqual({ revisions: [2, 3, 4], hasMore: false, total: 5 });
    expect(await page(5)).toEqual({ revisions: [0, 1, 2, 3, 4], hasMore: false, total: 5 });
    expect(await page(5, 4n)).toEqual({ revisions: [], hasMore: false, total: 5 });
    await expect(page(5, 5n)).rejects.toMatchObject({
      code: 'invalid_cursor',
      message: 'there is no event 5 in this run: the last is 4',
    });
  });
});

describe('whoever follows a run', () => {
  it('is told what there is, and then what comes, up to its end', async () => {
    const { world, id } = await asked([STEP, SAYS]);
    const { past, coming } = await world.events.follow(ACME, id, null, forEver);
    expect(past.map(({ event }) => event.type)).toEqual(['RunQueued']);
    const seen: ToldEvent[] = [];
    const following = (async () => {
      for await (const one of coming) seen.push(one);
    })();
    await world.work(id);
    await following;
    expect([...past, ...seen]).toEqual(await told({ world, id }));
  });

  it.each(['cancel', 'queue_timeout'] as const)('is told of its end by %s', async (type) => {
    const { world, id, send } = await asked([]);
    const { coming } = await world.events.follow(ACME, id, null, forEver);
    await send({ type, at: 1 });
    const seen: string[] = [];
    for await (const { event } of coming) seen.push(event.type);
    expect(seen).toEqual([type === 'cancel' ? 'RunCancelled' : 'RunFailed']);
    const again = await world.events.follow(ACME, id, null, forEver);
    for await (const more of again.coming) throw new Error(`it goes on with ${more.event.type}`);
  });

  it('is told no more once it leaves', async () => {
    const { world, id } = await asked([]);
    const leaving = new AbortController();
    const { coming } = await world.events.follow(ACME, id, null, leaving.signal);
    leaving.abort();
    const seen: ToldEvent[] = [];
    for await (const one of coming) seen.push(one);
    expect(seen).toEqual([]);
  });
});

describe('a run that is read', () => {
  it('has its result, or the reason why it has none', async () => {
    const well = await worked([SAYS]);
    expect((await well.world.read(ACME, well.id, null)).record).toMatchObject({
      resultBody: { message: { role: 'assistant', content: 'It is so.' }, finish_reason: 'stop' },
      errorMessage: null,
    });
    const badly = await worked([FAILS]);
    expect((await badly.world.read(ACME, badly.id, null)).record).toMatchObject({
      resultBody: null,
      errorMessage: 'the provider refused',
    });
  });

  it('is gone with its thread, for whoever reads, follows or pages it', async () => {
    const { world, id, run } = await worked([SAYS]);
    await world.vault.destroy('acme', agentThreadStream(run.threadId));
    const missing = { code: 'not_found', message: 'there is no such thread' };
    await expect(world.read(ACME, id, null)).rejects.toMatchObject(missing);
    await expect(world.events.page(ACME, id, null, WHOLE)).rejects.toMatchObject(missing);
    await expect(world.events.follow(ACME, id, null, forEver)).rejects.toMatchObject(missing);
    await world.remove(ACME, run.threadId, null).catch(() => undefined);
    await expect(world.read(ACME, id, null)).rejects.toMatchObject({ code: 'not_found' });
    const other = await worked([SAYS]);
    const { threadId } = other.run;
    await other.world.remove(ACME, threadId, null);
    await other.world.vault.create('acme', agentThreadStream(threadId));
    await expect(other.world.events.page(ACME, other.id, null, WHOLE)).rejects.toMatchObject({
      code: 'not_found',
      message: 'there is no such run',
    });
  });
});
