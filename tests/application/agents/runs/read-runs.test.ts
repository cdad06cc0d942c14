import { contextOf } from '../../../../application/agents/runs/context.ts';
import { parseRequest, textOfRequest } from '../../../../application/agents/runs/messages.ts';
import type { RunEvent } from '../../../../application/agents/runs/run-executor.ts';
import type { PathCursor } from '../../../../application/agents/runs/run-path.ts';
import type { RunEventView } from '../../../../application/agents/runs/run-event-view.ts';
import { agentRunStream, agentThreadStream } from '../../../../application/event-sourcing/streams.ts';
import { type AgentRunCommand, agentRun } from '../../../../domain/agent-run/index.ts';
import type { AssistantMessage } from '../../../../domain/agent-run/message.ts';
import { type AgentWorldOptions, agentWorld, request } from '../../../support/agent/agent-world.ts';
import { type Act, scriptedExecutor } from '../../../support/agent/scripted-executor.ts';
import { callerOf } from '../../../support/conversations.ts';
import { idOf } from '../../../support/memory-parts.ts';
import { describe, expect, it } from 'vitest';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

const acme = callerOf('acme');

const STEP: Act = { kind: 'step', step: 1 };

const SAYS: Act = { kind: 'text', step: 1, delta: 'It is so.' };

const FAILS: Act = { kind: 'fails', code: 'provider_error', message: 'the provider refused' };

const WHOLE = { limit: 50 };

const forEver = new AbortController().signal;

const bodies = (rows: readonly RunEventView[]) => rows.map(({ event, body }) => [event.type, body]);

describe('told runs', () => {
  const ACME = { ...acme, context: { ...acme.context, traceparent: `00-${TRACE}-00f067aa0ba902b7-01` } };

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
        ['RunFailed', { message: 'the run failed: provider_error' }],
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
      const { past, live } = await world.events.follow(ACME, id, null, forEver);
      expect(past.map(({ event }) => event.type)).toEqual(['RunQueued']);
      const seen: RunEventView[] = [];
      const following = (async () => {
        for await (const one of live) seen.push(one);
      })();
      await world.work(id);
      await following;
      expect([...past, ...seen]).toEqual(await told({ world, id }));
    });

    it.each(['cancel', 'queue_timeout'] as const)('is told of its end by %s', async (type) => {
      const { world, id, send } = await asked([]);
      const { live } = await world.events.follow(ACME, id, null, forEver);
      await send({ type, at: 1 });
      const seen: string[] = [];
      for await (const { event } of live) seen.push(event.type);
      expect(seen).toEqual([type === 'cancel' ? 'RunCancelled' : 'RunFailed']);
      const again = await world.events.follow(ACME, id, null, forEver);
      for await (const more of again.live) throw new Error(`it goes on with ${more.event.type}`);
    });

    it('is told no more once it leaves', async () => {
      const { world, id } = await asked([]);
      const leaving = new AbortController();
      const { live } = await world.events.follow(ACME, id, null, leaving.signal);
      leaving.abort();
      const seen: RunEventView[] = [];
      for await (const one of live) seen.push(one);
      expect(seen).toEqual([]);
    });
  });

  describe('a run that is read', () => {
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
});

const FIRST = { limit: 10 };

const unknown = { code: 'invalid_cursor' };

describe('lists', () => {
  const ACME = callerOf('acme');

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
      expect(
        (await world.lists.threads(restricted, null, { limit: 1, after: record.threadId })).rows,
      ).toEqual([]);
    });
  });

  describe('a list of runs', () => {
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
});

const placesOf = (rows: readonly RunEventView[]) => rows.map(({ runId, revision }) => `${runId}:${revision}`);

