import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOpenAiCompatibleModel } from '../../../../../adapters/models/language-model/openai-compatible/language-model.ts';
import { event, raw, refuses } from '../../../../support/model-provider.ts';
import { eventsOf } from '../../../contracts/language-model.ts';
import { KEY, never, open, REQUEST } from './open-model.ts';

describe('the API key', () => {
  const lookEverywhere = (error: unknown): string =>
    inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error);

  it.each([
    ['as it is', KEY],
    ['in part', `${KEY.slice(0, 9)}***`],
    ['as a code', KEY.replaceAll('-', '_')],
  ])('is in no error, though the provider quotes it %s', async (_name, quoted) => {
    const { provider, fail } = await open();
    for (const answer of [
      refuses(401, { message: `Incorrect API key: ${quoted}`, code: quoted, type: quoted }),
      raw([event({ error: { message: quoted, code: quoted } })]),
      refuses(400, quoted),
    ]) {
      provider.next.push(answer);
      provider.otherwise = answer;
      expect(lookEverywhere((await fail()).error)).not.toContain('secret');
    }
  });

  it('is not to be seen in the model, and not in what a wrong setting says', async () => {
    const { model } = await open();
    expect(lookEverywhere(model)).not.toContain('secret');
    const options = { baseUrl: 'http://127.0.0.1:1/v1', model: 'm', contextWindow: 1 };
    const wrong = [
      { ...options, apiKey: `${KEY}\n` },
      { ...options, apiKey: '' },
      { ...options, baseUrl: `http://user:${KEY}@127.0.0.1/v1` },
      { ...options, baseUrl: `ftp://${KEY}` },
    ];
    for (const one of wrong) {
      const create = (): unknown => createOpenAiCompatibleModel(one);
      expect(create).toThrow(expect.objectContaining({ name: 'InvalidProviderSettings' }));
      expect(create).not.toThrow(/secret/);
    }
  });

  it('is not asked for by a server that needs none', async () => {
    const { provider } = await open();
    const model = createOpenAiCompatibleModel({
      baseUrl: `${provider.baseUrl}/`,
      model: 'm',
      contextWindow: 1,
    });
    onTestFinished(() => model.close());
    await eventsOf(model.stream(REQUEST, never()));
    expect(provider.asked[0]?.headers).not.toHaveProperty('authorization');
    expect(provider.asked[0]?.path).toBe('/v1/chat/completions');
  });
});
