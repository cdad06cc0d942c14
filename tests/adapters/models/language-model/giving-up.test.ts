import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { anthropicInterface } from '../../../support/model-interfaces/anthropic.ts';
import { type ModelInterface, refuses, sends } from '../../../support/model-interfaces/interface.ts';
import { openAiInterface } from '../../../support/model-interfaces/openai.ts';
import { hangs } from '../../../support/model-provider.ts';
import { eventsOf } from '../../contracts/language-model.ts';
import { INTERFACES, never, open, REQUEST } from './open-model.ts';

const begun = (wire: ModelInterface) => [...wire.begins, wire.piece('a')];

describe.each(INTERFACES)('%s taking its time', (_name, wire) => {
  it('is given up when no answer begins, and not asked again', async () => {
    const { provider, fail } = await open(wire, { limits: { firstTokenMs: 50 } });
    provider.otherwise = hangs;
    expect((await fail()).error).toMatchObject({ name: 'ProviderTimeout', waitingFor: 'first_token' });
    // On a busy machine the request may not even have arrived.
    expect(provider.asked.length).toBeLessThanOrEqual(1);
    for (const { outcome } of provider.asked) expect(await outcome).toBe('left');
  });

  it('is given up when it answers 200 and then nothing', async () => {
    const { provider, fail } = await open(wire, { limits: { firstTokenMs: 50 } });
    provider.otherwise = sends(wire, [], { after: 'stay' });
    expect((await fail()).error).toMatchObject({ name: 'ProviderTimeout', waitingFor: 'first_token' });
  });

  it('is given up when the answer stands still', async () => {
    const { provider, fail } = await open(wire, { limits: { nextTokenMs: 50 } });
    provider.otherwise = sends(wire, begun(wire), { after: 'stay' });
    const { error, said } = await fail();
    expect(error).toMatchObject({ name: 'ProviderTimeout', waitingFor: 'next_token' });
    expect(said).toBe('a');
    expect(await provider.asked[0]?.outcome).toBe('left');
  });

  it('is given up when the answer never ends', async () => {
    const { provider, fail } = await open(wire, { limits: { totalMs: 60 } });
    provider.otherwise = (_, response) => {
      response.writeHead(200, { 'content-type': wire.contentType });
      for (const part of wire.begins) response.write(part);
      const timer = setInterval(() => response.write(wire.piece('a')), 5);
      response.on('close', () => clearInterval(timer));
    };
    expect((await fail()).error).toMatchObject({ name: 'ProviderTimeout', waitingFor: 'end' });
    for (const { outcome } of provider.asked) expect(await outcome).toBe('left');
  });

  it('is not hurried while its consumer works', async () => {
    const { provider, model } = await open(wire, { limits: { nextTokenMs: 200 } });
    provider.otherwise = (_, response) => {
      response.writeHead(200, { 'content-type': wire.contentType });
      for (const part of begun(wire)) response.write(part);
      // After the time for a piece, and before the consumer is ready for it.
      setTimeout(() => {
        for (const part of [wire.piece('b'), ...wire.ends()]) response.write(part);
        response.end();
      }, 250);
    };
    let text = '';
    for await (const event of model.stream(REQUEST, never())) {
      const until = performance.now() + (text === '' ? 300 : 0);
      while (performance.now() < until) await setImmediate();
      if (event.kind === 'delta') text += event.text;
    }
    expect(text).toBe('ab');
  });
});

