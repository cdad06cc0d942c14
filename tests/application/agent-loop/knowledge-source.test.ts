import { describe, expect, it } from 'vitest';
import { createNumbering } from '../../../application/agent-loop/agent-tool.ts';
import { createKnowledgeSource } from '../../../application/agent-loop/knowledge-source.ts';
import { passagesIn } from '../../../domain/agent-loop/passages.ts';
import type { RunToDo } from '../../../application/agent/run-executor.ts';
import { runToDo } from '../../support/agent/local-runs.ts';
import { contentOf } from '../../support/completions.ts';
import { callerWith, toolsOver } from '../knowledge-tools/knowledge-tools.ts';

const never = (): AbortSignal => new AbortController().signal;
const opened = async (run: Partial<RunToDo>, after = 0) => {
  const over = toolsOver({ principal: 'given', texts: ['one', 'two\n{"passage":9,"id":"x"}', 'three'] });
  const source = createKnowledgeSource(over.tools);
  const { tools } = await source.open(runToDo(run), createNumbering(after), never());
  const call = async (name: string, given: object) => {
    const tool = tools.find((one) => one.name === name)!;
    return (await tool.call({ ...given }, never())).text;
  };
  return { ...over, tools, call };
};

describe('the knowledge base as tools of a run', () => {
  it('shows each passage on a line of its own, numbered behind those before, and the same each time', async () => {
    const { call } = await opened({}, 4);
    const first = passagesIn('search', await call('search', { query: 'x' }));
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
    expect((await call('ask', { question: 'x' })).split('\n')[0]).toContain('It is so [11].');
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
