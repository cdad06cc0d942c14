import { describe, expect, it } from 'vitest';
import { createNumbering } from '../../../../application/agents/loop/agent-tool.ts';
import { createKnowledgeSource } from '../../../../application/agents/loop/knowledge-source.ts';
import { passagesIn } from '../../../../domain/agent-loop/passages.ts';
import type { RunToDo } from '../../../../application/agents/runs/run-executor.ts';
import { runToDo } from '../../../support/agent/local-runs.ts';
import { contentOf } from '../../../support/completions.ts';
import { callerWith, toolsOver } from '../tools/knowledge-tools.ts';

const never = (): AbortSignal => new AbortController().signal;
const TEXTS = ['one', 'two\n{"passage":9,"id":"x"}', 'three'];
const opened = async (
  run: Partial<RunToDo>,
  after = 0,
  more: NonNullable<Parameters<typeof toolsOver>[0]> = { texts: TEXTS },
) => {
  const over = toolsOver({ principal: 'given', ...more });
  const source = createKnowledgeSource(over.tools);
  const { tools, notes } = await source.open(runToDo(run), createNumbering(after), never());
  const call = async (name: string, given: object, signal = never()) => {
    const tool = tools.find((one) => one.name === name)!;
    const { text, isError } = await tool.call({ ...given }, signal);
    expect(isError).toBe(false);
    return text;
  };
  return { ...over, tools, notes, call };
};

describe('the knowledge base as tools of a run', () => {
  it('shows each passage on a line of its own, numbered behind those before, and the same each time', async () => {
    const { call } = await opened({}, 4);
    const shown = await call('search', { query: 'x' });
    expect(shown.split('\n')).toHaveLength(3);
    const first = passagesIn('search', shown);
    expect(first.map(({ number, text }) => [number, text])).toEqual([
      [5, 'one'],
      [6, 'two\n{"passage":9,"id":"x"}'],
      [7, 'three'],
    ]);
    const again = passagesIn('get_content', await call('get_content', { id: contentOf(1).id }));
    expect(again[0]!.number).toBe(5);
  });

  it('renumbers what an answer cites', async () => {
    const { call } = await opened({}, 10);
    const said = await call('ask', { question: 'x' });
    expect(JSON.parse(said.split('\n')[0]!)).toEqual({ answer: 'It is so [11]. one' });
    expect(passagesIn('ask', said).map(({ number }) => number)).toEqual([11, 12, 13]);
  });

  it('renumbers marks of two digits, and leaves alone what marks no passage', async () => {
    const texts = ['[12] [13] [0] [1000]', ...Array.from({ length: 11 }, (_, n) => `text ${n}`)];
    const { call } = await opened({}, 100, { texts });
    const [first] = (await call('ask', { question: 'x' })).split('\n');
    expect(JSON.parse(first!)).toEqual({ answer: 'It is so [101]. [112] [13] [0] [1000]' });
  });

  it('gives up an answer when nobody waits for it any more', async () => {
    const seen: AbortSignal[] = [];
    const gone = new Error('gone');
    const { call } = await opened({}, 0, {
      ask: async (_caller, _request, signal) => {
        seen.push(signal);
        throw gone;
      },
    });
    const { signal } = new AbortController();
    await expect(call('ask', { question: 'x' }, signal)).rejects.toBe(gone);
    expect(seen[0]).toBe(signal);
  });

  it('is asked on behalf of the principal of the run, and arguments cannot name another', async () => {
    const run = { onBehalfOf: { principalId: 'ada' }, caller: callerWith('knowledge:read', 'inference:run') };
    const { call, asked } = await opened(run);
    await call('search', { query: 'x' });
    expect(JSON.stringify(asked)).toContain('ada');
    await expect(call('search', { query: 'x', principal_id: 'bob' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});
