import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '../../../../../application/ports/language-model.ts';
import { chunk, DONE, event, raw, type ModelProvider } from '../../../../support/model-provider.ts';
import { textOf } from '../../../contracts/language-model.ts';
import { open } from '../open-model.ts';
import { openAiInterface as wire } from '../../../../support/model-interfaces/openai.ts';

const finishOf = (events: readonly ModelEvent[]): ModelEvent | undefined => events.at(-1);
const answerTo = async (
  provider: ModelProvider,
  parts: readonly (string | Uint8Array)[],
  ask: () => Promise<ModelEvent[]>,
) => {
  provider.next.push(raw(parts));
  return ask();
};

describe('an answer', () => {
  it('is the same wherever the network cuts it', async () => {
    const { ask, provider } = await open(wire);
    const whole = Buffer.from(
      `\uFEFF: a comment\r\n\r\nevent: message\r\n${chunk({ content: 'Grüße ' }).replaceAll('\n', '\r\n')}` +
        `id: 1\n${chunk({ content: '東京 🙂' })}retry: 5\r\n\r\n${chunk({ content: '.' }, 'stop')}${DONE}`,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 20 }), async (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
        const parts = at.slice(1).map((end, i) => whole.subarray(at[i], end));
        expect(textOf(await answerTo(provider, parts, ask))).toBe('Grüße 東京 🙂.');
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ['without [DONE]', [chunk({ content: 'a' }), chunk({}, 'stop')]],
    ['without a finish reason', [chunk({ content: 'a' }), DONE]],
    ['without the last line end', [chunk({ content: 'a' }, 'stop').trimEnd()]],
    ['without the space after the colon', [chunk({ content: 'a' }, 'stop').replace('data: ', 'data:')]],
    [
      'with usage in each chunk',
      [event({ choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }], usage: null })],
    ],
    ['in parts', [chunk({ content: [{ type: 'text', text: 'a' }] }, 'stop')]],
    [
      'with reasoning before it',
      [chunk({ reasoning_content: 'hm', content: null }), chunk({ content: 'a' }, 'stop')],
    ],
    [
      'of several choices',
      [event({ choices: [{ index: 1, delta: { content: 'b' } }] }), chunk({ content: 'a' }, 'stop')],
    ],
    ['that asks for a tool', [chunk({ content: 'a', tool_calls: [] }, 'tool_calls')]],
  ])('is understood %s', async (_name, parts) => {
    const { ask, provider } = await open(wire);
    const events = await answerTo(provider, parts, ask);
    expect(textOf(events)).toBe('a');
    expect(finishOf(events)).toEqual({ kind: 'finish', reason: 'stop', usage: null });
  });

  it('is understood from a server that does not stream', async () => {
    const { ask, provider } = await open(wire);
    const whole = {
      choices: [{ message: { content: 'a' }, finish_reason: 'length' }],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    };
    provider.next.push(raw([JSON.stringify(whole)], { contentType: 'application/json; charset=utf-8' }));
    expect(await ask()).toEqual([
      { kind: 'delta', text: 'a' },
      { kind: 'finish', reason: 'length', usage: { inputTokens: 1, outputTokens: 2 } },
    ]);
  });

  it('tells what the provider withheld', async () => {
    const { ask, provider } = await open(wire);
    expect(finishOf(await answerTo(provider, [chunk({}, 'content_filter')], ask))).toMatchObject({
      reason: 'content_filter',
    });
    const refused = await answerTo(provider, [chunk({ refusal: 'I cannot.' }), chunk({}, 'stop'), DONE], ask);
    expect(textOf(refused)).toBe('I cannot.');
    expect(finishOf(refused)).toMatchObject({ reason: 'content_filter' });
  });

  it('is never cut inside a character that two chunks share', async () => {
    const { ask, provider } = await open(wire);
    const events = await answerTo(
      provider,
      [chunk({ content: 'a\ud83d' }), chunk({ content: '\ude42' }), chunk({ content: '\ud83d' }, 'stop')],
      ask,
    );
    expect(events.slice(0, -1)).toEqual(['a', '🙂', '\uFFFD'].map((text) => ({ kind: 'delta', text })));
  });

  it('stands although the connection breaks after its end', async () => {
    const { ask, provider } = await open(wire);
    provider.next.push(raw([chunk({ content: 'a' }), chunk({}, 'stop')], { after: 'die' }));
    expect(await ask()).toEqual([
      { kind: 'delta', text: 'a' },
      { kind: 'finish', reason: 'stop', usage: null },
    ]);
  });
});
