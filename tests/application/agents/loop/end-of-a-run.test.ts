import { describe, expect, it } from 'vitest';
import type { ToolSource } from '../../../../application/agents/loop/agent-tool.ts';
import { actingModel, agentTool, executing, type Line } from '../../../support/agent/local-runs.ts';
import { LIMITS } from '../../../support/agent/loops.ts';

const reason = new Error('cancelled');

/** A clock that counts how many waits are open, and sources that say whether they are. */
const watched = () => {
  const open = new Set<string>();
  let timers = 0;
  const source = (name: string, more: Partial<Awaited<ReturnType<ToolSource['open']>>> = {}): ToolSource => ({
    open: async () => {
      open.add(name);
      return { tools: [agentTool(name)], notes: [], close: async () => void open.delete(name), ...more };
    },
  });
  const after = () => {
    timers += 1;
    return { signal: new AbortController().signal, clear: () => void (timers -= 1) };
  };
  return { source, after, left: () => ({ open: [...open], timers }) };
};

describe('a run that has ended', () => {
  it.each(['Done.', reason] as const)('lets go of all that was opened for it: %s', async (last) => {
    const { source, after, left } = watched();
    const lines: readonly Line[] = [
      {
        calls: [
          ['a', {}],
          ['b', {}],
        ],
      },
      last,
    ];
    const { execute } = executing(actingModel(lines), { sources: [source('a'), source('b')], after });
    await execute().catch(() => {});
    expect(left()).toEqual({ open: [], timers: 0 });
  });

  it('at one of its limits says which', async () => {
    const busy = actingModel([{ calls: [['a', {}]] }]);
    const limited = (more: object) =>
      executing(busy, { tools: [agentTool('a')], limits: { ...LIMITS, ...more } }).execute();
    await expect(limited({ steps: 2 })).rejects.toMatchObject({ name: 'RunFailure', code: 'step_limit' });
    await expect(limited({ toolCalls: 1 })).rejects.toMatchObject({ code: 'tool_call_limit' });
    let now = 1_700_000_000_000;
    const slow = agentTool('a', {
      call: async () => {
        now += 30_000;
        return { text: 'x', isError: false };
      },
    });
    const clock = { now: () => now };
    const model = actingModel([{ calls: [['a', {}]] }]);
    await expect(executing(model, { tools: [slow], clock }).execute()).rejects.toMatchObject({
      code: 'time_limit',
    });
    expect(model.asked).toHaveLength(2);
  });
});

describe('the tools of a run', () => {
  it('find what they find between marks that are random, and new for each run', async () => {
    const ids = ['0199d2a0-1111-7222-8333-0123456789ab', '0199d2a0-1111-7222-8333-cdef01234567'];
    const marks = [];
    for (const id of ids) {
      const model = actingModel(['Done.']);
      await executing(model, { ids: { newId: () => id } }).execute();
      marks.push(/<data (\S+)>/.exec(model.asked[0]!.messages[0]!.content)![1]);
    }
    // The last part of such an id: what stands before it tells the time, which others may know.
    expect(marks).toEqual(['0123456789ab', 'cdef01234567']);
  });
});
