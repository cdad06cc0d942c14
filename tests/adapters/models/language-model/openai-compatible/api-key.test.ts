import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOpenAiCompatibleModel } from '../../../../../adapters/models/language-model/openai-compatible/language-model.ts';
import { event, raw, refuses, says } from '../../../../support/model-provider.ts';
import { eventsOf } from '../../../contracts/language-model.ts';
import { never, open, REQUEST } from '../open-model.ts';
import { openAiInterface as wire } from '../../../../support/model-interfaces/openai.ts';

describe('the API key', () => {
  const lookEverywhere = (error: unknown): string =>
    inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error);

  it.each([
    ['as it is', wire.secret],
    ['in part', `${wire.secret.slice(0, 9)}***`],
    ['as a code', wire.secret.replaceAll('-', '_')],
  ])('is in no error, though the provider quotes it %s', async (_name, quoted) => {
    const { provider, fail } = await open(wire);
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
    const { model } = await open(wire);
    expect(lookEverywhere(model)).not.toContain('secret');
    const options = { baseUrl: 'http://127.0.0.1:1/v1', model: 'm', contextWindow: 1 };
    const wrong = [
      { ...options, apiKey: `${wire.secret}\n` },
      { ...options, apiKey: '' },
      { ...options, baseUrl: `http://user:${wire.secret}@127.0.0.1/v1` },
      { ...options, baseUrl: `ftp://${wire.secret}` },
    ];
    for (const one of wrong) {
      const create = (): unknown => createOpenAiCompatibleModel(one);
      expect(create).toThrow(expect.objectContaining({ name: 'InvalidProviderSettings' }));
      expect(create).not.toThrow(/secret/);
    }
  });

  it('is not asked for by a server that needs none', async () => {
    const { provider } = await open(wire);
    const model = createOpenAiCompatibleModel({
      baseUrl: `${provider.baseUrl}/`,
      model: 'm',
      contextWindow: 1,
    });
    onTestFinished(() => model.close());
    provider.next.push(says('So.'));
    await eventsOf(model.stream(REQUEST, never()));
    expect(provider.asked[0]?.headers).not.toHaveProperty('authorization');
    expect(provider.asked[0]?.path).toBe('/v1/chat/completions');
  });
});
