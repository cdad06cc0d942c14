import { describe, expect, it } from 'vitest';
import { resultOf } from '../../../../application/agents/loop/execute-local.ts';
import type { RunToDo } from '../../../../application/agents/runs/run-executor.ts';
import type { Finished } from '../../../../domain/agent-loop/step.ts';
import { actingModel, executing, runToDo } from '../../../support/agent/local-runs.ts';

const messages = [{ role: 'user' as const, content: 'Which birds?' }];
const able = executing(actingModel(['Done.']));
const unable = executing(actingModel(['Done.'], { toolUse: false, structuredOutput: false }));
const asking = (more: Partial<RunToDo>): RunToDo => runToDo({ input: { messages }, ...more });

describe('a run that cannot be executed', () => {
  const extract = (input: object) => asking({ workflowType: 'extract', input: { messages, ...input } });
  const schema = { type: 'object', properties: { bird: { type: 'string' } } };
  const refused = [
    ['a workflow that is none', able, asking({ workflowType: 'dance' }), 'invalid_request'],
    ['a provider that is not set up', able, asking({ provider: 'PROVIDER_B' }), 'not_configured'],
    ['a model that cannot do it', unable, extract({ schema }), 'not_configured'],
    ['an input that it cannot read', able, extract({}), 'invalid_request'],
    ['a schema that is none', able, extract({ schema: { type: 'wrong' } }), 'schema_invalid'],
  ] as const;

  it.each(refused)('is refused for %s, and fails for it once it was accepted', async (_, on, run, code) => {
    expect(() => on.executor.check!(run)).toThrow(expect.objectContaining({ name: 'DomainError', code }));
    await expect(on.execute(run)).rejects.toMatchObject({ name: 'RunFailure', code });
  });

  it('is refused for a field that nobody would read, and executed where it was accepted', async () => {
    const run = extract({ schema, [`x${'y'.repeat(500)}`]: 1 });
    expect(() => able.executor.check!(run)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: `input has no field "x${'y'.repeat(99)}"; extract knows: messages, schema, max_sources`,
      }),
    );
    // What chat does not read is no schema, and none is looked at.
    const chat = asking({ input: { messages, schema: { type: 'wrong' } } });
    await expect(able.execute(chat)).resolves.toMatchObject({ result: { finish_reason: 'stop' } });
  });

  it('for want of something else fails by that', async () => {
    const broken = new TypeError('no compiler');
    const schemas = {
      compile: () => {
        throw broken;
      },
    };
    await expect(executing(actingModel(['x']), { schemas }).execute(extract({ schema }))).rejects.toBe(
      broken,
    );
  });
});

describe('the result of a run', () => {
  const finished: Finished = {
    kind: 'finish',
    message: 'Birds.',
    finishReason: 'stop',
    citations: [],
    messages: [],
  };
  const state = { tokens: 7, cost: 2_500_000, toolCalls: 3 } as Parameters<typeof resultOf>[1];
  const shown = (more: Partial<Finished>) =>
    resultOf({ ...finished, ...more }, state, { model: 'm', steps: 2 });
  const plain = {
    message: { role: 'assistant', content: 'Birds.' },
    finish_reason: 'stop',
    citations: [],
    model: 'm',
    steps: 2,
    tool_calls: 3,
    usage: { tokens: 7, cost: 2.5 },
  };

  it('names gaps and rows only where the workflow does', () => {
    expect(shown({})).toEqual(plain);
    expect(Object.keys(shown({}))).toEqual(Object.keys(plain));
    expect(shown({ gaps: ['Which owls?'] })).toEqual({ ...plain, gaps: ['Which owls?'] });
    expect(shown({ gaps: [] })).toEqual({ ...plain, gaps: [] });
  });
});
