import { describe, expect, it } from 'vitest';
import { onceViewsShow } from '../../../adapters/http/json-response.ts';

/** Views that come to a position when they are told to. */
const views = () => {
  const waiting = new Map<string, (shown: boolean) => void>();
  return {
    asked: () => [...waiting.keys()],
    come: (position: string) => waiting.get(position)?.(true),
    giveUp: (position: string) => waiting.get(position)?.(false),
    gate: {
      reached: (_: readonly string[], position: string) =>
        new Promise<boolean>((resolve) => waiting.set(position, resolve)),
    },
  };
};

interface Part {
  readonly name: string;
  readonly position: string | null;
}
const PARTS: readonly Part[] = [
  { name: 'begun', position: null },
  { name: 'over', position: '7' },
  { name: 'gone', position: '8' },
];

/** Until what is under way has asked. */
const asking = () => new Promise((resolve) => setImmediate(resolve));

async function* parts(): AsyncGenerator<Part> {
  yield* PARTS;
}

describe('what a stream tells', () => {
  const told = (gate: ReturnType<typeof views>['gate']) => {
    const watched = { gate, views: ['data_source'], signal: new AbortController().signal } as const;
    return onceViewsShow(watched, parts(), ({ position }) => position);
  };

  it('is held back until the views show it, and all behind it with it', async () => {
    const { gate, come, asked } = views();
    const stream = told(gate);
    expect((await stream.next()).value).toMatchObject({ name: 'begun' });
    const seen: string[] = [];
    const next = stream.next().then(({ value }) => seen.push((value as Part).name));
    await asking();
    expect([asked(), seen]).toEqual([['7'], []]);
    come('7');
    await next;
    expect([asked(), seen]).toEqual([['7'], ['over']]);
  });

  it('is told all the same where the views do not come so far in time', async () => {
    const { gate, giveUp } = views();
    const stream = told(gate);
    await stream.next();
    const next = stream.next();
    await asking();
    giveUp('7');
    expect((await next).value).toMatchObject({ name: 'over' });
  });
});