describe('the path to a run', () => {
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
    const page = (limit: number, after?: PathCursor) =>
      world.events.path(ACME, threadId, null, last.runId, { limit, ...(after && { after }) });
    return { world, page, threadId, beside, path: [root, second, last].map(({ runId }) => runId) };
  };

  it('is told in pages as it is told at once, whatever their size', async () => {
    const { page, path } = await thread();
    const whole = await page(1_000);
    expect([whole.hasMore, (await page(whole.rows.length)).hasMore]).toEqual([false, false]);
    expect(placesOf(whole.rows)).toEqual(path.flatMap((id) => [0, 1, 2, 3].map((n) => `${id}:${n}`)));
    for (let limit = 1; limit <= whole.rows.length; limit++) {
      const told: RunEventView[] = [];
      for (let more = true; more;) {
        const { rows, hasMore } = await page(limit, told.at(-1));
        expect(rows).toHaveLength(Math.min(limit, whole.rows.length - told.length));
        told.push(...rows);
        more = hasMore;
      }
      expect(told).toEqual(whole.rows);
    }
  });
});

const says = (message: Partial<AssistantMessage> & { readonly content: string }): RunEvent => ({
  kind: 'model_answered',
  step: 1,
  model: 'm',
  usage: null,
  finishReason: 'stop',
  message: { role: 'assistant', ...message },
});

const CALL = { id: 'c1', name: 'search', arguments: '{"q":"falcons"}' };

const CALLS = says({ content: '', toolCalls: [CALL] });

const ASKED = { role: 'user', content: 'first' };

