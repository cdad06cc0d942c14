import { describe, expect, it } from 'vitest';
import { anthropicInterface } from '../../../support/model-interfaces/anthropic.ts';
import { textOf } from '../../contracts/language-model.ts';
import { INTERFACES, open, REQUEST, SDK_INTERFACES } from './open-model.ts';

const SCHEMA = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };
const PATHS: Readonly<Record<string, string>> = {
  openai: '/v1/chat/completions',
  anthropic: '/v1/messages',
  google: '/v1/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
  bedrock: '/v1/model/amazon.nova-lite-v1%3A0/converse-stream',
};

describe.each(INTERFACES)('a request to %s', (_name, wire) => {
  it('carries the messages and the credentials to where the provider wants them', async () => {
    const { provider, ask } = await open(wire);
    await ask();
    expect(wire.read(provider.asked[0]!)).toMatchObject({
      path: PATHS[wire.name],
      authorized: true,
      system: 'Be brief.',
      turns: [{ role: 'user', text: 'Say something.' }],
      temperature: undefined,
      schema: undefined,
    });
  });

  it('carries limits, temperature and schema where they are given', async () => {
    const { provider, ask } = await open(wire);
    const events = await ask({ maxOutputTokens: 50, temperature: 0, responseSchema: SCHEMA });
    expect(wire.read(provider.asked[0]!)).toMatchObject({ maxTokens: 50, temperature: 0, schema: SCHEMA });
    expect(JSON.parse(textOf(events))).toEqual({ answer: 'birds' });
    expect(events.at(-1)).toMatchObject({ kind: 'finish', reason: 'stop' });
  });

  it('gives the provider any text unharmed', async () => {
    const { provider, ask } = await open(wire);
    const content = 'Grüße "東京" 🙂 \u0000 </s> data: [DONE]';
    await ask({ messages: [{ role: 'user', content }] });
    expect(wire.read(provider.asked[0]!).turns).toEqual([{ role: 'user', text: content }]);
  });

  it('is one request: an answer is never followed by another of the SDK', async () => {
    const { provider, ask } = await open(wire);
    await ask({ messages: [...REQUEST.messages], responseSchema: SCHEMA });
    expect(provider.asked).toHaveLength(1);
  });
});

describe('an answer by a schema', () => {
  it('is the arguments of a tool where the model of Anthropic knows no schemas', async () => {
    const { provider, ask } = await open(anthropicInterface, { model: 'claude-3-haiku-20240307' });
    const events = await ask({ responseSchema: SCHEMA });
    expect(provider.asked[0]!.body).toMatchObject({ tools: [{ name: 'json' }] });
    expect(JSON.parse(textOf(events))).toEqual({ answer: 'birds' });
    expect(events.at(-1)).toMatchObject({ kind: 'finish', reason: 'stop' });
  });
});

describe.each(SDK_INTERFACES)('a conversation with %s', (_name, wire) => {
  it('puts instructions first, as one, and leaves out what the providers refuse', async () => {
    const { provider, ask } = await open(wire);
    await ask({
      messages: [
        { role: 'assistant', content: 'to a question that was left out' },
        { role: 'user', content: 'one' },
        { role: 'system', content: 'rule 1' },
        { role: 'assistant', content: '' },
        { role: 'user', content: 'two' },
        { role: 'assistant', content: 'an answer' },
        { role: 'system', content: 'rule 2' },
        { role: 'user', content: 'three' },
      ],
    });
    const { system, turns } = wire.read(provider.asked[0]!);
    expect(system).toBe('rule 1\n\nrule 2');
    expect(turns.map(({ text }) => text).join('|')).toBe('one|two|an answer|three');
    expect(turns.at(-1)?.role).toBe('user');
  });
});
