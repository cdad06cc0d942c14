import { describe, expect, it } from 'vitest';
import { type RunEvent, RunFailure, type RunToDo } from '../../../application/agent/run-executor.ts';
import { agentRunStream, agentThreadStream } from '../../../application/streams.ts';
import { agentRun, type AgentRunCommand } from '../../../domain/agent-run/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { agentWorld, type AgentWorldOptions, request } from '../../support/agent/agent-world.ts';
import type { RunExecutor } from '../../../application/agent/run-executor.ts';
import { callerOf } from '../../support/conversations.ts';
import { idOf } from '../../support/memory-parts.ts';

const ACME = callerOf('acme');
const STEP: RunEvent = { kind: 'step', step: 1 };
const WELL = { messages: [], result: { done: true } };

/** A run that is executed so, and all that is logged meanwhile. */
const asked = async (
  execute: RunExecutor['execute'],
  {
    more = {},
    caller = ACME,
    ...options
  }: AgentWorldOptions & { readonly more?: object; readonly caller?: typeof ACME } = {},
) => {
  const logged: unknown[] = [];
  const at = (level: string) => (message: string, facts?: object) =>
    void logged.push([level, message, facts]);
  const log = { info: at('info'), warn: at('warn'), error: at('error') };
  const world = agentWorld({ execute }, { log, ...options });
  const { record } = await world.create(caller, request('Is it so?', more));
  const send = (command: AgentRunCommand) =>
    world.execute(agentRun, agentRunStream(record.runId), command, ACME.context);
  const read = async () => (await world.read(ACME, record.runId, record.principalId)).record;
  return { world, id: record.runId, run: record, logged, send, read };
};
const lease = { type: 'lease_lost', code: 'worker_lost', at: 1 } as const;