describe('what a run is told of the one before it', () => {
  const ACME = callerOf('acme');

  /** A first run that does this, and what the one behind it is told of it. */
  const historyAfter = async (script: readonly Act[], more: object = {}, contextTokens = 10_000) => {
    const executor = scriptedExecutor((run) => (executor.executed.length === 1 && run ? script : []));
    const world = agentWorld(executor, { contextTokens });
    const first = (await world.create(ACME, request('first', more))).record;
    await world.work(first.runId);
    const second = (await world.create(ACME, request('second', { threadId: first.threadId }))).record;
    await world.work(second.runId);
    const [, started] = await world.store.readStream(agentRunStream(second.runId));
    return { world, first, second, told: executor.executed.at(-1)!.history, started: started!.data };
  };

  it('is no call of a tool without its answer, and nothing but messages', async () => {
    const note: RunEvent = { kind: 'note', code: 'seen', message: 'a note' };
    const asked: RunEvent = { kind: 'model_called', step: 1, model: 'm', messageCount: 1, request: {} };
    const { told } = await historyAfter([note, asked, CALLS, FAILS]);
    expect(told).toEqual([ASKED]);
  });

  it('is as much as its executor has room for beside the input', async () => {
    const asked: unknown[] = [];
    const executor = Object.assign(
      scriptedExecutor(() => []),
      {
        historyTokens: (given: { readonly input: object }) => {
          asked.push(given.input);
          return 0;
        },
      },
    );
    const world = agentWorld(executor);
    const first = (await world.create(ACME, request('first'))).record;
    await world.work(first.runId);
    const second = (await world.create(ACME, request('second', { threadId: first.threadId }))).record;
    await world.work(second.runId);
    expect(executor.executed.at(-1)!.history).toEqual([]);
    const [, started] = await world.store.readStream(agentRunStream(second.runId));
    expect(started!.data).toMatchObject({ context_truncated: true });
    expect(asked.at(-1)).toMatchObject({ messages: [{ content: 'second' }] });
  });

  it('leaves out what the vault does not hold any more', async () => {
    const executor = scriptedExecutor(() => [says({ content: 'Yes.' }), says({ content: 'No.' }), FAILS]);
    const world = agentWorld(executor);
    const first = (await world.create(ACME, request('first'))).record;
    await world.work(first.runId);
    const owner = agentThreadStream(first.threadId);
    const [held] = await world.vault.writtenBetween({ olderMs: 0, youngerMs: 9e9 }, '', 9);
    const lost = held!.ids.find((id) => id.endsWith('/e1'))!;
    await world.vault.forget('acme', owner, [`${first.runId}/request`, lost]);
    const second = (await world.create(ACME, request('second', { threadId: first.threadId }))).record;
    await world.work(second.runId);
    expect(executor.executed.at(-1)!.history).toEqual([{ role: 'assistant', content: 'Yes.' }]);
  });

  it('of a runtime is what it answered, and not what its tools did', async () => {
    const { world, first } = await historyAfter([]);
    const threadId = '0199d2a0-0000-7000-8000-0000000000a1';
    const runId = '0199d2a0-0000-7000-8000-0000000000a2';
    const { state } = await world.execute(
      agentRun,
      agentRunStream(first.runId),
      { type: 'cancel', at: 1 },
      ACME.context,
    );
    if (state.status === 'none') throw new Error('there is no such run');
    const owner = agentThreadStream(threadId);
    const digest = 'd';
    const body = (name: string) => ({ bodyId: `${runId}/${name}`, digest, bytes: 1 });
    await world.vault.create('acme', owner, [
      { id: `${runId}/request`, text: textOfRequest({ ...state, ...QUESTION }) },
      { id: `${runId}/e0`, text: JSON.stringify({ message: { role: 'assistant', content: 'Yes.' } }) },
      {
        id: `${runId}/e1`,
        text: JSON.stringify({ message: { role: 'tool', tool_call_id: 'c', content: 'F' } }),
      },
    ]);
    const send = (command: object) =>
      world.execute(agentRun, agentRunStream(runId), { ...command, at: 1 } as never, ACME.context);
    const { afterRunId, workflowType, provider, inputHistoryMode, keyId, scopes } = state;
    const facts = { afterRunId, workflowType, provider, inputHistoryMode, keyId, scopes };
    const of = { principalId: null, parentRunId: null, sourceGroupIds: null, reach: null, authzPolicy: null };
    const where = { executionMode: 'MANAGED_RUNTIME', runtimeArn: 'arn:x', titled: false };
    await send({ type: 'queue', threadId, ...facts, ...of, ...where });
    const context = {
      contextStartRunId: null,
      contextTruncated: false,
      contextMessages: 0,
      contextDigest: '',
    };
    await send({ type: 'claim', workerId: 'w', ...context });
    const answered = { kind: 'model_answered', step: 1, model: 'm', usage: null, finishReason: 'stop' };
    await send({ type: 'emit', emission: answered, body: body('e0') });
    const tool = { kind: 'tool_answered', step: 1, callId: 'c', isError: false, truncated: false };
    await send({ type: 'emit', emission: tool, body: body('e1') });
    await send({ type: 'fail', code: 'x', message: null });
    const below = { ...state, threadId, parentRunId: runId };
    const deps = { ...world, contextTokens: 1_000 };
    expect((await contextOf(deps, 'acme', below)).messages).toEqual([
      { role: 'user', content: 'so?' },
      { role: 'assistant', content: 'Yes.' },
    ]);
    expect((await contextOf(deps, 'acme', { ...below, parentRunId: threadId })).messages).toEqual([]);
  });
});

const QUESTION = {
  input: { messages: [{ role: 'user', content: 'so?' }], extra: { someField: 1 } },
  mcpSessionId: 'session',
  idempotencyKey: 'key',
} as const;

it('a request is kept as it was sent: names of messages in snake_case, other fields as they were spelt', () => {
  const messages = [
    { role: 'tool', toolCallId: 'c', content: 'Found.' },
    ...QUESTION.input.messages,
  ] as const;
  const kept = { ...QUESTION, input: { ...QUESTION.input, messages } };
  const text = textOfRequest(kept);
  expect(JSON.parse(text)).toEqual({
    input: {
      messages: [
        { role: 'tool', tool_call_id: 'c', content: 'Found.' },
        { role: 'user', content: 'so?' },
      ],
      extra: { someField: 1 },
    },
    mcp_session_id: 'session',
    idempotency_key: 'key',
  });
  expect(parseRequest(text)).toEqual(kept);
});
