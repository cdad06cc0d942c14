import { describe, expect, it } from 'vitest';
import { echoes } from '../../../support/model-provider.ts';
import { textOf } from '../../contracts/language-model.ts';
import { KEY, open, REQUEST } from './open-model.ts';

describe('a request', () => {
  it('carries the messages, the model, the key and the wish for a stream with usage', async () => {
    const { provider, ask } = await open();
    await ask();
    const [asked] = provider.asked;
    expect(asked?.path).toBe('/v1/chat/completions');
    expect(asked?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(asked?.body).toEqual({
      model: 'a-model',
      messages: REQUEST.messages,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('carries limits, temperature and schema where they are given', async () => {
    const { provider, ask } = await open();
    const responseSchema = { type: 'object' };
    await ask({ maxOutputTokens: 5, temperature: 0, responseSchema });
    expect(provider.asked[0]?.body).toMatchObject({
      max_tokens: 5,
      temperature: 0,
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: responseSchema } },
    });
  });

  it('names the limit as the provider wants it', async () => {
    const { provider, ask } = await open({ outputLimitName: 'max_completion_tokens' });
    await ask({ maxOutputTokens: 5 });
    expect(provider.asked[0]?.body).toMatchObject({ max_completion_tokens: 5 });
    expect(provider.asked[0]?.body).not.toHaveProperty('max_tokens');
  });

  it('gives the provider any text unharmed, and gets it back', async () => {
    const { provider, ask } = await open();
    provider.otherwise = echoes;
    const content = 'Grüße "東京" 🙂 \u0000 </s> data: [DONE]';
    const events = await ask({ messages: [{ role: 'user', content }] });
    expect(JSON.parse(textOf(events))).toEqual([{ role: 'user', content }]);
  });
});
