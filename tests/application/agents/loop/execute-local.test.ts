import type { ToolSource } from '../../../../application/agents/loop/agent-tool.ts';
import type { RunEvent } from '../../../../application/agents/runs/run-executor.ts';
import { type ModelEvent, ProviderError } from '../../../../application/ports/language-model.ts';
import { type Line, actingModel, agentTool, executing, runToDo } from '../../../support/agent/local-runs.ts';
import { passage } from '../../../support/agent/loops.ts';
import { describe, expect, it } from 'vitest';

const kindsOf = (events: readonly RunEvent[]): readonly string[] =>
  events.map(({ kind }) => kind).filter((kind, i, all) => kind !== 'text' || all[i - 1] !== 'text');

const answersOf = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.kind === 'tool_answered' ? [event] : []));

describe('a local run', () => {
  it('keeps each call of the model and of a tool, in order, and what came of it', async () => {
    const model = actingModel([{ text: 'Wait.', calls: [['search', { query: 'x' }]] }, 'Birds [1].']);
    const search = agentTool('search', { call: async () => ({ text: passage(1), isError: false }) });
    const { execute, emitted } = executing(model, { tools: [search], price: { input: 2, output: 10 } });
    const outcome = await execute();
    expect(kindsOf(emitted)).toEqual(
      'step model_called text model_answered tool_called tool_answered step model_called text model_answered citations'.split(
        ' ',
      ),
    );
    expect(emitted.at(-1)).toEqual({ kind: 'citations', contentIds: ['content-1'] });
    const uncited = executing(actingModel(['Done.']));
    await uncited.execute();
    expect(kindsOf(uncited.emitted)).toEqual(['step', 'model_called', 'text', 'model_answered']);
    expect(outcome.messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant']);
    expect(outcome.result).toEqual({
      message: { role: 'assistant', content: 'Birds [1].' },
      finish_reason: 'stop',
      citations: [
        {
          number: 1,
          content_id: 'content-1',
          source_id: 'source-1',
          title: 'Title 1',
          url: 'https://docs.example/1',
        },
      ],
      model: 'acting',
      steps: 2,
      tool_calls: 1,
      usage: { tokens: 220, cost: 0.0006 },
    });
  });

  it('keeps no mark that cites nothing, in its events, its messages and its result', async () => {
    const search = agentTool('search', { call: async () => ({ text: passage(1), isError: false }) });
    const calls = [['search', { query: 'x' }]] as const;
    const model = actingModel([{ text: 'Wait [7].', calls }, 'Birds 【1†source】, fish [99].']);
    const { execute, emitted } = executing(model, { tools: [search] });
    const { messages, result } = await execute();
    expect(result['message']).toEqual({ role: 'assistant', content: 'Birds [1], fish.' });
    expect(messages.at(-1)).toEqual(result['message']);
    const texts = emitted.flatMap((event) => (event.kind === 'text' ? [event.delta] : []));
    expect(texts.join('')).toBe('Wait.Birds [1], fish.');
  });

  it('leaves out the oldest turns of its history where they do not fit beside the tools, and says so', async () => {
    const turn = (name: string) => [
      { role: 'user' as const, content: `${name}? ${'x'.repeat(3_000)}` },
      { role: 'assistant' as const, content: `${name}!` },
    ];
    const history = [...turn('first'), ...turn('second')];
    const model = actingModel(['Yes.'], { contextWindow: 8_192 });
    const search = agentTool('search', { description: 'x'.repeat(12_000) });
    const { execute, emitted } = executing(model, { tools: [search] });
    await execute({ history });
    expect(model.asked[0]!.messages.slice(1, -1)).toEqual(history.slice(2));
    expect(emitted).toContainEqual(expect.objectContaining({ kind: 'note', code: 'history_shortened' }));
    await expect(
      execute({ history, input: { messages: [{ role: 'user', content: 'x'.repeat(25_000) }] } }),
    ).rejects.toMatchObject({ code: 'context_exceeded' });
  });

  it('has room for history by the window of its provider, less tools, an answer and new messages', () => {
    const { executor } = executing(actingModel(['Yes.'], { contextWindow: 8_192 }), { toolTokens: 2_000 });
    const tokens = (content: string) =>
      executor.historyTokens!({ provider: null, input: { messages: [{ role: 'user', content }] } });
    expect(tokens('x'.repeat(3_000))).toBe(8_192 - 2_048 - 2_000 - 400 - 1_004);
    expect(tokens('x'.repeat(30_000))).toBe(0);
    const { executor: wide } = executing(actingModel(['Yes.'], { contextWindow: 100_000 }));
    expect(
      wide.historyTokens!({ provider: null, input: { messages: [{ role: 'user', content: 'x' }] } }),
    ).toBe(50_000);
  });

  it('tells as many steps in its result as in its events, also where it searches before it asks', async () => {
    const model = actingModel(['Birds [1].'], { toolUse: false });
    const search = agentTool('search', { call: async () => ({ text: passage(1), isError: false }) });
    const { execute, emitted } = executing(model, { tools: [search] });
    const { result } = await execute();
    const steps = emitted.flatMap((event) => (event.kind === 'step' ? [event.step] : []));
    expect([steps, result['steps']]).toEqual([[1, 2], 2]);
  });

  it('cuts a long result at a line, says so, and hides what policies hide', async () => {
    const lines = Array.from({ length: 400 }, (_, n) => passage(n + 1, { text: 'secret '.repeat(30) }));
    const tools = [agentTool('search', { call: async () => ({ text: lines.join('\n'), isError: false }) })];
    const model = actingModel([{ calls: [['search', {}]] }, 'Done.']);
    const redactTextFor = async () => (text: string) => text.replaceAll('secret', '[hidden]');
    const { execute, emitted } = executing(model, { tools, redactTextFor });
    await execute();
    const [answer] = answersOf(emitted);
    expect(answer).toMatchObject({ truncated: true, isError: false });
    expect(answer!.result.length).toBeLessThanOrEqual(12_000);
    expect(answer!.result).toMatch(/\}\n\(truncated: there was more than is shown\)$/);
    expect(answer!.result).not.toContain('secret');
  });

  it('makes calls that change nothing at the same time, and others by themselves', async () => {
    const under: string[] = [];
    const most: string[] = [];
    const gate = Promise.withResolvers<void>();
    const slow = (name: string, readOnly: boolean) =>
      agentTool(name, {
        readOnly,
        call: async () => {
          under.push(name);
          most.push(under.join('+'));
          if (under.join('+') === 'a+b') gate.resolve();
          if (readOnly) await gate.promise;
          under.splice(under.indexOf(name), 1);
          return { text: name, isError: false };
        },
      });
    const model = actingModel([{ calls: ['a', 'b', 'w', 'a'].map((name) => [name, {}] as const) }, 'Done.']);
    const tools = [slow('a', true), slow('b', true), slow('w', false)];
    const { execute, emitted } = executing(model, { tools });
    await execute();
    expect(most).toEqual(['a', 'a+b', 'w', 'a']);
    expect(answersOf(emitted).map(({ result }) => result)).toEqual(['a', 'b', 'w', 'a']);
  });

  it('gives up a tool that takes too long, and goes on', async () => {
    const begun = Promise.withResolvers<void>();
    const deaf = agentTool('deaf', {
      timeoutMs: 3_000,
      call: () => {
        begun.resolve();
        return new Promise(() => {});
      },
    });
    const { execute, emitted, runOut } = executing(actingModel([{ calls: [['deaf', {}]] }, 'Done.']), {
      tools: [deaf],
    });
    const running = execute();
    await begun.promise;
    runOut(3_000);
    await running;
    expect(answersOf(emitted)[0]).toMatchObject({
      isError: true,
      result: expect.stringContaining('3 s') as string,
    });
  });

  it('lets go of a model, and of a tool that does not listen, when it is told to stop', async () => {
    const reason = new Error('cancelled');
    const hanging = (stop: AbortController) => ({
      ofModel: actingModel([
        async function* (_request, signal) {
          stop.abort(reason);
          signal.throwIfAborted();
          yield { kind: 'delta', text: 'too late' } as const;
        },
      ]),
      ofTool: agentTool('deaf', {
        call: () => {
          stop.abort(reason);
          return new Promise(() => {});
        },
      }),
    });
    const [first, second] = [new AbortController(), new AbortController()];
    const inTool = executing(actingModel([{ calls: [['deaf', {}]] }]), { tools: [hanging(second).ofTool] });
    await expect(inTool.execute({}, second.signal)).rejects.toBe(reason);
    expect(kindsOf(inTool.emitted).at(-1)).toBe('tool_called');
    const inModel = executing(hanging(first).ofModel);
    await expect(inModel.execute({}, first.signal)).rejects.toBe(reason);
  });

  it('asks a busy provider again, later each time, and gives up when the run would take too long', async () => {
    const busy = new ProviderError('busy', { status: 429, retryable: true, retryAfterMs: 4_000 });
    const patient = executing(actingModel([busy, busy, 'Done.']));
    await patient.execute();
    expect(patient.slept).toEqual([4_000, 4_000]);
    expect(kindsOf(patient.emitted).filter((kind) => kind === 'note')).toHaveLength(2);
    const away = new ProviderError('answers 503', { status: 503, retryable: true });
    const never = executing(actingModel([away]));
    await expect(never.execute()).rejects.toMatchObject({ name: 'RunFailure', code: 'provider_error' });
    expect(never.slept).toEqual([1_000, 2_000, 5_000, 10_000, 20_000]);
    const refused = executing(actingModel([new ProviderError('401', { status: 401, retryable: false })]));
    await expect(refused.execute()).rejects.toMatchObject({ code: 'provider_error' });
    expect(refused.slept).toEqual([]);
  });

  it('asks again where an answer breaks off of which no word was told, and else fails by that name', async () => {
    const gone = new ProviderError('the provider broke off its answer', { retryable: true });
    const breaksBehind = (event: ModelEvent) =>
      async function* () {
        yield event;
        throw gone;
      };
    const call = { kind: 'tool_call', id: 'c0', name: 'act', arguments: '{}' } as const;
    const called: string[] = [];
    const tools = [
      agentTool('act', { call: async () => (called.push('act'), { text: '', isError: false }) }),
    ];
    const unheard = executing(actingModel([breaksBehind(call), 'Done.']), { tools });
    expect((await unheard.execute()).result).toMatchObject({ message: { content: 'Done.' }, tool_calls: 0 });
    expect([unheard.slept, called]).toEqual([[1_000], []]);
    const heard = executing(actingModel([breaksBehind({ kind: 'delta', text: 'So' }), 'Done.']));
    await expect(heard.execute()).rejects.toMatchObject({
      name: 'RunFailure',
      code: 'answer_broken_off',
      message: 'the provider broke off its answer: a part of its answer was already sent',
    });
    expect(heard.slept).toEqual([]);
    const thought = executing(actingModel([breaksBehind({ kind: 'reasoning', text: 'Hm.' }), 'Done.']));
    expect((await thought.execute()).result).toMatchObject({ message: { content: 'Done.' } });
    expect([thought.slept, thought.emitted]).toEqual([
      [1_000],
      expect.arrayContaining([{ kind: 'reasoning', step: 1, delta: 'Hm.' }]),
    ]);
  });

  it('tells what a model thinks, and neither answers with it nor shows it to a model, but counts it', async () => {
    const thinking = async function* (): AsyncGenerator<ModelEvent> {
      yield { kind: 'reasoning', text: 'I should look.'.repeat(100) };
      yield { kind: 'tool_call', id: 'c0', name: 'act', arguments: '{}' };
      yield { kind: 'finish', reason: 'stop', usage: null };
    };
    const model = actingModel([thinking, 'Done.']);
    const { execute, emitted } = executing(model, { tools: [agentTool('act')] });
    const { messages, result } = await execute();
    expect(emitted.map(({ kind }) => kind).slice(0, 4)).toEqual([
      'step',
      'model_called',
      'reasoning',
      'model_answered',
    ]);
    const answered = emitted.filter(({ kind }) => kind !== 'reasoning');
    expect(JSON.stringify([model.asked, messages, result, answered])).not.toContain('I should look');
    expect((result['usage'] as { readonly tokens: number }).tokens).toBeGreaterThan(450);
  });

  it('takes no longer than it may, whatever it waits for', async () => {
    const begun = Promise.withResolvers<void>();
    const { execute, runOut } = executing(
      actingModel([
        async function* (_request, signal) {
          begun.resolve();
          await new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          });
          yield { kind: 'delta', text: 'late' } as const;
        },
      ]),
    );
    const running = execute();
    await begun.promise;
    runOut(60_000);
    await expect(running).rejects.toMatchObject({ name: 'RunFailure', code: 'time_limit' });
  });

  it('stops where what happened cannot be kept', async () => {
    const lost = new Error('lost');
    const called: string[] = [];
    const tool = agentTool('act', {
      readOnly: false,
      call: async () => (called.push('act'), { text: '', isError: false }),
    });
    const { executor } = executing(actingModel([{ calls: [['act', {}]] }]), { tools: [tool] });
    const emit = async (event: RunEvent): Promise<void> => {
      if (event.kind === 'tool_called') throw lost;
    };
    await expect(executor.execute(runToDo(), emit, new AbortController().signal)).rejects.toBe(lost);
    expect(called).toEqual([]);
  });
});

