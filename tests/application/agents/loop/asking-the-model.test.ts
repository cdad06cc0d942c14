import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../../application/answers/completions/prompt.ts';
import {
  type LanguageModel,
  type ModelEvent,
  type ModelRequest,
  ProviderError,
  ProviderTimeout,
} from '../../../../application/ports/language-model.ts';
import {
  type ActingModel,
  actingModel,
  agentTool,
  executing,
  runToDo,
} from '../../../support/agent/local-runs.ts';
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
const busy = (retryAfterMs: number) =>
  new ProviderError('busy', { status: 429, retryable: true, retryAfterMs });

describe('what a model is asked', () => {
  const requestOf = async (model: ActingModel, more: object = {}, run: object = {}) => {
    await executing(model, { tools: [search], ...more }).execute(run);
    return model.asked[0]!;
  };

  it('holds the tools where it knows any, and the passages where it does not', async () => {
    const able = await requestOf(actingModel(['Done.']));
    const { name, description, parameters } = search;
    expect(able.tools).toEqual([{ name, description, parameters }]);
    expect(Object.keys(able).toSorted()).toEqual(['messages', 'tools']);
    expect(Object.keys(await requestOf(actingModel(['Done.']), { tools: [] }))).toEqual(['messages']);
    const plain = await requestOf(actingModel(['Done.'], { toolUse: false }));
    expect(Object.keys(plain).toSorted()).toEqual(['messages', 'passages']);
    expect(plain.passages).toMatchObject([{ title: 'Title 1', text: 'Fact 1.' }]);
  });

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

  it('names calls by their step and place, so that no two of a run are the same', async () => {
    const call: ModelEvent = { kind: 'tool_call', id: 'x'.repeat(300), name: 'search', arguments: '{}' };
    const short: ModelEvent = { ...call, id: 'c' };
    const model = actingModel([streamOf(short, short, finish), streamOf(call, call, finish), 'Done.']);
    const { execute, emitted } = executing(model, { tools: [search] });
    const { messages } = await execute();
    const ids = emitted.flatMap((event) => (event.kind === 'tool_called' ? [event.callId] : []));
    expect(ids.slice(0, 2)).toEqual(['1-1-c', '1-2-c']);
    expect(new Set(ids).size).toBe(4);
    expect(ids.map((id) => id.length)).toEqual([5, 5, 200, 200]);
    expect(messages.flatMap((one) => (one.role === 'tool' ? [one.toolCallId] : []))).toEqual(ids);
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
  const other = new Error('no words for it');
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

  it('for another reason throws that', async () => {
    await expect(executing(actingModel([other])).execute()).rejects.toBe(other);
    await expect(executing(actingModel([streamOf(delta('So'), other)])).execute()).rejects.toBe(other);
    await expect(executing(actingModel([streamOf()])).execute()).rejects.toThrow(
      'the language model ended without a finish',
    );
  });

  it('is asked again as long as the run may wait, and the caller is told', async () => {
    const running = (ms: number) => {
      const clock = { now: () => 1_700_000_000_000 };
      return executing(actingModel([busy(4_000), 'Done.']), { limits: { ...LIMITS, ms }, clock });
    };
    const impatient = running(4_000);
    await expect(impatient.execute()).rejects.toMatchObject({ code: 'provider_busy' });
    expect(impatient.slept).toEqual([]);
    const patient = running(4_001);
    await patient.execute();
    expect(patient.slept).toEqual([4_000]);
    const told = 'The provider of the model is busy or away: asking again in 4 s.';
    expect(patient.emitted).toContainEqual({ kind: 'note', code: 'provider_retry', message: told });
  });

  it('is asked no more once the run has ended, and fails it by why it has', async () => {
    const reason = new Error('cancelled');
    const stop = new AbortController();
    let asked = 0;
    const model: LanguageModel = {
      ...actingModel([]),
      // It does not listen to its signal.
      stream: (_request: ModelRequest) => {
        asked += 1;
        return streamOf(busy(0))();
      },
    };
    const sleep = async () => stop.abort(reason);
    await expect(executing(model, { sleep }).execute({}, stop.signal)).rejects.toBe(reason);
    expect(asked).toBe(1);
    const late = executing(
      actingModel([
        async function* () {
          late.runOut(LIMITS.ms);
          yield* streamOf(refused)();
        },
      ]),
    );
    await expect(late.execute()).rejects.toMatchObject({ code: 'time_limit' });
  });

  it('or whose words cannot be kept fails the run by that, and by nothing else', async () => {
    const lost = new Error('lost');
    const { executor } = executing(
      actingModel([
        async function* () {
          yield delta('One');
          await new Promise(setImmediate);
          yield* streamOf(delta(' two.'), finish)();
        },
      ]),
    );
    const emit = async ({ kind }: { readonly kind: string }): Promise<void> => {
      if (kind === 'text') throw lost;
    };
    await expect(executor.execute(runToDo(), emit, new AbortController().signal)).rejects.toBe(lost);
  });
});
