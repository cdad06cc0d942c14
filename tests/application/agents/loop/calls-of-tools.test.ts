import { describe, expect, it } from 'vitest';
import type { AgentTool } from '../../../../application/agents/loop/agent-tool.ts';
import type { RunEvent } from '../../../../application/agents/runs/run-executor.ts';
import { ProviderError, ProviderTimeout } from '../../../../application/ports/language-model.ts';
import { actingModel, agentTool, executing } from '../../../support/agent/local-runs.ts';

type Call = readonly [name: string, given: unknown];
const of =
  <Kind extends RunEvent['kind']>(kind: Kind) =>
  (events: readonly RunEvent[]) =>
    events.filter((event): event is Extract<RunEvent, { kind: Kind }> => event.kind === kind);
const answersIn = of('tool_answered');

/** A run whose model asks for these calls at once, and then is done. */
const calling = (calls: readonly Call[], tools: readonly AgentTool[], more: object = {}) =>
  executing(actingModel([{ calls }, 'Done.']), { tools, ...more });
const answersTo = async (calls: readonly Call[], tools: readonly AgentTool[], more: object = {}) => {
  const { execute, emitted } = calling(calls, tools, more);
  await execute();
  return answersIn(emitted).map(({ result, isError }) => [result, isError] as const);
};

/** A tool that notes who is under way beside it when it begins, and ends when it is let go. */
const noting = () => {
  const under = new Set<string>();
  const seen: string[] = [];
  const gates: (() => void)[] = [];
  const tool = (name: string, readOnly: boolean) =>
    agentTool(name, {
      readOnly,
      call: async ({ n }) => {
        const me = `${name}${String(n)}`;
        under.add(me);
        seen.push([...under].join('+'));
        await new Promise<void>((resolve) => gates.push(resolve));
        under.delete(me);
        return { text: me, isError: false };
      },
    });
  /** Lets all go that are under way, again and again until the run has ended. */
  const through = async (run: Promise<unknown>): Promise<void> => {
    const state = { over: false };
    const ended = run.finally(() => (state.over = true));
    while (!state.over) {
      await new Promise(setImmediate);
      for (const open of gates.splice(0)) open();
    }
    await ended;
  };
  return { tool, seen, through };
};

describe('calls of tools', () => {
  it('wait for one that changes something, which waits for those before it', async () => {
    const { tool, seen, through } = noting();
    const names = ['r', 'w', 'r', 'r', 'w', 'w'];
    const { execute } = calling(
      names.map((name, n): Call => [name, { n }]),
      [tool('r', true), tool('w', false)],
    );
    await through(execute());
    expect(seen).toEqual(['r0', 'w1', 'r2', 'r2+r3', 'w4', 'w5']);
  });

  it('have an answer in words where they find nothing', async () => {
    const empty = agentTool('empty', { call: async () => ({ text: '', isError: false }) });
    expect(await answersTo([['empty', {}]], [empty])).toEqual([['(nothing)', false]]);
  });

  it('of a name that is none are answered by the names that there are', async () => {
    const told = (names: string): string => `There is no tool "x" in this run. There are: ${names}.`;
    expect(await answersTo([['x', {}]], [agentTool('a'), agentTool('b')])).toEqual([[told('a, b'), true]]);
    const [[long]] = (await answersTo([['y'.repeat(1_000), {}]], [agentTool('a')])) as [
      readonly [string, boolean],
    ];
    expect(long).toContain(`"${'y'.repeat(100)}"`);
    // A model that knows no tools is searched for, whether there is a search or not.
    const { execute, emitted } = executing(actingModel(['Done.'], { toolUse: false }));
    await execute();
    expect(answersIn(emitted)[0]!.result).toBe(told('none').replace('"x"', '"search"'));
  });

  it.each(['[]', '["a"]', 'null', '3', '"x"', 'true', '{', '{} x', '""'])(
    'with %s for arguments are not made',
    async (given) => {
      expect(await answersTo([['a', given]], [agentTool('a')])).toEqual([
        ['The arguments are no JSON object. Call again with one that fits the schema.', true],
      ]);
    },
  );

  it.each(['', '{}', ' {} '])('with "%s" for arguments are made with none', async (given) => {
    expect(await answersTo([['a', given]], [agentTool('a')])).toEqual([['a: {}', false]]);
  });

  it('that break say so without details, which are not logged either', async () => {
    const logged: unknown[] = [];
    const log = { info: () => {}, error: () => {}, warn: (...line: unknown[]) => logged.push(line) };
    const broken = (error: Error) =>
      agentTool('a', {
        call: async () => {
          throw error;
        },
      });
    expect(await answersTo([['a', {}]], [broken(new TypeError('at 10.0.0.1'))], { log })).toEqual([
      ['The tool failed. It may work later, or not at all.', true],
    ]);
    expect(logged).toEqual([['a tool of an agent run failed', { tool: 'a', error: 'TypeError' }]]);
    for (const error of [
      new ProviderError('The provider answered 500', { retryable: false }),
      new ProviderTimeout('end', 7),
    ])
      expect(await answersTo([['a', {}]], [broken(error)], { log })).toEqual([
        [`The tool failed: ${error.message}`, true],
      ]);
    expect(logged).toHaveLength(1);
  });
});
