import { describe, expect, it } from 'vitest';
import { agentRunStream } from '../../../../application/event-sourcing/streams.ts';
import { agentWorld, request } from '../../../support/agent/agent-world.ts';
import { type Act, scriptedExecutor } from '../../../support/agent/scripted-executor.ts';
import { callerOf } from '../../../support/conversations.ts';

const ACME = callerOf('acme');
const never = new Promise<void>(() => {});
const stays = new AbortController().signal;

const asked = async (script: readonly Act[] = []) => {
  const waits: number[] = [];
  const over = new AbortController();
  const executor = scriptedExecutor(() => script);
  const world = agentWorld(executor, {
    after: (ms) => {
      waits.push(ms);
      return over.signal;
    },
  });
  const { record } = await world.create(ACME, request('Is it so?'));
  const cancel = (waitMs = 0, gone = stays) => world.cancel(ACME, record.runId, null, waitMs, gone);
  return { world, executor, id: record.runId, waits, over, cancel };
};
/** A run that goes on until it hears that it is to stop. */
const running = async () => {
  const all = await asked([{ kind: 'waits', until: never }]);
  const working = all.world.work(all.id);
  while (all.executor.executed.length === 0) await new Promise((resolve) => setImmediate(resolve));
  return { ...all, working };
};

describe('a run that is canceled', () => {
  it('is to stop where it is under way: who asks twice changes nothing the second time', async () => {
    const { cancel, world, working } = await running();
    expect(await cancel()).toMatchObject({ record: { status: 'CANCELLING' }, changed: true, wasOver: false });
    expect(await cancel()).toMatchObject({
      record: { status: 'CANCELLING' },
      changed: false,
      wasOver: false,
    });
    await Promise.all(world.timers.map((run) => run()));
    await working;
  });

  it('is waited for as long as it was asked, and answered as it is then', async () => {
    const { world, id, cancel, waits, working } = await running();
    const canceling = cancel(5_000);
    while (waits.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(waits).toEqual([5_000]);
    await Promise.all(world.timers.map((run) => run()));
    const { record, changed } = await canceling;
    expect([record.status, changed]).toEqual(['CANCELLED', true]);
    await working;
    const last = (await world.store.readStream(agentRunStream(id))).at(-1);
    expect(last?.data).toMatchObject({ by: 'worker', code: null });
  });

  it.each(['time', 'caller'])('is waited for no longer once its %s is gone', async (what) => {
    const { world, cancel, over, working } = await running();
    const gone = new AbortController();
    const canceling = cancel(5_000, gone.signal);
    (what === 'time' ? over : gone).abort();
    expect((await canceling).record.status).toBe('CANCELLING');
    await Promise.all(world.timers.map((run) => run()));
    await working;
  });
});
