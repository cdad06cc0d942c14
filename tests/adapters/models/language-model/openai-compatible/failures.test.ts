import { describe, expect, it } from 'vitest';
import {
  chunk,
  event,
  hangsUp,
  openModelProvider,
  raw,
  refuses,
} from '../../../../support/model-provider.ts';
import { textOf } from '../../../contracts/language-model.ts';
import { open } from './open-model.ts';

describe('a failure before the first delta', () => {
  it.each([
    ['a 429', refuses(429, { message: 'slow down' })],
    ['a 500', refuses(500, 'broken')],
    ['a 503 that is no JSON', raw(['<html>'], {})],
    ['a broken connection', hangsUp],
    [
      'a stream that breaks off before any text',
      raw([chunk({ role: 'assistant', content: '' })], { after: 'die' }),
    ],
    ['a stream that ends before any text', raw([': hello\n\n'])],
    ['an error event that may pass', raw([event({ error: { code: 502, message: 'upstream' } })])],
  ])('is tried again: %s', async (name, answer) => {
    const { provider, ask, slept } = await open();
    provider.next.push(
      name.includes('503') ? (_, response) => void response.writeHead(503).end('<html>') : answer,
    );
    expect(textOf(await ask())).toBe('An answer from the passages [1].');
    expect(provider.asked).toHaveLength(2);
    expect(slept).toEqual([250]);
  });

  it('is tried three times, with growing delays, and then told', async () => {
    const { provider, fail, slept } = await open();
    provider.otherwise = refuses(503, { message: 'busy', type: 'server_overloaded' });
    const { error, said } = await fail();
    expect(error).toMatchObject({ name: 'ProviderError', status: 503, retryable: true, detail: 'busy' });
    expect(error.message).toBe('the provider of the language model answers 503 (server_overloaded)');
    expect(said).toBe('');
    expect(provider.asked).toHaveLength(3);
    expect(slept).toEqual([250, 500]);
  });

  it('waits as long as the provider asks, and gives up where that is too long', async () => {
    const { provider, ask, fail, slept } = await open();
    provider.next.push(
      refuses(429, {}, { 'retry-after': '2' }),
      refuses(429, {}, { 'retry-after-ms': '1500' }),
    );
    await ask();
    expect(slept).toEqual([2_000, 1_500]);
    provider.next.push(refuses(429, {}, { 'retry-after': '7' }));
    expect((await fail()).error).toMatchObject({ status: 429, retryable: true, retryAfterMs: 7_000 });
    expect([provider.asked.length, slept.length]).toEqual([4, 2]);
  });

  it.each([
    ['a 400', refuses(400, { message: 'too long', code: 'context_length_exceeded' }), 400],
    ['a 401', refuses(401, { message: 'no' }), 401],
    ['a 404', refuses(404, { message: 'no' }), 404],
    ['a quota that is used up', refuses(429, { message: 'pay', code: 'insufficient_quota' }), 429],
    ['a redirect', refuses(307, 'elsewhere', { location: '/elsewhere' }), 307],
    ['a web page', raw(['<html>'], { contentType: 'text/html' }), undefined],
    ['JSON that is no completion', raw(['{"hello": 1}'], { contentType: 'application/json' }), undefined],
    ['an event that is no JSON', raw(['data: {"choices": [\n\n']), undefined],
    ['an event that is no chunk', raw(['data: 17\n\n']), undefined],
  ])('is not tried again where that cannot help: %s', async (_name, answer, status) => {
    const { provider, fail } = await open();
    provider.otherwise = answer;
    expect((await fail()).error).toMatchObject({ name: 'ProviderError', retryable: false, status });
    expect(provider.asked).toHaveLength(1);
  });

  it('is told when nobody listens there', async () => {
    const gone = await openModelProvider();
    await gone.close();
    const { fail, slept } = await open({ baseUrl: gone.baseUrl });
    const { error } = await fail();
    expect(error).toMatchObject({ name: 'ProviderError', retryable: true, status: undefined });
    expect(error.message).toMatch(/ECONNREFUSED$/);
    expect(slept).toHaveLength(2);
  });
});

describe('a failure after the first delta', () => {
  it.each([
    ['the connection breaks', raw([chunk({ content: 'a' })], { after: 'die' }), true],
    ['the stream ends', raw([chunk({ content: 'a' })]), true],
    [
      'the provider reports an error',
      raw([chunk({ content: 'a' }), event({ error: { code: 502, message: 'x' } })]),
      true,
    ],
    ['the provider ends with an error', raw([chunk({ content: 'a' }), chunk({}, 'error')]), true],
    ['garbage follows', raw([chunk({ content: 'a' }), 'data: %%%\n\n']), false],
  ])('is thrown and not tried again: %s', async (_name, answer, retryable) => {
    const { provider, fail } = await open();
    provider.next.push(answer);
    const { error, said } = await fail();
    expect(error).toMatchObject({ name: 'ProviderError', retryable });
    expect(said).toBe('a');
    expect(provider.asked).toHaveLength(1);
  });
});
