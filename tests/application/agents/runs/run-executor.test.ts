import { describe, expect, it } from 'vitest';
import type { RunEvent, RunToDo } from '../../../../application/agents/runs/run-executor.ts';
import { type Act, scriptedExecutor } from '../../../support/agent/scripted-executor.ts';

const RUN = { runId: 'run', threadId: 'thread', begun: async () => {} } as Partial<RunToDo> as RunToDo;

const execute = async (acts: readonly Act[], signal = new AbortController().signal) => {
  const emitted: RunEvent[] = [];
  const executor = scriptedExecutor(() => acts);
  const outcome = await executor.execute(RUN, async (event) => void emitted.push(event), signal);
  return { emitted, outcome, executed: executor.executed };
};

describe('a scripted executor', () => {
  it('emits what its script says, and answers with the text of it', async () => {
    const acts: readonly Act[] = [
      { kind: 'step', step: 1 },
      { kind: 'text', step: 1, delta: 'Hello ' },
      { kind: 'text', step: 1, delta: 'world' },
    ];
    const { emitted, outcome, executed } = await execute(acts);
    expect(emitted).toStrictEqual(acts);
    expect(outcome.messages).toStrictEqual([{ role: 'assistant', content: 'Hello world' }]);
    expect(executed).toStrictEqual([RUN]);
  });

  it('fails with the code that its script names', async () => {
    const failing = execute([{ kind: 'fails', code: 'not_configured', message: 'no model is set up' }]);
    await expect(failing).rejects.toMatchObject({ name: 'RunFailure', code: 'not_configured' });
  });

  it('stops with the reason of its signal while it waits', async () => {
    const stop = new AbortController();
    const running = execute([{ kind: 'waits', until: new Promise(() => {}) }], stop.signal);
    stop.abort('canceled');
    await expect(running).rejects.toBe('canceled');
  });
});
