import { describe, expect, it } from 'vitest';
import { says } from '../../../../support/model-provider.ts';
import { textOf } from '../../../contracts/language-model.ts';
import { open, REQUEST } from '../open-model.ts';
import { openAiInterface as wire } from '../../../../support/model-interfaces/openai.ts';

describe('a request', () => {
  it('carries the messages, the model, the key and the wish for a stream with usage', async () => {
    const { provider, ask } = await open(wire);
    await ask();
    const [asked] = provider.asked;
    expect(asked?.path).toBe('/v1/chat/completions');
    expect(asked?.headers.authorization).toBe(`Bearer ${wire.secret}`);
    expect(asked?.body).toEqual({
      model: 'a-model',
      messages: REQUEST.messages,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('names the limit as the provider wants it', async () => {
    const { provider, ask } = await open(wire, { outputLimitName: 'max_completion_tokens' });
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
      const { provider, ask, slept } = await open(wire);
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
    const { provider, fail } = await open(wire);
    provider.otherwise = (_, response) =>
      void response.writeHead(422, { 'content-type': 'application/json' }).end('{"detail":"no such model"}');
    expect((await fail()).error).toMatchObject({ status: 422, detail: 'no such model' });
    expect(provider.asked).toHaveLength(1);
  });
});
