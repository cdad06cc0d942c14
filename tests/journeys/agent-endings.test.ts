import { beforeAll, describe, expect, it } from 'vitest';
import {
  type AgentCoreServer,
  begins,
  openAgentCore,
  RUNTIME_ARN,
} from '../support/agent/agent-core-server.ts';
import { runThatIs, started, done } from '../support/agents.ts';
import {
  type ModelProvider,
  openModelProvider,
  type ProviderAnswer,
  says,
  hangs,
  refuses,
} from '../support/model-provider.ts';
import { eventually } from '../support/eventually.ts';
import type { Service } from '../support/service.ts';
import { calls, cites } from '../support/agent/acting-provider.ts';
import { openToolServer } from '../support/agent/tool-server.ts';
import { holding, onDisk } from '../support/on-disk.ts';
import { openJourney, type StartProcess } from '../support/journey.ts';
import { EVENTS, placesWith } from '../support/places.ts';
import { uploaded } from '../support/uploads.ts';

describe('a run that is under way', { timeout: 120_000 }, () => {
  const journey = openJourney();
  let provider: ModelProvider;
  let runtime: AgentCoreServer;
  let start: StartProcess;
  let api: Service;
  let worker: Service;

  /** Answers of the model that a test gives when it likes. */
  const held = new Map<string, () => void>();
  const holds: ProviderAnswer = async (asked, response) => {
    const question = asked.body.messages.at(-1)?.content ?? '';
    if (question.startsWith('hold')) await new Promise<void>((resolve) => held.set(question, resolve));
    await says('It is so.')(asked, response);
  };
  const timesAsked = (question: string): number =>
    provider.asked.filter(({ body }) => body.messages.at(-1)?.content === question).length;
  /** A run whose model is being asked. */
  const running = async (question: string) => {
    const run = await started(api, question);
    await runThatIs(api, run.run_id, 'RUNNING');
    await eventually(
      async () => timesAsked(question),
      (times) => times > 0,
      question,
    );
    return run;
  };

  beforeAll(async () => {
    [provider, runtime] = await Promise.all([openModelProvider(), openAgentCore()]);
    provider.otherwise = holds;
    runtime.answer = begins();
    const env = {
      KNOWLEDGER_LEASE_SECONDS: '3',
      KNOWLEDGER_MASTER_KEY: `${'A'.repeat(43)}=`,
      LLM_URL: provider.baseUrl,
      LLM_MODEL: 'stand-in',
      KNOWLEDGER_AGENT_RUNTIME_ARNS: RUNTIME_ARN,
      KNOWLEDGER_AGENT_RUNTIME_URL: runtime.endpoint,
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret',
    };
    start = await journey.processes(env, 'SIGKILL');
    api = await start('api,projector,scheduler');
  }, 120_000);
  journey.closing(async () => {
    await provider?.close();
    await runtime?.close();
  });

  it('stops its model when it is cancelled, and the next one of the thread goes on', async () => {
    worker = await start('worker');
    const run = await running('hold: cancelled');
    const next = await started(api, 'and now?', { thread_id: run.thread_id, concurrency: 'enqueue' });
    const busy = await api.api('POST', '/agent/runs', {
      workflow_type: 'chat',
      thread_id: run.thread_id,
      input: { messages: [{ role: 'user', content: 'me too' }] },
    });
    expect([busy.status, busy.body.error.type]).toEqual([409, 'thread_busy']);
    const told = await api.api('POST', `/agent/runs/${run.run_id}/cancel`, { wait_seconds: 20 });
    expect([told.status, told.body.status]).toEqual([202, 'CANCELLED']);
    const asked = provider.asked.find(({ body }) => body.messages.at(-1)?.content === 'hold: cancelled');
    expect(await asked?.outcome).toBe('left');
    const again = await api.api('POST', `/agent/runs/${run.run_id}/cancel`);
    expect([again.status, again.body.status]).toEqual([200, 'CANCELLED']);
    const after = await runThatIs(api, next.run_id);
    expect([after.status, after.parent_run_id]).toEqual(['SUCCEEDED', run.run_id]);
  });

  it('fails when its worker is killed, is never executed again, and holds up no other', async () => {
    const run = await running('hold: killed');
    const managed = { execution_mode: 'MANAGED_RUNTIME', runtime_arn: RUNTIME_ARN } as const;
    const handed = await started(api, 'hand over', managed);
    await eventually(
      async () => runtime.invoked.length,
      (times) => times > 0,
      'a run is handed over',
    );
    await worker.end('SIGKILL');
    const other = await started(api, 'something else');
    worker = await start('worker');
    const lost = await runThatIs(api, run.run_id);
    expect([lost.status, lost.error!.code]).toEqual(['FAILED', 'worker_lost']);
    expect(lost.error!.message).toContain('send it again as a sibling');
    const trail = await api.get('/agent/runs/{run_id}/events', { path: { run_id: run.run_id } });
    const types = trail.events.map(({ type }: { readonly type: string }) => type);
    expect([types[0], types[1], types.at(-1)]).toEqual(['RunQueued', 'RunStarted', 'RunFailed']);
    expect((await runThatIs(api, other.run_id)).status).toBe('SUCCEEDED');
    expect(timesAsked('hold: killed')).toBe(1);
    const gone = await runThatIs(api, handed.run_id);
    expect([gone.status, gone.error!.code]).toEqual(['FAILED', 'worker_lost']);
    expect(runtime.invoked.map(({ sessionId }) => sessionId)).toEqual([`knowledger-${gone.thread_id}`]);
  });

  it('has its time when its worker is told to stop; what takes longer fails by name', async () => {
    const [quick, slow] = [await running('hold: quick'), await running('hold: slow')];
    const ending = worker.end('SIGTERM');
    held.get('hold: quick')?.();
    expect((await runThatIs(api, quick.run_id)).status).toBe('SUCCEEDED');
    const stopped = await runThatIs(api, slow.run_id);
    expect([stopped.status, stopped.error!.code]).toEqual(['FAILED', 'worker_stopped']);
    expect(await ending).toEqual([0, null]);
    expect(timesAsked('hold: slow')).toBe(1);
  });
});

