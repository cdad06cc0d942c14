import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../adapters/system/identity.ts';
import { type RunToDo } from '../../../../application/agents/runs/run-executor.ts';
import { agentRunStream, agentThreadStream } from '../../../../application/event-sourcing/streams.ts';
import { askedRun } from '../../../support/agent/asked-run.ts';
import { callerOf } from '../../../support/conversations.ts';
import { idOf } from '../../../support/memory-parts.ts';
const WELL = { messages: [], result: { done: true } };

describe('whoever executes a run', () => {
  it('is given all that was asked for, with the powers that the key had then', async () => {
    let given: RunToDo | undefined;
    const group = idOf(7);
    const { world, id, run } = await askedRun(
      async (toDo) => {
        given = toDo;
        return WELL;
      },
      {
        caller: callerOf('acme', [group]),
        more: { principalId: 'jo', authzPolicy: 'readers', mcpSessionId: 's', provider: 'PROVIDER_B' },
      },
    );
    await world.work(id);
    const { begun: _, ...facts } = given!;
    expect(facts).toEqual({
      tenant: 'acme',
      threadId: run.threadId,
      runId: id,
      caller: {
        keyId: 'key-1',
        tenant: 'acme',
        grant: { scopes: run.scopes, sourceGroupIds: [group] },
        context: expect.objectContaining({ tenant: 'acme', actor: { kind: 'worker', id: 'worker-1' } }),
      },
      onBehalfOf: { principalId: 'jo', authzPolicy: 'readers' },
      workflowType: 'chat',
      provider: 'PROVIDER_B',
      executionMode: 'LOCAL',
      runtimeArn: null,
      mcpSessionId: 's',
      input: { messages: [{ role: 'user', content: 'Is it so?' }] },
      history: [],
    });
  });

  it('has what it tells kept with its length, and a digest that only the salt of the run leads to', async () => {
    const { world, id, run } = await askedRun(async (_run, emit) => {
      await emit({ kind: 'note', code: 'seen', message: 'é' });
      return WELL;
    });
    await world.work(id);
    const owner = agentThreadStream(run.threadId);
    const salts = await world.vault.read('acme', owner, [`${id}/salt`]);
    const emitted = (await world.store.readStream(agentRunStream(id))).find(
      ({ type }) => type === 'RunEmitted',
    );
    const body = emitted!.data['body'] as { readonly body_id: string };
    const text = '{"message":"é"}';
    expect((await world.vault.read('acme', owner, [body.body_id]))?.get(body.body_id)).toBe(text);
    const digest = sha256.sha256(`${salts?.get(`${id}/salt`)}\n${text}`);
    expect(body).toMatchObject({ digest, bytes: text.length + 1 });
  });
});

describe('a run whose words are lost', () => {
  it.each(['request', 'salt'])('fails where its %s is not there, and is not executed', async (what) => {
    let executed = false;
    const { world, id, run } = await askedRun(async () => {
      executed = true;
      return WELL;
    });
    await world.vault.forget('acme', agentThreadStream(run.threadId), [`${id}/${what}`]);
    await world.work(id);
    expect([executed, await world.typesOf(id)]).toEqual([false, ['RunQueued', 'RunFailed']]);
    const last = (await world.store.readStream(agentRunStream(id))).at(-1);
    expect(last?.data).toMatchObject({ code: 'internal_error', message: null });
  });
});

describe('a run that comes to nothing', () => {
  it('fails without a word where something broke here, which is logged', async () => {
    const error = new Error('secret address');
    const { world, id, read, logged } = await askedRun(async () => {
      throw error;
    });
    await world.work(id);
    const run = await read();
    expect(run.error).toMatchObject({ code: 'internal_error', message: null });
    expect(run.errorMessage).toBe('something went wrong here');
    expect(logged).toEqual([['error', 'a run broke', { runId: id, error: error.stack }]]);
    const other = await askedRun(async () => {
      throw Object.assign(new Error('no trace'), { stack: undefined });
    });
    await other.world.work(other.id);
    expect(other.logged).toEqual([['error', 'a run broke', { runId: other.id, error: 'Error: no trace' }]]);
  });

  it('fails where nobody is set up to execute it', async () => {
    const { world, id, read } = await askedRun(async () => WELL, { executorOfWorker: null });
    await world.work(id);
    expect(await read()).toMatchObject({
      error: { code: 'not_configured' },
      errorMessage: 'LOCAL is not set up here',
    });
  });
});