describe('whoever executes a run', () => {
  it('is given all that was asked for, with the powers that the key had then', async () => {
    let given: RunToDo | undefined;
    const group = idOf(7);
    const { world, id, run } = await asked(
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

  it('is told of no policy where none was named', async () => {
    let given: RunToDo | undefined;
    const { world, id } = await asked(async (toDo) => {
      given = toDo;
      return WELL;
    });
    await world.work(id);
    expect(given!.onBehalfOf).toEqual({ principalId: null });
  });

  it('keeps its texts under the last of an id of its own try', async () => {
    const { world, id, run } = await asked(async (_run, emit) => {
      await emit({ kind: 'note', code: 'seen', message: 'a note' });
      return WELL;
    });
    await world.work(id);
    const [held] = await world.vault.writtenBetween({ olderMs: 0, youngerMs: 9e9 }, '', 9);
    expect(held?.owner).toBe(agentThreadStream(run.threadId));
    const own = held?.ids.filter((one) => one.split('/').length === 3).map((one) => one.split('/')[1]);
    expect(new Set(own).size).toBe(1);
    expect(own?.[0]).toMatch(/^\d{8}$/);
  });
});

describe('a run whose words are lost', () => {
  it.each(['request', 'salt'])('fails where its %s is not there, and is not executed', async (what) => {
    let executed = false;
    const { world, id, run } = await asked(async () => {
      executed = true;
      return WELL;
    });
    await world.vault.forget('acme', agentThreadStream(run.threadId), [`${id}/${what}`]);
    await world.work(id);
    expect([executed, await world.typesOf(id)]).toEqual([false, ['RunQueued', 'RunFailed']]);
    const last = (await world.store.readStream(agentRunStream(id))).at(-1);
    expect(last?.data).toMatchObject({ code: 'internal_error', message: null });
  });

  it('is left to others where its lease has run out by then', async () => {
    const { world, id, run } = await asked(async () => WELL);
    await world.vault.forget('acme', agentThreadStream(run.threadId), [`${id}/salt`]);
    let looked = 0;
    await expect(world.work(id, undefined, () => (looked += 1) > 1)).rejects.toMatchObject({
      name: 'WorkLost',
    });
    expect(await world.typesOf(id)).toEqual(['RunQueued']);
  });
});

describe('a run that comes to nothing', () => {
  it('fails with the code and the words of whoever executed it', async () => {
    const { world, id, read, logged } = await asked(async () => {
      throw new RunFailure('provider_error', 'the provider refused');
    });
    await world.work(id);
    expect(await read()).toMatchObject({
      status: 'FAILED',
      error: { code: 'provider_error' },
      errorMessage: 'the provider refused',
    });
    expect(logged).toEqual([['info', 'a run failed', { runId: id, code: 'provider_error' }]]);
  });

  it('fails as what it asked was refused', async () => {
    const { world, id, read, logged } = await asked(async () => {
      throw new DomainError('invalid_request', 'no such schema');
    });
    await world.work(id);
    expect(await read()).toMatchObject({
      error: { code: 'invalid_request' },
      errorMessage: 'no such schema',
    });
    expect(logged).toEqual([]);
  });

  it('fails without a word where something broke here, which is logged', async () => {
    const error = new Error('secret address');
    const { world, id, read, logged } = await asked(async () => {
      throw error;
    });
    await world.work(id);
    const run = await read();
    expect(run.error).toMatchObject({ code: 'internal_error', message: null });
    expect(run.errorMessage).toBe('something went wrong here');
    expect(logged).toEqual([['error', 'a run broke', { runId: id, error: error.stack }]]);
    const other = await asked(async () => {
      throw Object.assign(new Error('no trace'), { stack: undefined });
    });
    await other.world.work(other.id);
    expect(other.logged).toEqual([['error', 'a run broke', { runId: other.id, error: 'Error: no trace' }]]);
  });

  it('fails where nobody is set up to execute it', async () => {
    const { world, id, read } = await asked(async () => WELL, { executorOfWorker: null });
    await world.work(id);
    expect(await read()).toMatchObject({
      error: { code: 'not_configured' },
      errorMessage: 'LOCAL is not set up here',
    });
  });

  it('fails all the same where its words cannot be kept', async () => {
    const { world, id, read } = await asked(
      async () => {
        throw new RunFailure('provider_error', 'the provider refused');
      },
      {
        vaultOfWorker: (vault) => ({
          ...vault,
          put: (tenant, owner, bodies) =>
            bodies.some(({ id: name }) => name.endsWith('/error'))
              ? Promise.reject(new Error('the disk is full'))
              : vault.put(tenant, owner, bodies),
        }),
      },
    );
    await world.work(id);
    expect(await read()).toMatchObject({
      status: 'FAILED',
      error: { code: 'provider_error', message: null },
      errorMessage: 'it failed: provider_error',
    });
  });
});

describe('a run that somebody else has ended meanwhile', () => {
  it('is as they say: what comes late is dropped, and told of', async () => {
    const { world, id, send, read, logged } = await asked(async (_run, emit) => {
      await emit(STEP);
      await send(lease);
      throw new RunFailure('provider_error', 'the provider refused');
    });
    await world.work(id);
    expect((await read()).error?.code).toBe('worker_lost');
    expect(logged.at(-1)).toEqual([
      'info',
      'a late write was dropped',
      { runId: id, command: 'fail', reason: 'fail: the run is FAILED' },
    ]);
  });

  it('is told to stop, and records nothing', async () => {
    const { world, id, send, logged } = await asked(async (_run, emit, signal) => {
      await emit(STEP);
      await send(lease);
      await Promise.all(world.timers.map((run) => run().catch(() => undefined)));
      signal.throwIfAborted();
      return WELL;
    });
    await world.work(id);
    expect((await world.typesOf(id)).at(-1)).toBe('RunFailed');
    expect(logged).toEqual([]);
  });

  it('is told to stop where its lease is lost, and records nothing', async () => {
    const lost = new AbortController();
    const { world, id, logged } = await asked(async (_run, emit, signal) => {
      await emit(STEP);
      lost.abort();
      signal.throwIfAborted();
      return WELL;
    });
    await world.work(id, undefined, () => false, lost.signal);
    expect([await world.typesOf(id), logged]).toEqual([['RunQueued', 'RunStarted', 'RunEmitted'], []]);
  });

  it('is told to stop where a newer version has written to it', async () => {
    const { world, id, logged } = await asked(async (_run, emit, signal) => {
      await emit(STEP);
      const past = await world.store.readStream(agentRunStream(id));
      const metadata = past.at(-1)!.metadata;
      const event = { id: idOf(77), type: 'RunPaused', data: {}, metadata };
      await world.store.append(agentRunStream(id), past.at(-1)!.revision, [event]);
      await Promise.all(world.timers.map((run) => run().catch(() => undefined)));
      signal.throwIfAborted();
      return WELL;
    });
    await world.work(id);
    const types = (await world.store.readStream(agentRunStream(id))).map(({ type }) => type);
    expect([types.at(-1), logged]).toEqual(['RunPaused', []]);
  });

  it('drops what it says of itself once its lease has run out', async () => {
    let out = false;
    const { world, id, logged } = await asked(async (_run, emit) => {
      await emit(STEP);
      out = true;
      throw new RunFailure('provider_error', 'the provider refused');
    });
    await world.work(id, undefined, () => out);
    expect((await world.typesOf(id)).at(-1)).toBe('RunEmitted');
    const dropped = { runId: id, command: 'fail', reason: 'its lease has run out' };
    expect(logged.at(-1)).toEqual(['info', 'a late write was dropped', dropped]);
  });

  it('breaks where its end cannot be written, for whoever looks after it', async () => {
    let away = false;
    const { world, id } = await asked(
      async (_run, emit) => {
        await emit(STEP);
        away = true;
        throw new RunFailure('provider_error', 'the provider refused');
      },
      {
        storeOfWorker: (store) => ({
          ...store,
          append: (...of) => (away ? Promise.reject(new Error('the log is away')) : store.append(...of)),
        }),
      },
    );
    await expect(world.work(id)).rejects.toThrow('the log is away');
    expect((await world.typesOf(id)).at(-1)).toBe('RunEmitted');
  });
});

describe('a run that cannot be begun', () => {
  it('is left to others where what it needs cannot be read', async () => {
    const { world, id } = await asked(async () => WELL, {
      vaultOfWorker: (vault) => ({ ...vault, read: () => Promise.reject(new Error('the vault is away')) }),
    });
    await expect(world.work(id)).rejects.toThrow('the vault is away');
    expect(await world.typesOf(id)).toEqual(['RunQueued']);
  });

  it('is nothing to run where its thread was deleted, and that is told', async () => {
    const { world, id, run, logged } = await asked(async () => WELL);
    await world.vault.destroy('acme', agentThreadStream(run.threadId));
    await world.work(id);
    expect(logged).toEqual([['info', 'nothing to run', { runId: id, reason: 'there is no such thread' }]]);
  });

  it('is gone where nobody has admitted it, and not ours where its lease is lost', async () => {
    const { world, id } = await asked(async () => WELL);
    expect(await world.work(idOf(9))).toBe('gone');
    expect(await world.work(idOf(9), undefined, () => true)).toBe('lost');
    expect(await world.work(id, undefined, () => true)).toBe('lost');
    expect(await world.typesOf(id)).toEqual(['RunQueued']);
  });
});

describe('a thread that is deleted', () => {
  it('is marked as gone with its runs, at the revision and place of the fact', async () => {
    const { world, run } = await asked(async () => WELL);
    const { record, position, changed } = await world.remove(ACME, run.threadId, null);
    const last = (await world.store.readStream(agentThreadStream(run.threadId))).at(-1);
    expect([record, changed, position]).toEqual([run.threadId, true, last?.position]);
    const row = { id: run.threadId, tenant: 'acme', revision: last?.revision };
    expect(world.gone).toEqual([
      ['agent_thread', row, position],
      ['agent_run', row, position],
    ]);
  });

  it('is so also where its runs cannot be told to stop, which is told', async () => {
    const { world, id, run, logged } = await asked(async () => WELL);
    world.onAppend((append, stream) =>
      stream.startsWith('agentRun-') ? Promise.reject(new Error('the log is away')) : append(),
    );
    expect((await world.remove(ACME, run.threadId, null)).changed).toBe(true);
    expect(logged).toEqual([
      ['info', 'a run of a deleted thread was not told to stop', { runId: id, error: 'the log is away' }],
    ]);
  });

  it('has its runs stopped also where whoever deleted it has gone', async () => {
    const { world, id, run } = await asked(async () => WELL);
    const gone = new AbortController();
    const caller = { ...ACME, context: { ...ACME.context, signal: gone.signal } };
    world.onAppend(async (append) => {
      const result = await append();
      gone.abort();
      return result;
    });
    await world.remove(caller, run.threadId, null);
    expect((await world.typesOf(id)).at(-1)).toBe('RunCancelled');
  });
});
