import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { refuses, sends } from '../../../support/model-interfaces/interface.ts';
import { INTERFACES, open, SDK_INTERFACES } from './open-model.ts';

const lookEverywhere = (error: unknown): string =>
  inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error);

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(INTERFACES)('the secret of %s', (_name, wire) => {
  it.each([
    ['as it is', wire.secret],
    ['in part', `${wire.secret.slice(0, -6)}***`],
  ])('is in no error, though the provider quotes it %s', async (_how, quoted) => {
    const { provider, fail } = await open(wire);
    for (const answer of [
      refuses(wire, 401, `Incorrect API key: ${quoted}`),
      sends(wire, [wire.fails(quoted)]),
      sends(wire, [...wire.begins, wire.piece('a'), wire.fails(quoted)]),
    ]) {
      provider.otherwise = answer;
      const { error } = await fail();
      expect(error.name).toBe('ProviderError');
      expect(lookEverywhere(error)).not.toContain('secret');
    }
  });

  it('is not to be seen in the model', async () => {
    const { model } = await open(wire);
    expect(lookEverywhere(model)).not.toContain('secret');
  });

  it('stays off the console, as everything else does', async () => {
    const methods = ['log', 'info', 'warn', 'error', 'debug'] as const;
    const spies = methods.map((method) => vi.spyOn(console, method).mockImplementation(() => undefined));
    const { provider, ask, fail } = await open(wire);
    await ask({ temperature: 2, maxOutputTokens: 10_000_000 });
    provider.otherwise = refuses(wire, 400, 'no');
    await fail();
    expect(spies.flatMap((spy) => spy.mock.calls)).toEqual([]);
  });
});

describe.each(SDK_INTERFACES)('the secret of %s', (_name, wire) => {
  it('is not in an error of the SDK, nor are the address, the prompt and the answer', async () => {
    const { provider, fail } = await open(wire);
    provider.otherwise = sends(wire, [...wire.begins, wire.piece('half an answer'), ...wire.garbage]);
    const { error } = await fail();
    expect([error.name, error.cause]).toEqual(['ProviderError', undefined]);
    expect(error.message).toBe('the provider of the language model sent what is no answer of its interface');
    for (const told of ['secret', 'Say something', '127.0.0.1', 'half an answer'])
      expect(lookEverywhere({ ...error, message: error.message })).not.toContain(told);
  });
});
