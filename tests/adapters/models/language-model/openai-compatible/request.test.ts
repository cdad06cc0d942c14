import { describe, expect, it } from 'vitest';
import { echoes, says } from '../../../../support/model-provider.ts';
import { textOf } from '../../../contracts/language-model.ts';
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

  it.each([
    ['OpenAI', 400, { error: { message: 'Unknown parameter: stream_options.' } }],
    ['Mistral', 422, { object: 'error', message: 'Extra inputs are not permitted: stream_options' }],
    ['FastAPI', 422, { detail: [{ loc: ['body', 'stream_options'], msg: 'extra fields not permitted' }] }],
  ])(
    'does without the usage where it is refused, as %s words it, and does not ask again',
    async (_, status, body) => {
      const { provider, ask, slept } = await open();
      provider.otherwise = (asked, response) => {
        if (!('stream_options' in asked.body)) return says('So.')(asked, response);
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      };
      expect(textOf(await ask())).toBe('So.');
      expect(textOf(await ask())).toBe('So.');
      expect(provider.asked.map((asked) => 'stream_options' in asked.body)).toEqual([true, false, false]);
      expect(slept).toEqual([]);
    },
  );

  it('is not sent again without the usage where something else is refused', async () => {
    const { provider, fail } = await open();
    provider.otherwise = (_, response) =>
      void response.writeHead(422, { 'content-type': 'application/json' }).end('{"detail":"no such model"}');
    expect((await fail()).error).toMatchObject({ status: 422, detail: 'no such model' });
    expect(provider.asked).toHaveLength(1);
  });

  it('gives the provider any text unharmed, and gets it back', async () => {
    const { provider, ask } = await open();
    provider.otherwise = echoes;
    const content = 'Grüße "東京" 🙂 \u0000 </s> data: [DONE]';
    const events = await ask({ messages: [{ role: 'user', content }] });
    expect(JSON.parse(textOf(events))).toEqual([{ role: 'user', content }]);
  });
});
