import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { chunk, hangs, raw, refuses } from '../../../../support/model-provider.ts';
import { eventsOf } from '../../../contracts/language-model.ts';
import { never, open, REQUEST } from './open-model.ts';

describe('a provider that takes its time', () => {
  it('is given up when no answer begins, and not asked again', async () => {
    const { provider, fail } = await open({ limits: { firstTokenMs: 50 } });
    provider.otherwise = hangs;
    expect((await fail()).error).toMatchObject({ name: 'ProviderTimeout', waitingFor: 'first_token' });
    // On a busy machine the request may not even have arrived.
    expect(provider.asked.length).toBeLessThanOrEqual(1);
    for (const { outcome } of provider.asked) expect(await outcome).toBe('left');
  });

  it('is given up though comments keep the connection alive', async () => {
    const { provider, fail } = await open({ limits: { firstTokenMs: 50 } });
    provider.otherwise = raw([': wait\n\n'], { after: 'stay' });
    expect((await fail()).error).toMatchObject({ name: 'ProviderTimeout', waitingFor: 'first_token' });
  });

  it('is given up when the answer stands still', async () => {
    const { provider, fail } = await open({ limits: { nextTokenMs: 50 } });
    provider.otherwise = raw([chunk({ content: 'a' })], { after: 'stay' });
    const { error, said } = await fail();
    expect(error).toMatchObject({ name: 'ProviderTimeout', waitingFor: 'next_token' });
    expect(said).toBe('a');
    expect(await provider.asked[0]?.outcome).toBe('left');
  });

  it('is given up when the answer never ends', async () => {
    const { provider, fail } = await open({ limits: { totalMs: 60 } });
    provider.otherwise = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write(chunk({ content: 'a' })), 5);
      response.on('close', () => clearInterval(timer));
    };
    expect((await fail()).error).toMatchObject({ name: 'ProviderTimeout', waitingFor: 'end' });
    for (const { outcome } of provider.asked) expect(await outcome).toBe('left');
  });
});

describe('an answer that was read to its end', () => {
  it('leaves nothing behind on the signal of its caller', async () => {
    const { provider, model } = await open();
    provider.next.push(refuses(503, 'busy'));
    const { signal } = new AbortController();
    await eventsOf(model.stream(REQUEST, signal));
    expect(provider.asked).toHaveLength(2);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('leaves its connection to the next one', async () => {
    const { provider, ask } = await open();
    await ask();
    await setImmediate(); // undici has a connection back one turn after the body has ended
    await ask();
    expect(provider.asked[1]?.port).toBe(provider.asked[0]?.port);
  });
});

describe('an abort', () => {
  const reason = new Error('the client went away');

  it('before the first token ends the call with its reason and closes the connection', async () => {
    const { provider, fail } = await open();
    provider.otherwise = hangs;
    const controller = new AbortController();
    const failing = fail(controller.signal);
    const asked = await provider.request(1);
    controller.abort(reason);
    expect((await failing).error).toBe(reason);
    expect(await asked.outcome).toBe('left');
    expect(provider.asked).toHaveLength(1);
  });

  it('between tokens ends the call and closes the connection, also while nobody reads', async () => {
    const { provider, model } = await open();
    provider.otherwise = raw([chunk({ content: 'a' })], { after: 'stay' });
    const controller = new AbortController();
    const answer = model.stream(REQUEST, controller.signal)[Symbol.asyncIterator]();
    await answer.next();
    controller.abort(reason);
    expect(await provider.asked[0]?.outcome).toBe('left');
    await expect(answer.next()).rejects.toBe(reason);
  });

  it('ends the wait between two tries', async () => {
    const controller = new AbortController();
    const { provider, fail } = await open({
      sleep: async (_ms, signal) => {
        controller.abort(reason);
        signal.throwIfAborted();
      },
    });
    provider.otherwise = refuses(503, 'busy');
    expect((await fail(controller.signal)).error).toBe(reason);
    expect(provider.asked).toHaveLength(1);
  });

  it('by leaving the loop closes the connection', async () => {
    const { provider, model } = await open();
    provider.otherwise = raw([chunk({ content: 'a' })], { after: 'stay' });
    for await (const { kind } of model.stream(REQUEST, never())) {
      expect(kind).toBe('delta');
      break;
    }
    expect(await provider.asked[0]?.outcome).toBe('left');
  });

  it('of the whole model fails what is under way and what comes later', async () => {
    const { provider, model, fail } = await open();
    provider.otherwise = hangs;
    const failing = fail();
    await provider.request(1);
    await model.close();
    expect((await failing).error).toMatchObject({ name: 'ProviderError', retryable: false });
    expect((await fail()).error).toMatchObject({ name: 'ProviderError', retryable: false });
    expect(provider.asked).toHaveLength(1);
  });
});

describe('an answer without measure', () => {
  it.each([
    ['a line without an end', { maxEventCharacters: 1_000 }, [`data: ${'x'.repeat(2_000)}`]],
    [
      'an event of many lines',
      { maxEventCharacters: 1_000 },
      Array.from({ length: 200 }, () => 'data: 1234567890\n'),
    ],
    [
      'a text without an end',
      { maxCharacters: 1_000 },
      Array.from({ length: 200 }, () => chunk({ content: '1234567890' })),
    ],
    ['comments without an end', { maxBytes: 1_000 }, Array.from({ length: 200 }, () => ': 1234567890\n')],
  ])('is given up: %s', async (_name, limits, parts) => {
    const { provider, fail } = await open({ limits });
    provider.otherwise = raw(parts, { after: 'stay' });
    const { error } = await fail();
    expect(error).toMatchObject({ name: 'ProviderError', retryable: false });
    expect(error.message).toMatch(/over 1000/);
    expect(await provider.asked[0]?.outcome).toBe('left');
  });

  it('does not matter in an error', async () => {
    const { provider, fail } = await open();
    provider.otherwise = (_, response) => void response.writeHead(400).end('x'.repeat(1_000_000));
    expect((await fail()).error).toMatchObject({ status: 400, detail: undefined });
  });
});
