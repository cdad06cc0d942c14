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

/** What all servers put around a chunk. */
const around = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'llama3.1',
};
const timings = { cache_n: 7, prompt_n: 10, prompt_ms: 251.5, predicted_n: 2, predicted_ms: 40.1 };
const usage = { prompt_tokens: 17, completion_tokens: 2, total_tokens: 19 };

/** Streams of the servers that the README names, as they send them for `Two birds`. */
const SERVERS: readonly (readonly [string, readonly object[]])[] = [
  [
    'Ollama, which says the role in each chunk',
    [
      ...['Two', ' birds'].map((content) => ({
        choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }],
        system_fingerprint: 'fp_ollama',
      })),
      { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: 'stop' }] },
      { choices: [], usage },
    ],
  ],
  [
    'llama.cpp, which begins with no content and adds its times',
    [
      { choices: [{ finish_reason: null, index: 0, delta: { role: 'assistant', content: null } }] },
      ...['Two', ' birds'].map((content) => ({
        choices: [{ finish_reason: null, index: 0, delta: { content } }],
        system_fingerprint: 'b9554-d403f00ec',
        timings,
      })),
      { choices: [{ finish_reason: 'stop', index: 0, delta: {} }] },
      { choices: [], usage, timings },
    ],
  ],
  [
    'vLLM, which begins with empty content',
    [
      {
        choices: [
          { index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null },
        ],
      },
      ...['Two', ' birds', ''].map((content, i) => ({
        choices: [
          {
            index: 0,
            delta: { content },
            logprobs: null,
            finish_reason: i === 2 ? 'stop' : null,
            ...(i === 2 && { stop_reason: null }),
          },
        ],
      })),
      { choices: [], usage: { ...usage, prompt_tokens_details: null } },
    ],
  ],
];

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

  it.each(SERVERS)('is understood of %s', async (_name, chunks) => {
    const { ask, provider } = await open(wire);
    const events = await answerTo(provider, [...chunks.map((of) => event({ ...around, ...of })), DONE], ask);
    expect(textOf(events)).toBe('Two birds');
    expect(finishOf(events)).toMatchObject({ kind: 'finish', reason: 'stop' });
    expect(events.filter(({ kind }) => kind === 'reasoning')).toEqual([]);
    expect(JSON.stringify(finishOf(events))).toContain('17');
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