describe('a request for a local run', () => {
  const { executor } = executing(actingModel(['x'], { structuredOutput: false, toolUse: false }));
  const input = { messages: [{ role: 'user' as const, content: 'x' }] };
  const check = (more: object) => () =>
    executor.check!({
      workflowType: 'chat',
      provider: null,
      runtimeArn: null,
      mcpSessionId: null,
      input,
      ...more,
    });

  it('is refused for what could not be executed', () => {
    expect(check({})).not.toThrow();
    expect(check({ workflowType: 'dance' })).toThrow('workflow_type must be one of chat, research, extract');
    expect(check({ input: { ...input, max_sources: 3 } })).toThrow(
      'input has no field "max_sources"; chat knows: messages',
    );
    expect(check({ provider: 'PROVIDER_B' })).toThrow('PROVIDER_B is not set up');
    expect(check({ workflowType: 'research' })).toThrow('needs the provider of a language model');
    const able = executing(actingModel(['x'])).executor;
    const extract = { workflowType: 'extract', provider: null, runtimeArn: null, mcpSessionId: null };
    expect(() => able.check!({ ...extract, input })).toThrow('input.schema');
    expect(() => able.check!({ ...extract, input: { ...input, schema: { type: 'wrong' } } })).toThrow(
      'schema',
    );
  });
});

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
});
