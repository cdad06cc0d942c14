import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../../application/answers/completions/prompt.ts';
import {
  type ModelEvent,
  ProviderError,
  ProviderTimeout,
} from '../../../../application/ports/language-model.ts';
import { type ActingModel, actingModel, agentTool, executing } from '../../../support/agent/local-runs.ts';
import { LIMITS, passage } from '../../../support/agent/loops.ts';

const finish: ModelEvent = { kind: 'finish', reason: 'stop', usage: null };
const streamOf = (...events: readonly (ModelEvent | Error)[]) =>
  async function* () {
    for (const event of events) {
      if (event instanceof Error) throw event;
      yield event;
    }
  };
const delta = (text: string): ModelEvent => ({ kind: 'delta', text });
const search = agentTool('search', { call: async () => ({ text: passage(1), isError: false }) });

describe('what a model is asked', () => {
  const requestOf = async (model: ActingModel, more: object = {}, run: object = {}) => {
    await executing(model, { tools: [search], ...more }).execute(run);
    return model.asked[0]!;
  };

  it('holds the most that it may answer, and a schema, where there are such', async () => {
    const model = actingModel(['{"rows":[]}']);
    const input = {
      messages: [{ role: 'user', content: 'Which birds?' }],
      schema: { type: 'object', properties: { bird: { type: 'string' } } },
    };
    const modelOf = () => ({ model, maxTokens: 77, price: null });
    await executing(model, { tools: [search], modelOf })
      .execute({ workflowType: 'extract', input } as object)
      .catch(() => {});
    expect(model.asked.some(({ responseSchema }) => responseSchema !== undefined)).toBe(true);
    expect(model.asked.every(({ maxOutputTokens }) => maxOutputTokens === 77)).toBe(true);
  });

  /** The smallest window with which the run gets through. */
  const leastWindow = async (more: object, maxTokens: number | null): Promise<number> => {
    const fits = async (contextWindow: number): Promise<boolean> => {
      const model = actingModel(['Done.'], { contextWindow });
      const { execute } = executing(model, { ...more, modelOf: () => ({ model, maxTokens, price: null }) });
      return execute().then(
        () => true,
        (error: unknown) => {
          expect(error).toMatchObject({ name: 'RunFailure', code: 'context_exceeded' });
          return false;
        },
      );
    };
    let [low, high] = [0, 64_000];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (await fits(middle)) high = middle;
      else low = middle;
    }
    return high;
  };

  it('leaves room for the answer and for the tools, and is refused where there is none', async () => {
    const model = actingModel(['Done.']);
    const { messages, tools } = await requestOf(model);
    const said = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
    expect(await leastWindow({ tools: [] }, 1_000)).toBe(said + 1_000);
    expect(await leastWindow({ tools: [search] }, 1_000)).toBe(
      said + 1_000 + estimateTokens(JSON.stringify(tools)),
    );
    // Where nothing is said of its length, the answer has a quarter of the window, up to 4,096 tokens.
    const quarter = await leastWindow({ tools: [] }, null);
    expect([quarter - Math.floor(quarter / 4), quarter - 1 - Math.floor((quarter - 1) / 4)]).toEqual([
      said,
      said - 1,
    ]);
    const long = agentTool('search', { description: 'x'.repeat(60_000) });
    const shown = { ...tools![0]!, description: long.description };
    expect(await leastWindow({ tools: [long] }, null)).toBe(
      said + 4_096 + estimateTokens(JSON.stringify([shown])),
    );
  });
});

describe('what a model answers', () => {
  it('is counted by the provider, and where that does not count by an estimate of all that was said', async () => {
    const calls: readonly ModelEvent[] = ['{"a":"one"}', '{"a":"two"}'].map((json, n) => ({
      kind: 'tool_call',
      id: `c${n}`,
      name: 'search',
      arguments: json,
    }));
    const model = actingModel([
      streamOf(delta('Wait '), delta('a bit.'), ...calls, finish),
      streamOf(delta('Done.'), finish),
    ]);
    const { result } = await executing(model, {
      tools: [search],
      price: { input: 1, output: 100 },
    }).execute();
    const asked = model.asked
      .flatMap(({ messages }) => messages)
      .reduce((sum, { content }) => sum + estimateTokens(content), 0);
    const said = estimateTokens('Wait a bit.{"a":"one"}{"a":"two"}') + estimateTokens('Done.');
    expect(result['usage']).toEqual({ tokens: asked + said, cost: (asked + 100 * said) / 1_000_000 });
  });

  it('is no call where no tool was offered', async () => {
    const call: ModelEvent = { kind: 'tool_call', id: 'c', name: 'search', arguments: '{}' };
    const model = actingModel([streamOf(delta('Birds [1].'), call, finish)], { toolUse: false });
    const { execute, emitted } = executing(model, { tools: [search] });
    expect((await execute()).result).toMatchObject({ message: { content: 'Birds [1].' } });
    expect(emitted.filter(({ kind }) => kind === 'tool_called')).toHaveLength(1);
  });
});

describe('a model that does not answer', () => {
  const refused = new ProviderError('answers 401', { status: 401, retryable: false });
  const failing = [
    [
      'is busy for good',
      streamOf(new ProviderError('busy', { status: 429, retryable: false })),
      'provider_busy',
      0,
    ],
    ['refuses', streamOf(refused), 'provider_error', 0],
    ['cannot be reached', streamOf(new ProviderTimeout('connection', 5)), 'provider_timeout', 7],
    ['does not begin', streamOf(new ProviderTimeout('first_token', 5)), 'provider_timeout', 0],
    ['stands still', streamOf(delta('So'), new ProviderTimeout('next_token', 5)), 'provider_timeout', 0],
    [
      'has no connection any more',
      streamOf(delta('So'), new ProviderTimeout('connection', 5)),
      'provider_timeout',
      0,
    ],
    ['breaks off', streamOf(delta('So'), refused), 'answer_broken_off', 0],
    ['ends without an end', streamOf(), 'provider_error', 0],
    ['ends without an end of what it said', streamOf(delta('So')), 'answer_broken_off', 0],
  ] as const;
  it.each(failing)('because it %s fails the run by that name', async (_, stream, code, waits) => {
    const { execute, slept } = executing(actingModel([stream]), { limits: { ...LIMITS, ms: 900_000 } });
    await expect(execute()).rejects.toMatchObject({ name: 'RunFailure', code });
    expect(slept).toHaveLength(waits);
  });
});
