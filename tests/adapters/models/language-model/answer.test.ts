import { describe, expect, it } from 'vitest';
import { bedrockInterface } from '../../../support/model-interfaces/bedrock.ts';
import { sends } from '../../../support/model-interfaces/interface.ts';
import { textOf } from '../../contracts/language-model.ts';
import { INTERFACES, open } from './open-model.ts';

describe.each(INTERFACES)('an answer of %s', (_name, wire) => {
  it('comes as deltas with a reason and the usage', async () => {
    const { ask, provider } = await open(wire);
    const pieces = ['Hello', ' dear', ' world'];
    provider.next.push(sends(wire, [...wire.begins, ...pieces.map(wire.piece), ...wire.ends()]));
    expect(await ask()).toEqual([
      ...pieces.map((text) => ({ kind: 'delta', text })),
      { kind: 'finish', reason: 'stop', usage: { inputTokens: 7, outputTokens: 3 } },
    ]);
  });

  it('is the same wherever the network cuts it', async () => {
    const { ask, provider } = await open(wire);
    const parts = [
      ...wire.begins,
      wire.piece('Grüße '),
      wire.piece('東京 🙂'),
      wire.piece('.'),
      ...wire.ends(),
    ];
    const whole = Buffer.concat(parts.map((part) => Buffer.from(part)));
    for (const width of [1, 7, 100]) {
      const cut = Array.from({ length: Math.ceil(whole.length / width) }, (_, i) =>
        whole.subarray(i * width, (i + 1) * width),
      );
      provider.next.push(sends(wire, cut));
      expect(textOf(await ask())).toBe('Grüße 東京 🙂.');
    }
  });

  it.each(['stop', 'length', 'content_filter'] as const)('ends with the reason %s', async (reason) => {
    const { ask, provider } = await open(wire);
    provider.next.push(sends(wire, [...wire.begins, wire.piece('a'), ...wire.ends(wire.reasons[reason])]));
    expect((await ask()).at(-1)).toMatchObject({ kind: 'finish', reason });
  });

  it('may have no text at all', async () => {
    const { ask, provider } = await open(wire);
    provider.next.push(sends(wire, [...wire.begins, ...wire.ends(wire.reasons.content_filter)]));
    expect(await ask()).toEqual([expect.objectContaining({ kind: 'finish', reason: 'content_filter' })]);
  });

  it('is never cut inside a character that two events share', async () => {
    const { ask, provider } = await open(wire);
    const pieces = wire.name === 'bedrock' ? ['a🙂'] : ['a\ud83d', '\ude42'];
    provider.next.push(sends(wire, [...wire.begins, ...pieces.map(wire.piece), ...wire.ends()]));
    const texts = (await ask()).flatMap((event) => (event.kind === 'delta' ? [event.text] : []));
    expect(texts.join('')).toBe('a🙂');
    expect(texts.every((text) => text.isWellFormed())).toBe(true);
  });
});

describe.each(INTERFACES)('the thoughts that %s tells apart', (_name, wire) => {
  it('come before the answer and are no part of it', async () => {
    const { ask, provider } = await open(wire);
    provider.next.push(sends(wire, wire.thinks('Riga is [1].', 'Riga.')));
    const events = await ask();
    expect(events.slice(0, -1)).toEqual([
      { kind: 'reasoning', text: 'Riga is [1].' },
      { kind: 'delta', text: 'Riga.' },
    ]);
    expect(events.at(-1)).toMatchObject({ kind: 'finish', reason: 'stop' });
  });

  it('are told of each attempt, and are no beginning of an answer that must not be asked for again', async () => {
    const { ask, provider } = await open(wire);
    const cut = wire.thinks('Hm.', '').slice(0, wire.name === 'anthropic' || wire.name === 'bedrock' ? 2 : 1);
    provider.next.push(sends(wire, [...cut, wire.fails('overloaded')]));
    provider.next.push(sends(wire, wire.thinks('Riga?', 'Riga.')));
    expect((await ask()).slice(0, -1)).toEqual([
      { kind: 'reasoning', text: 'Hm.' },
      { kind: 'reasoning', text: 'Riga?' },
      { kind: 'delta', text: 'Riga.' },
    ]);
  });
});

describe('a context window that is full', () => {
  it('cuts the answer of Bedrock, whose word for it the SDK does not know', async () => {
    const wire = bedrockInterface;
    const { ask, provider } = await open(wire);
    const ends = wire.ends('model_context_window_exceeded');
    provider.next.push(sends(wire, [...wire.begins, wire.piece('a'), ...ends]));
    expect((await ask()).at(-1)).toMatchObject({ reason: 'length' });
  });
});
