import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  LanguageModel,
  ModelEvent,
  ModelRequest,
  ModelTool,
  ModelToolCall,
} from '../../../application/ports/language-model.ts';

export interface OpenLanguageModel {
  readonly model: LanguageModel;
  readonly close: () => Promise<void>;
}

const PASSAGES = [
  { title: 'Falcons', text: 'The peregrine falcon hunts birds in flight. It dives at 320 km/h.' },
  { title: 'Owls', text: 'Owls hunt at night. They hear better than a falcon does.' },
];
const REQUEST: ModelRequest = {
  messages: [
    { role: 'system', content: `Answer from:\n[1] ${PASSAGES[0]!.text}\n[2] ${PASSAGES[1]!.text}` },
    { role: 'user', content: 'Which birds does the peregrine falcon hunt?' },
  ],
  passages: PASSAGES,
};
/** What a stand-in is to call, both at once, where it is offered `look_up` and has no result yet. */
export const CONTRACT_CALLS = [
  { id: 'call-of-falcons', name: 'look_up', arguments: '{"word": "falcon"}' },
  { id: 'call-of-owls', name: 'look_up', arguments: '{"word": "owl", "deep": true}' },
];
const LOOK_UP: ModelTool = {
  name: 'look_up',
  description: 'Looks a word up.',
  parameters: {
    type: 'object',
    properties: { word: { type: 'string' }, deep: { type: 'boolean' } },
    required: ['word'],
  },
};
const SCHEMA = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };

const never = (): AbortSignal => new AbortController().signal;
export const eventsOf = (stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> => Array.fromAsync(stream);
export const textOf = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.kind === 'delta' ? event.text : '')).join('');

/** Every promise of the `LanguageModel` port that does not depend on a failure, for any adapter. */
export const languageModelContract = (name: string, open: () => Promise<OpenLanguageModel>): void => {
  describe(`${name} as a language model`, () => {
    let opened: OpenLanguageModel;
    let model: LanguageModel;
    beforeAll(async () => {
      opened = await open();
      model = opened.model;
    });
    afterAll(() => opened?.close());

    const answer = async (more: Partial<ModelRequest> = {}): Promise<ModelEvent[]> =>
      eventsOf(model.stream({ ...REQUEST, ...more }, never()));

    it('has a name and a context window', () => {
      expect(model.name).not.toBe('');
      expect(model.contextWindow).toBeGreaterThan(0);
      expect(model.contextWindow).toSatisfy(Number.isInteger);
    });

    it('answers in deltas that are not empty, and finishes once, at the end', async () => {
      const events = await answer();
      expect(events.map(({ kind }) => kind).lastIndexOf('delta')).toBe(events.length - 2);
      expect(events.at(-1)).toMatchObject({ kind: 'finish', reason: 'stop' });
      expect(events.filter((event) => event.kind === 'delta' && event.text === '')).toEqual([]);
      expect(textOf(events)).toContain('[1]');
    });

    it('counts tokens, or says that it does not', async () => {
      const finish = (await answer()).at(-1);
      const usage = finish?.kind === 'finish' ? finish.usage : undefined;
      if (usage === null) return;
      expect(usage?.inputTokens).toSatisfy(Number.isSafeInteger);
      expect(usage?.outputTokens).toBeGreaterThan(0);
    });

    it('stops at the tokens it may have', async () => {
      const events = await answer({ maxOutputTokens: 1 });
      expect(events.at(-1)).toMatchObject({ kind: 'finish', reason: 'length' });
      expect(textOf(events).length).toBeLessThan(textOf(await answer()).length);
    });

    it('answers several at once, each whole', async () => {
      const alone = textOf(await answer());
      const together = await Promise.all(Array.from({ length: 5 }, () => answer()));
      expect(together.map(textOf)).toEqual(Array.from({ length: 5 }, () => alone));
    });

    it('throws the reason of a signal that has aborted, and says nothing', async () => {
      const reason = new Error('not wanted any more');
      const stream = model.stream(REQUEST, AbortSignal.abort(reason));
      await expect(eventsOf(stream)).rejects.toBe(reason);
    });

    it('throws the reason of a signal that aborts midway, in place of the next event', async () => {
      const [reason, controller] = [new Error('gone'), new AbortController()];
      const seen: string[] = [];
      const consume = async (): Promise<void> => {
        for await (const { kind } of model.stream(REQUEST, controller.signal)) {
          seen.push(kind);
          controller.abort(reason);
        }
      };
      await expect(consume()).rejects.toBe(reason);
      expect(seen).toEqual(['delta']);
    });

    it('lets the consumer leave early, and answers the next request', async () => {
      for await (const { kind } of model.stream(REQUEST, never())) {
        expect(kind).toBe('delta');
        break;
      }
      expect(textOf(await answer())).not.toBe('');
    });

    const calls = async (more: Partial<ModelRequest> = {}): Promise<readonly ModelToolCall[]> =>
      (await answer({ tools: [LOOK_UP], ...more })).flatMap((event) =>
        event.kind === 'tool_call' ? [event] : [],
      );

    it('asks for the tools that it is offered, or refuses them before it says anything', async () => {
      const outcome = await calls().then(
        (called) => called.map((call) => [call.name, JSON.parse(call.arguments) as unknown]),
        (error: Error & { code?: unknown }) => error.code,
      );
      const wanted = CONTRACT_CALLS.map((call) => [call.name, JSON.parse(call.arguments) as unknown]);
      expect(outcome).toEqual(model.toolUse ? wanted : 'not_configured');
    });

    it('asks for tools in whole calls behind what it says, each with an id of its own', async () => {
      if (!model.toolUse) return;
      const events = await answer({ tools: [LOOK_UP] });
      expect(events.map(({ kind }) => kind)).toEqual(['delta', 'tool_call', 'tool_call', 'finish']);
      expect(events.at(-1)).toMatchObject({ reason: 'stop' });
      expect(new Set((await calls()).map(({ id }) => id)).size).toBe(2);
    });

    it('asks for no tool where none is offered', async () => {
      expect((await calls({ tools: [] })).length).toBe(0);
    });

    it('goes on with the results of its calls', async () => {
      if (!model.toolUse) return;
      const toolCalls = await calls();
      const results = toolCalls.map(({ id }) => ({
        role: 'tool' as const,
        toolCallId: id,
        content: 'It is a bird.',
      }));
      const messages = [
        ...REQUEST.messages,
        { role: 'assistant' as const, content: '', toolCalls },
        ...results,
      ];
      const events = await answer({ messages, tools: [LOOK_UP] });
      expect(textOf(events)).toContain('It is a bird.');
      expect(events.some(({ kind }) => kind === 'tool_call')).toBe(false);
    });

    it('answers by a schema, or refuses before it says anything', async () => {
      const refusal = { name: 'DomainError', code: 'not_configured' };
      const outcome = await answer({ responseSchema: SCHEMA }).then(
        (events) => new Ajv().validate(SCHEMA, JSON.parse(textOf(events))),
        (error: Error & { code?: unknown }) => ({ name: error.name, code: error.code }),
      );
      expect(outcome).toEqual(model.structuredOutput ? true : refusal);
    });
  });
};