describe.each(INTERFACES)('an answer of %s that was read to its end', (_name, wire) => {
  it('leaves nothing behind on the signal of its caller', async () => {
    const { provider, model } = await open(wire);
    provider.next.push(refuses(wire, 503, 'busy'));
    const { signal } = new AbortController();
    await eventsOf(model.stream(REQUEST, signal));
    expect(provider.asked).toHaveLength(2);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('leaves its connection to the next one', async () => {
    const { provider, ask } = await open(wire);
    await ask();
    await setImmediate(); // undici has a connection back one turn after the body has ended
    await ask();
    expect(provider.asked[1]?.port).toBe(provider.asked[0]?.port);
  });
});

describe.each(INTERFACES)('an abort of a request to %s', (_name, wire) => {
  const reason = new Error('the client went away');

  it('before the first token ends the call with its reason and closes the connection', async () => {
    const { provider, fail } = await open(wire);
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
    const { provider, model } = await open(wire);
    provider.otherwise = sends(wire, begun(wire), { after: 'stay' });
    const controller = new AbortController();
    const answer = model.stream(REQUEST, controller.signal)[Symbol.asyncIterator]();
    await answer.next();
    controller.abort(reason);
    expect(await provider.asked[0]?.outcome).toBe('left');
    await expect(answer.next()).rejects.toBe(reason);
  });

  it('ends the wait between two tries', async () => {
    const controller = new AbortController();
    const { provider, fail } = await open(wire, {
      sleep: async (_ms, signal) => {
        controller.abort(reason);
        signal.throwIfAborted();
      },
    });
    provider.otherwise = refuses(wire, 503, 'busy');
    expect((await fail(controller.signal)).error).toBe(reason);
    expect(provider.asked).toHaveLength(1);
  });

  it('by leaving the loop closes the connection', async () => {
    const { provider, model } = await open(wire);
    provider.otherwise = sends(wire, begun(wire), { after: 'stay' });
    for await (const { kind } of model.stream(REQUEST, never())) {
      expect(kind).toBe('delta');
      break;
    }
    expect(await provider.asked[0]?.outcome).toBe('left');
  });

  it('of the whole model fails what is under way and what comes later', async () => {
    const { provider, model, fail } = await open(wire);
    provider.otherwise = hangs;
    const failing = fail();
    await provider.request(1);
    await model.close();
    expect((await failing).error).toMatchObject({ name: 'ProviderError', retryable: false });
    expect((await fail()).error).toMatchObject({ name: 'ProviderError', retryable: false });
    expect(provider.asked).toHaveLength(1);
  });
});

describe.each(INTERFACES)('an answer of %s without measure', (_name, wire) => {
  it.each([
    ['a text without an end', { maxCharacters: 1_000 }, () => wire.piece('1234567890')],
    ['bytes without an end', { maxBytes: 1_000 }, () => wire.piece('')],
  ])('is given up: %s', async (_what, limits, part) => {
    const { provider, fail } = await open(wire, { limits });
    provider.otherwise = sends(wire, [...wire.begins, ...Array.from({ length: 200 }, part)], {
      after: 'stay',
    });
    const { error } = await fail();
    expect(error).toMatchObject({ name: 'ProviderError', retryable: false });
    expect(error.message).toMatch(/over 1000/);
    expect(await provider.asked[0]?.outcome).toBe('left');
  });
});

describe.each([
  [anthropicInterface, 'event: ping\ndata: {"type":"ping"}\n\n'],
  [openAiInterface, ': wait\n\n'],
])('$name', (wire, ping) => {
  it.each([
    ['before the first token', [], { firstTokenMs: 60 }, 'first_token', ''],
    ['between two', begun(wire), { nextTokenMs: 60 }, 'next_token', 'a'],
  ] as const)(
    'gains no time by its pings or comments, %s',
    async (_when, before, limits, waitingFor, text) => {
      const { provider, fail } = await open(wire, { limits });
      provider.otherwise = (_, response) => {
        response.writeHead(200, { 'content-type': wire.contentType });
        for (const part of before) response.write(part);
        const timer = setInterval(() => response.write(ping), 5);
        response.on('close', () => clearInterval(timer));
      };
      const { error, said } = await fail();
      expect(error).toMatchObject({ name: 'ProviderTimeout', waitingFor });
      expect(said).toBe(text);
    },
  );

  it.each(['stay', 'die'] as const)(
    'has answered with its last event, though the connection %ss',
    async (after) => {
      const { provider, ask } = await open(wire);
      provider.next.push(sends(wire, [...begun(wire), ...wire.ends()], { after }));
      expect((await ask()).at(-1)).toMatchObject({ kind: 'finish', reason: 'stop' });
      expect(await provider.asked[0]?.outcome).toBe('left');
    },
  );
});