describe('the erasure of a thread', () => {
  /** In everything that is said in a thread, and in nothing else. */
  const WORD = 'qwyxalone';
  /** In a document, which is kept as it is. */
  const OPEN = 'zyxpublic';

  const journey = openJourney();
  let provider: ModelProvider;
  let crm: Awaited<ReturnType<typeof openToolServer>>;
  let service: Service;
  beforeAll(async () => {
    provider = await openModelProvider();
    crm = await openToolServer([{ name: 'look_up', answer: () => `Its name is ${WORD}.` }]);
    service = await journey.service({
      KNOWLEDGER_MASTER_KEY: `${'A'.repeat(43)}=`,
      KNOWLEDGER_MCP_SERVERS: JSON.stringify([{ name: 'crm', url: crm.url, tools: ['*'] }]),
      LLM_URL: provider.baseUrl,
      LLM_MODEL: 'stand-in',
    });
    await uploaded(service, [['dipper.md', `# The dipper\n\nThe ${OPEN} walks under water.`]]);
  }, 120_000);
  journey.closing(async () => {
    await provider?.close();
    await crm?.close();
  });

  /** Wherever a word stands in plain: files, tables, what the program has printed. */
  const standsIn = async (word: string): Promise<readonly string[]> => [
    ...holding(await onDisk(service.dataDir), word).map(() => 'a file'),
    ...(await placesWith(service, [word])),
    ...(service.output().includes(word) ? ['the log of the program'] : []),
  ];

  it(
    'keeps what is said in a thread out of every file, from its first word until it is deleted',
    { timeout: 90_000 },
    async () => {
      provider.next.push(
        calls('search', { query: `${WORD} ${OPEN}` }),
        calls('crm__look_up', { name: WORD }),
        cites(OPEN, `The ${WORD} does`),
      );
      const said = {
        title: `About ${WORD}`,
        idempotency_key: `key-${WORD}`,
        mcp_session_id: `session-${WORD}`,
      };
      const first = await done(service, `Who is the ${WORD}?`, said);
      expect(first).toMatchObject({ status: 'SUCCEEDED', ...said });
      expect(JSON.stringify(first.result)).toContain(WORD);
      const thread = { thread_id: first.thread_id };

      provider.next.push(refuses(400, { message: `no ${WORD} here`, code: 'bad_request' }));
      expect((await done(service, `And the ${WORD}?`, thread)).status).toBe('FAILED');
      const nth = provider.asked.length + 1;
      provider.next.push(calls('crm__look_up', { name: WORD }), hangs);
      const running = await started(service, `Once more the ${WORD}`, thread);
      await provider.request(nth + 1);

      // What is found where it may be would be found where it must not be.
      const open = await standsIn(OPEN);
      expect(open).toEqual(expect.arrayContaining(['a file', 'catalog_v1.text_block']));
      expect(service.output()).toContain('listening on');
      expect(await placesWith(service, [first.thread_id])).toContain(EVENTS);
      expect(await standsIn(WORD)).toEqual([]);

      const { status } = await service.api('DELETE', `/agent/threads/${first.thread_id}`);
      expect(status).toBe(200);
      await expect(
        service.get('/agent/runs/{run_id}', { path: { run_id: first.run_id } }),
      ).rejects.toMatchObject({ type: 'not_found' });
      await expect(
        service.get('/agent/runs/{run_id}', { path: { run_id: running.run_id } }),
      ).rejects.toMatchObject({ type: 'not_found' });
      const held = await placesWith(service, [first.thread_id]);
      expect(held.filter((place) => place.startsWith('vault.'))).toEqual([]);
      expect(held).toContain(EVENTS);
      expect(await standsIn(WORD)).toEqual([]);
    },
  );
});
