import { describe, expect, it } from 'vitest';
import { chunk, type ProviderAnswer, raw, refuses } from '../../../../support/model-provider.ts';
import { open } from '../open-model.ts';
import { openAiInterface as wire } from '../../../../support/model-interfaces/openai.ts';

describe('a failure before the first delta', () => {
  it('waits as many milliseconds as the provider asks', async () => {
    const { provider, ask, slept } = await open(wire);
    provider.next.push(refuses(429, {}, { 'retry-after-ms': '1500' }));
    await ask();
    expect(slept).toEqual([1_500]);
  });

  it.each([
    ['a 404', refuses(404, { message: 'no' }), 404],
    ['a quota that is used up', refuses(429, { message: 'pay', code: 'insufficient_quota' }), 429],
    ['a large error', (_, response) => void response.writeHead(400).end('x'.repeat(1_000_000)), 400],
  ] satisfies [string, ProviderAnswer, number?][])(
    'is not tried again where that cannot help: %s',
    async (_name, answer, status?: number) => {
      const { provider, fail } = await open(wire);
      provider.otherwise = answer;
      expect((await fail()).error).toMatchObject({ name: 'ProviderError', retryable: false, status });
      expect(provider.asked).toHaveLength(1);
    },
  );
});

describe('a failure after the first delta', () => {
  it.each([
    ['the provider ends with an error', raw([chunk({ content: 'a' }), chunk({}, 'error')]), true],
    ['garbage follows', raw([chunk({ content: 'a' }), 'data: %%%\n\n']), false],
  ])('is thrown and not tried again: %s', async (_name, answer, retryable) => {
    const { provider, fail } = await open(wire);
    provider.next.push(answer);
    const { error, said } = await fail();
    expect(error).toMatchObject({ name: 'ProviderError', retryable });
    expect(said).toBe('a');
    expect(provider.asked).toHaveLength(1);
  });
});

describe('an answer without measure', () => {
  it.each([
    ['a line without an end', { maxEventCharacters: 1_000 }, [`data: ${'x'.repeat(2_000)}`]],
    ['an event of many lines', { maxEventCharacters: 1_000 }, Array<string>(200).fill('data: 1234567890\n')],
    ['comments without an end', { maxBytes: 1_000 }, Array<string>(200).fill(': 1234567890\n')],
  ])('is given up: %s', async (_name, limits, parts) => {
    const { provider, fail } = await open(wire, { limits });
    provider.otherwise = raw(parts, { after: 'stay' });
    const { error } = await fail();
    expect(error).toMatchObject({ name: 'ProviderError', retryable: false });
    expect(error.message).toMatch(/over 1000/);
    expect(await provider.asked[0]?.outcome).toBe('left');
  });
});
