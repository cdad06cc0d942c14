import { describe, expect, it } from 'vitest';
import type { ToolSource } from '../../../../application/agents/loop/agent-tool.ts';
import type { RunEvent } from '../../../../application/agents/runs/run-executor.ts';
import { actingModel, agentTool, executing, type Line, runToDo } from '../../../support/agent/local-runs.ts';
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

  it('before a source of its tools was there lets go of the others', async () => {
    const { source, after, left } = watched();
    const away: ToolSource = { open: () => Promise.reject(reason) };
    const { execute } = executing(actingModel(['Done.']), { sources: [source('a'), away], after });
    await expect(execute()).rejects.toBe(reason);
    expect(left()).toEqual({ open: [], timers: 0 });
  });

  it('asks and calls nothing more, whatever comes of what was under way', async () => {
    const called: string[] = [];
    const act = agentTool('act', {
      call: async () => (called.push('act'), { text: 'done', isError: false }),
    });
    for (const calls of [[], [['act', {}]]] as const) {
      const stop = new AbortController();
      const { execute, emitted } = executing(
        actingModel([
          async function* () {
            stop.abort(reason);
            yield { kind: 'delta', text: 'Done.' } as const;
            for (const [name] of calls) yield { kind: 'tool_call', id: 'c', name, arguments: '{}' } as const;
            yield { kind: 'finish', reason: 'stop', usage: null } as const;
          },
        ]),
        { tools: [act] },
      );
      await expect(execute({}, stop.signal)).rejects.toBe(reason);
      expect(emitted.some(({ kind }) => kind === 'tool_called')).toBe(false);
    }
    expect(called).toEqual([]);
  });

  it('fails by why it has, though what happened could not be kept; but by that where it took too long', async () => {
    const lost = new Error('lost');
    const stop = new AbortController();
    const ending = (end: () => void) => async (event: RunEvent) => {
      if (event.kind !== 'model_called') return;
      end();
      throw lost;
    };
    const run = () => executing(actingModel([{ calls: [['a', {}]] }, 'Done.']), { tools: [agentTool('a')] });
    await expect(
      run().executor.execute(
        runToDo(),
        ending(() => stop.abort(reason)),
        stop.signal,
      ),
    ).rejects.toBe(reason);
    const late = executing(
      actingModel([
        async function* () {
          yield { kind: 'delta', text: 'So' } as const;
          late.runOut(LIMITS.ms);
          throw lost;
        },
      ]),
    );
    await expect(late.execute()).rejects.toMatchObject({ name: 'RunFailure', code: 'time_limit' });
    const alone = executing(actingModel(['Done.']), {
      hidingFor: async () => {
        alone.runOut(LIMITS.ms);
        throw lost;
      },
    });
    await expect(alone.execute()).rejects.toBe(lost);
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
  it('are those of the first source that gives a name, in order, and a source that has none says why', async () => {
    const named = (description: string) => agentTool('a', { description });
    const note = { code: 'tool_server_away', message: 'It does not answer.' };
    const sources: readonly ToolSource[] = [
      { open: async () => ({ tools: [named('first')], notes: [], close: async () => {} }) },
      {
        open: async () => ({
          tools: [named('second'), agentTool('b')],
          notes: [note],
          close: async () => {},
        }),
      },
    ];
    const model = actingModel(['Done.']);
    const { execute, emitted } = executing(model, { sources });
    await execute();
    expect(model.asked[0]!.tools!.map(({ name, description }) => [name, description])).toEqual([
      ['a', 'first'],
      ['b', 'Does b.'],
    ]);
    expect(emitted[0]).toEqual({ kind: 'note', ...note });
  });

  it('have results as long as the window of the model allows, by how many are called at once', async () => {
    const long = agentTool('a', { call: async () => ({ text: 'x'.repeat(500_000), isError: false }) });
    const lengths = async (contextWindow: number, calls: number) => {
      const model = actingModel(
        [{ calls: Array.from({ length: calls }, () => ['a', {}] as const) }, 'Done.'],
        { contextWindow },
      );
      const { execute, emitted } = executing(model, { tools: [long] });
      await execute().catch(() => {});
      return [
        ...new Set(emitted.flatMap((event) => (event.kind === 'tool_answered' ? [event.result.length] : []))),
      ];
    };
    // Three characters for a token, and half the window for all: a quarter of that each at the most.
    expect(await lengths(8_000, 1)).toEqual([3_000]);
    expect(await lengths(8_001, 4)).toEqual([3_000]);
    expect(await lengths(8_000, 6)).toEqual([2_000]);
    expect(await lengths(8_000, 60)).toEqual([500]);
    expect(await lengths(1_000_000, 1)).toEqual([20_000]);
    const { execute, emitted } = executing(actingModel(['{}']), {
      tools: [agentTool('search', { call: long.call })],
    });
    const schema = { type: 'object' };
    const input = { messages: [{ role: 'user' as const, content: 'x' }], schema };
    await execute({ workflowType: 'extract', input }).catch(() => {});
    const [found] = emitted.flatMap((event) => (event.kind === 'tool_answered' ? [event] : []));
    expect([found!.result.length, found!.truncated]).toEqual([400_000, true]);
  });

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
