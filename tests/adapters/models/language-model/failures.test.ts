import { describe, expect, it } from 'vitest';
import { googleInterface } from '../../../support/model-interfaces/google.ts';
import { refuses, sends } from '../../../support/model-interfaces/interface.ts';
import { hangsUp, openModelProvider, type ProviderAnswer, raw } from '../../../support/model-provider.ts';
import { textOf } from '../../contracts/language-model.ts';
import { INTERFACES, open, SDK_INTERFACES } from './open-model.ts';

describe.each(INTERFACES)('a failure of %s before the first delta', (_name, wire) => {
  it.each([
    ['a 429', refuses(wire, 429, 'slow down')],
    ['a 500', refuses(wire, 500, 'broken')],
    ['a 503 that is no JSON', (_: unknown, response) => void response.writeHead(503).end('<html>')],
    ['a broken connection', hangsUp],
    ['a stream that breaks off before any text', sends(wire, wire.begins, { after: 'die' })],
    ['a stream that ends before any text', sends(wire, wire.begins)],
    ['a stream without anything', sends(wire, [])],
    ['an overload as the first event', sends(wire, [wire.fails('busy')])],
    ['an overload before any text', sends(wire, [...wire.begins, wire.fails('busy')])],
  ] satisfies [string, ProviderAnswer][])('is tried again: %s', async (_what, answer) => {
    const { provider, ask, slept } = await open(wire);
    provider.next.push(answer);
    expect(textOf(await ask())).toBe('An answer from the passages [1].');
    expect(provider.asked).toHaveLength(2);
    expect(slept).toEqual([250]);
  });

  it('is tried three times, with growing delays, and then told', async () => {
    const { provider, fail, slept } = await open(wire);
    provider.otherwise = refuses(wire, 503, 'busy');
    const { error, said } = await fail();
    expect(error).toMatchObject({ name: 'ProviderError', status: 503, retryable: true, detail: 'busy' });
    expect(error.message).toMatch(/^the provider of the language model answers 503 \(\w+\)$/);
    expect(said).toBe('');
    expect(provider.asked).toHaveLength(3);
    expect(slept).toEqual([250, 500]);
  });

  it('waits as long as the provider asks, and gives up where that is too long', async () => {
    const { provider, ask, fail, slept } = await open(wire);
    provider.next.push(refuses(wire, 429, 'slow down', { 'retry-after': '2' }));
    await ask();
    expect(slept).toEqual([2_000]);
    provider.next.push(refuses(wire, 429, 'slow down', { 'retry-after': '7' }));
    expect((await fail()).error).toMatchObject({ status: 429, retryable: true, retryAfterMs: 7_000 });
    expect([provider.asked.length, slept.length]).toEqual([3, 1]);
  });

  it.each([
    ['a 400', refuses(wire, 400, 'too long'), 400],
    ['a 401', refuses(wire, 401, 'no'), 401],
    ['a redirect', refuses(wire, 307, 'elsewhere', { location: '/elsewhere' }), 307],
    ['a web page', raw(['<html>'], { contentType: 'text/html' }), undefined],
    ['events that are no JSON', raw(['data: {"choices": [\n\n']), undefined],
    ['JSON in place of events', raw(['{"hello": 1}'], { contentType: 'application/json' }), undefined],
    ['what cannot be read', sends(wire, wire.garbage), undefined],
  ])('is not tried again where that cannot help: %s', async (_what, answer, status) => {
    const { provider, fail } = await open(wire);
    provider.otherwise = answer;
    expect((await fail()).error).toMatchObject({ name: 'ProviderError', retryable: false, status });
    expect(provider.asked).toHaveLength(1);
  });

  it('names a refused key by its status, in words of its own', async () => {
    const { provider, fail } = await open(wire);
    provider.otherwise = refuses(wire, 401, 'no');
    expect((await fail()).error.message).toMatch(
      /^the provider of the language model does not accept the service's credentials: it answers 401 \(\w+\)$/,
    );
  });

  it('is told when nobody listens there', async () => {
    const gone = await openModelProvider();
    await gone.close();
    const { fail, slept } = await open(wire, { baseUrl: gone.baseUrl });
    const { error } = await fail();
    expect(error).toMatchObject({ name: 'ProviderError', retryable: true, status: undefined });
    expect(error.message).toMatch(/ECONNREFUSED$/);
    expect(slept).toHaveLength(2);
  });
});

describe.each(INTERFACES)('a failure of %s after the first delta', (_name, wire) => {
  const begun = [...wire.begins, wire.piece('a')];
  it.each([
    ['the connection breaks', sends(wire, begun, { after: 'die' }), undefined],
    ['the stream ends', sends(wire, begun), undefined],
    ['the provider is overloaded', sends(wire, [...begun, wire.fails('busy')]), 'busy'],
    ['an end follows its error', sends(wire, [...begun, wire.fails('busy'), ...wire.ends()]), 'busy'],
  ])('is thrown and not tried again: %s', async (_what, answer, detail) => {
    const { provider, fail } = await open(wire);
    provider.next.push(answer);
    const { error, said } = await fail();
    expect(error).toMatchObject({ name: 'ProviderError', retryable: true, detail });
    expect(said).toBe('a');
    expect(provider.asked).toHaveLength(1);
  });
});

describe('what a provider asks to wait', () => {
  it('is read from the body of Gemini, which has no header for it', async () => {
    const { provider, fail, slept } = await open(googleInterface);
    const details = [
      { '@type': 'type.googleapis.com/google.rpc.QuotaFailure' },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7.5s' },
    ];
    provider.next.push((_asked, response) => {
      response.writeHead(429, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ error: { code: 429, message: 'x', status: 'RESOURCE_EXHAUSTED', details } }),
      );
    });
    expect((await fail()).error).toMatchObject({ status: 429, retryAfterMs: 7_500 });
    expect(slept).toEqual([]);
  });
});

describe.each(SDK_INTERFACES)('an answer of %s', (_name, wire) => {
  it('is thrown where the provider gives its answer up for a reason of its own', async () => {
    const { provider, fail } = await open(wire);
    provider.next.push(sends(wire, [...wire.begins, wire.piece('a'), ...wire.ends('OTHER')]));
    const { error, said } = await fail();
    expect(error.message).toBe('the provider of the language model gave its answer up (OTHER)');
    expect([error.name, said]).toEqual(['ProviderError', 'a']);
  });
});
