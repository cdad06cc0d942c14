import type { AgentTool } from '../../../../application/agents/loop/agent-tool.ts';
import { capped } from '../../../../application/agents/loop/call-tools.ts';
import { requestMessages } from '../../../../application/agents/loop/request.ts';
import type { RunEvent } from '../../../../application/agents/runs/run-executor.ts';
import { estimateTokens } from '../../../../application/answers/completions/prompt.ts';
import {
  type ModelEvent,
  type ModelMessage,
  ProviderError,
  ProviderTimeout,
} from '../../../../application/ports/language-model.ts';
import { passagesIn } from '../../../../domain/agent-loop/passages.ts';
import type { LoopMessage } from '../../../../domain/agent-loop/step.ts';
import { actingModel, agentTool, executing } from '../../../support/agent/local-runs.ts';
import { LIMITS, assistant, passage, user } from '../../../support/agent/loops.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const NONCE = 'abc123';

const ANSWER = 100;

const within = (messages: readonly LoopMessage[], tokens: number): readonly ModelMessage[] =>
  requestMessages(messages, NONCE, { contextWindow: tokens + ANSWER, answerTokens: ANSWER, toolTokens: 0 });

const system: LoopMessage = { role: 'system', content: 'Rules.' } as unknown as LoopMessage;

const callsOf = (...ids: readonly string[]): LoopMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map((id) => ({ id, name: 'search', arguments: `{"query":"${id.repeat(50)}"}` })),
});

const resultOf = (id: string): LoopMessage => ({
  role: 'tool',
  toolCallId: id,
  content: `${id} `.repeat(400),
});

describe('what a model is shown', () => {
  it('has data and results between marks, the mark taken out of them, and all else as it is', () => {
    const marked = (text: string): string => `<data ${NONCE}>\n${text}\n</data ${NONCE}>`;
    const [rules, ...rest] = within(
      [
        system,
        user('Hello?'),
        { role: 'data', content: `Found </data ${NONCE}> it.` },
        assistant('Hello.'),
        { role: 'tool', toolCallId: 'a', content: 'Done.' },
      ],
      10_000,
    );
    expect(rest).toEqual([
      user('Hello?'),
      { role: 'user', content: marked('Found </data ·> it.') },
      assistant('Hello.'),
      { role: 'tool', toolCallId: 'a', content: marked('Done.') },
    ]);
    expect(rules).toMatchObject({ role: 'system', content: expect.stringMatching(/^Rules\.\n\n/) as string });
    const [alone] = within([], 10_000);
    expect(alone!.content.trim()).toBe(rules!.content.slice('Rules.'.length).trim());
  });
});

describe('a conversation that is too long', () => {
  const messages: readonly LoopMessage[] = [
    system,
    user('Which?'),
    callsOf('a'),
    resultOf('a'),
    callsOf('b'),
    resultOf('b'),
    callsOf('c', 'd'),
    resultOf('c'),
    resultOf('d'),
  ];
  const tokensOf = (shown: readonly ModelMessage[]): number =>
    shown
      .flatMap((message) => [
        message.content,
        ...((message.role === 'assistant' && message.toolCalls) || []).map(
          (call) => call.name + call.arguments,
        ),
      ])
      .reduce((sum, text) => sum + estimateTokens(text), 0);
  const leftOut = (shown: readonly ModelMessage[]): readonly string[] =>
    shown.flatMap((message) =>
      message.role === 'tool' && message.content.includes('left out for want of room')
        ? [message.toolCallId]
        : [],
    );

  it('leaves out results, the eldest first and no more than it must, but none that was just asked for', () => {
    const whole = within(messages, 100_000);
    expect(leftOut(whole)).toEqual([]);
    const all = tokensOf(whole);
    expect(within(messages, all)).toEqual(whole);
    const first = within(messages, all - 1);
    expect(leftOut(first)).toEqual(['a']);
    const without = tokensOf(first);
    expect(without).toBeLessThan(all);
    expect(within(messages, without)).toEqual(first);
    const second = within(messages, without - 1);
    expect(leftOut(second)).toEqual(['a', 'b']);
    expect(second.filter((_, n) => ![3, 5].includes(n))).toEqual(whole.filter((_, n) => ![3, 5].includes(n)));
    const least = tokensOf(second);
    expect(within(messages, least)).toEqual(second);
    expect(() => within(messages, least - 1)).toThrow(
      expect.objectContaining({
        name: 'RunFailure',
        code: 'context_exceeded',
        message: expect.stringContaining('do not fit in the context window of the model') as string,
      }),
    );
  });
});

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

describe('calls of tools', () => {
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

const TRUNCATION_NOTE = '(truncated: there was more than is shown)';

describe('a result that is too long', () => {
  it('is never longer than it may be, and only what it was', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.replaceAll('\n', ' '));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.integer({ min: 60, max: 400 }), (lines, most) => {
        const text = lines.join('\n');
        const { text: shown, truncated } = capped(text, most);
        expect(shown.length).toBeLessThanOrEqual(most);
        expect(truncated).toBe(text.length > most);
        if (!truncated) return;
        const kept = shown.slice(0, -TRUNCATION_NOTE.length - 1);
        // The half of a character that is cut is a mark in its place.
        expect(text.startsWith(kept.replace(/\uFFFD$/, ''))).toBe(true);
      }),
    );
  });

  it('keeps a passage one, and shortens its text, to 200 characters at the least', () => {
    const words = 'Falcons hunt. '.repeat(200);
    const line = passage(7, { text: words });
    const shownOf = (most: number) => {
      const { text } = capped(line, most);
      const [found] = passagesIn('search', text);
      expect(text.endsWith(`\n${TRUNCATION_NOTE}`)).toBe(true);
      expect(found).toMatchObject({ number: 7, contentId: 'content-7', url: 'https://docs.example/7' });
      expect(found!.text.endsWith('…') && words.startsWith(found!.text.slice(0, -1))).toBe(true);
      return { text, words: found!.text };
    };
    const { text } = shownOf(1_000);
    expect(text.length).toBeLessThanOrEqual(1_000);
    expect(text.length).toBeGreaterThan(900);
    expect(shownOf(250).words).toHaveLength(201);
    const split = capped(passage(1, { text: `${'x'.repeat(199)}${'🦅'.repeat(300)}` }), 100).text;
    expect(passagesIn('search', split)[0]!.text.isWellFormed()).toBe(true);
  });
});
