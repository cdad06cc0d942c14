import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_REVISION } from '../../../application/ports/event-checks.ts';
import {
  AppendTooLarge,
  ConcurrencyConflict,
  type EventStore,
  InvalidEvent,
  type JsonObject,
  MAX_APPEND_EVENTS,
  MAX_EVENT_BYTES,
  type NewEvent,
  StreamCut,
} from '../../../application/ports/event-store.ts';

export interface OpenStore {
  readonly store: EventStore;
  /** Removes the events of a stream before a revision, as an operator can. */
  readonly cut: (stream: string, before: bigint) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A stream that no other test uses. */
export const newStream = (category = 'contract'): string => `${category}-${randomUUID()}`;

export const newEvent = (
  type = 'ThingHappened',
  data: JsonObject = {},
  metadata: JsonObject = {},
): NewEvent => ({
  id: randomUUID(),
  type,
  data,
  metadata,
});

/** Every promise of the `EventStore` port, for any adapter. The store may hold other streams. */
export const eventStoreContract = (name: string, open: () => Promise<OpenStore>): void => {
  describe(`${name} as an event store`, () => {
    let opened: OpenStore;
    let store: EventStore;
    beforeAll(async () => {
      opened = await open();
      store = opened.store;
    });
    afterAll(() => opened?.close());

    const failure = (stream: string, event: unknown): Promise<unknown> =>
      store.append(stream, 'none', [event as NewEvent]).then(
        () => 'accepted',
        (error: unknown) => error,
      );

    describe('append and read', () => {
      it('reads an unknown stream as empty', async () => {
        expect(await store.readStream(newStream())).toEqual([]);
      });

      it('gives back what was appended, with its stream, revision and position', async () => {
        const stream = newStream();
        const events = [
          newEvent('A', { n: 1, text: 'é 漢 😀' }),
          newEvent('B.v2', {}, { tenant: 't' }),
        ] as const;
        const result = await store.append(stream, 'none', events);
        const recorded = await store.readStream(stream);
        expect(recorded).toMatchObject(
          events.map((event, index) => ({ ...event, stream, revision: BigInt(index) })),
        );
        expect(result).toEqual({ revision: 1n, position: recorded[1]?.position });
        expect(recorded.every((event) => Number.isInteger(event.recordedAt))).toBe(true);
      });

      it('appends directly after the expected revision', async () => {
        const stream = newStream();
        await store.append(stream, 'none', [newEvent('A'), newEvent('B')]);
        expect((await store.append(stream, 1n, [newEvent('C')])).revision).toBe(2n);
        expect((await store.readStream(stream)).map((event) => event.type)).toEqual(['A', 'B', 'C']);
      });

      it('reads from a revision, at most as many as asked', async () => {
        const stream = newStream();
        await store.append(stream, 'none', [newEvent('A'), newEvent('B'), newEvent('C'), newEvent('D')]);
        const types = async (from?: bigint, limit?: number) =>
          (await store.readStream(stream, from, limit)).map((event) => event.type);
        expect(await types(1n)).toEqual(['B', 'C', 'D']);
        expect(await types(1n, 2)).toEqual(['B', 'C']);
        expect(await types(4n)).toEqual([]);
      });

      it('answers each of many reads that are asked for at once', async () => {
        const [first, second] = [newStream(), newStream()];
        await store.append(first, 'none', [newEvent('A'), newEvent('B'), newEvent('C')]);
        await store.append(second, 'none', [newEvent('D'), newEvent('E')]);
        const reads = [
          store.readStream(second),
          store.readStream(newStream()),
          store.readStream(first, 1n),
          store.readStream(first, 0n, 2),
          store.readStream(second, 1n, 5),
          store.readStream(first),
        ];
        const types = (await Promise.all(reads)).map((events) => events.map(({ type }) => type).join(''));
        expect(types).toEqual(['DE', '', 'BC', 'AB', 'E', 'ABC']);
      });

      it('takes any revision to read from, whether a stream can have it or not', async () => {
        const stream = newStream();
        await store.append(stream, 'none', [newEvent('A')]);
        expect(await store.readStream(stream, -1n)).toHaveLength(1);
        for (const from of [MAX_REVISION, MAX_REVISION + 1n, 2n ** 64n]) {
          expect(await store.readStream(stream, from)).toEqual([]);
        }
      });

      it('orders positions as the appends were accepted', async () => {
        const first = await store.append(newStream(), 'none', [newEvent(), newEvent()]);
        const second = await store.append(newStream(), 'none', [newEvent()]);
        expect(second.position > first.position).toBe(true);
      });

      it('gives back any JSON unchanged', async () => {
        const isKept = (value: unknown) => !JSON.stringify(value).includes('\\u0000');
        const values = fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 3 }).filter(isKept);
        await fc.assert(
          fc.asyncProperty(values, values, async (a, b) => {
            const stream = newStream();
            const data = JSON.parse(JSON.stringify({ a, b })) as JsonObject;
            await store.append(stream, 'none', [newEvent('A', data, data)]);
            const [recorded] = await store.readStream(stream);
            expect(recorded?.data).toEqual(data);
            expect(recorded?.metadata).toEqual(data);
          }),
          { numRuns: 25 },
        );
      });
    });

    describe('exact revisions', () => {
      it('refuses another revision and says where the stream is', async () => {
        const stream = newStream();
        await store.append(stream, 'none', [newEvent(), newEvent()]);
        for (const expected of ['none', 0n, 2n, 7n] as const) {
          const conflict = await store
            .append(stream, expected, [newEvent()])
            .catch((error: unknown) => error);
          expect(conflict).toBeInstanceOf(ConcurrencyConflict);
          expect(conflict).toMatchObject({ name: 'ConcurrencyConflict', stream, actual: 1n });
        }
        expect(await store.readStream(stream)).toHaveLength(2);
      });

      it('refuses a revision of a stream that does not exist', async () => {
        const stream = newStream();
        const conflict = store.append(stream, 0n, [newEvent()]);
        await expect(conflict).rejects.toMatchObject({ name: 'ConcurrencyConflict', actual: 'none' });
        expect(await store.readStream(stream)).toEqual([]);
      });

      it('takes -1 for a stream that must not exist, and refuses what no stream can be at', async () => {
        const stream = newStream();
        expect(await store.append(stream, -1n, [newEvent()])).toMatchObject({ revision: 0n });
        await expect(store.append(stream, -1n, [newEvent()])).rejects.toBeInstanceOf(ConcurrencyConflict);
        for (const revision of [-2n, MAX_REVISION, MAX_REVISION + 1n, 2n ** 64n]) {
          const odd = store.append(stream, revision, [newEvent()]);
          await expect(odd).rejects.toBeInstanceOf(InvalidEvent);
        }
        const far = store.append(stream, MAX_REVISION - 1n, [newEvent()]);
        await expect(far).rejects.toMatchObject({ name: 'ConcurrencyConflict', actual: 0n });
        expect(await store.readStream(stream)).toHaveLength(1);
      });

      it('lets exactly one of many concurrent appends win', async () => {
        const stream = newStream();
        await store.append(stream, 'none', [newEvent('First')]);
        const racers = Array.from({ length: 12 }, (_, racer) => [
          newEvent('Raced', { racer, part: 0 }),
          newEvent('Raced', { racer, part: 1 }),
        ]) as [NewEvent, NewEvent][];
        const outcomes = await Promise.allSettled(racers.map((events) => store.append(stream, 0n, events)));
        const losers = outcomes.filter((outcome) => outcome.status === 'rejected');
        expect(losers).toHaveLength(11);
        for (const loser of losers)
          expect(loser.reason).toMatchObject({ name: 'ConcurrencyConflict', actual: 2n });
        const winner = outcomes.findIndex((outcome) => outcome.status === 'fulfilled');
        const recorded = await store.readStream(stream, 1n);
        expect(recorded.map((event) => event.data)).toEqual([
          { racer: winner, part: 0 },
          { racer: winner, part: 1 },
        ]);
      });

      it('keeps concurrent appends to many streams apart', async () => {
        const streams = Array.from({ length: 40 }, () => newStream());
        await Promise.all(streams.map((stream) => store.append(stream, 'none', [newEvent('A', { stream })])));
        await Promise.all(streams.map((stream) => store.append(stream, 0n, [newEvent('B', { stream })])));
        for (const stream of streams) {
          const recorded = await store.readStream(stream);
          expect(recorded.map((event) => [event.type, event.data['stream']])).toEqual([
            ['A', stream],
            ['B', stream],
          ]);
        }
      });
    });

    describe('repeated appends', () => {
      it('answers the first result again and writes nothing', async () => {
        const stream = newStream();
        const events = [newEvent('A'), newEvent('B')] as const;
        const first = await store.append(stream, 'none', events);
        expect(await store.append(stream, 'none', events)).toEqual(first);
        await store.append(stream, 1n, [newEvent('C')]);
        expect(await store.append(stream, 'none', events)).toEqual(first);
        expect(await store.readStream(stream)).toHaveLength(3);
      });

      it('answers concurrent copies of one append alike', async () => {
        const stream = newStream();
        const events = [newEvent('A'), newEvent('B')] as const;
        const results = await Promise.all(
          Array.from({ length: 6 }, () => store.append(stream, 'none', events)),
        );
        expect(new Set(results.map((result) => result.position)).size).toBe(1);
        expect(await store.readStream(stream)).toHaveLength(2);
      });

      it('refuses a repeat that carries other events than its first try', async () => {
        const stream = newStream();
        const kept = newEvent('A');
        await store.append(stream, 'none', [kept]);
        const conflict = { name: 'ConcurrencyConflict', actual: 0n };
        await expect(store.append(stream, 'none', [kept, newEvent('B')])).rejects.toMatchObject(conflict);
        await expect(store.append(stream, 'none', [newEvent('B'), kept])).rejects.toMatchObject(conflict);
        expect(await store.readStream(stream)).toHaveLength(1);
      });
    });

    describe('a stream that was cut', () => {
      const written = async (left: bigint): Promise<string> => {
        const stream = newStream();
        await store.append(stream, 'none', [newEvent('A'), newEvent('B'), newEvent('C')]);
        await opened.cut(stream, left);
        return stream;
      };
      const reading = async (stream: string, from?: bigint, limit?: number): Promise<unknown> =>
        store.readStream(stream, from, limit).catch((error: unknown) => error);

      it('is never read as if it were whole', async () => {
        const stream = await written(2n);
        for (const limit of [undefined, 1, 10]) {
          const cut = await reading(stream, 0n, limit);
          expect(cut).toBeInstanceOf(StreamCut);
          expect(cut).toMatchObject({ stream });
          expect(String(cut)).toContain('from revision 0 on');
        }
        expect(await reading(stream, 1n)).toBeInstanceOf(StreamCut);
      });

      it('shows what is left to a reader that knows the rest', async () => {
        const stream = await written(1n);
        expect((await store.readStream(stream, 1n)).map(({ type }) => type)).toEqual(['B', 'C']);
        expect(await store.readStream(stream, 3n)).toEqual([]);
      });
    });

    describe('what cannot be kept', () => {
      const holed: unknown[] = [1];
      holed.length = 3;
      const cases: readonly (readonly [string, Record<string, unknown>])[] = [
        ['a BigInt', { data: { n: 1n } }],
        ['undefined', { data: { a: undefined } }],
        ['NaN', { data: { a: [NaN] } }],
        ['Infinity', { metadata: { a: Infinity } }],
        ['a date', { data: { a: new Date(0) } }],
        ['a function', { data: { a: () => 1 } }],
        ['a hole in an array', { data: { a: holed } }],
        ['a lone surrogate', { data: { a: 'x\ud800' } }],
        ['a lone surrogate in a key', { data: { '\udc00': 1 } }],
        ['a NUL character', { metadata: { a: 'x\u0000y' } }],
        ['data that is no object', { data: [1] }],
        ['an id that is no UUID', { id: 'event-1' }],
        ['an empty type', { type: '' }],
      ];
      it.each(cases)('refuses %s', async (_, part) => {
        const stream = newStream();
        const error = await failure(stream, { ...newEvent(), ...part });
        expect(error).toBeInstanceOf(InvalidEvent);
        expect(await store.readStream(stream)).toEqual([]);
      });

      it.each(['', 'nocategory', 'Upper-1', 'with space-1', '-1', 'a-', `a-${'x'.repeat(200)}`, 'a-ü'])(
        'refuses the stream name %j',
        async (stream) => {
          expect(await failure(stream, newEvent())).toBeInstanceOf(InvalidEvent);
        },
      );

      it('refuses an append without events and one with the same id twice', async () => {
        const event = newEvent();
        await expect(store.append(newStream(), 'none', [] as never)).rejects.toBeInstanceOf(InvalidEvent);
        await expect(store.append(newStream(), 'none', [event, event])).rejects.toBeInstanceOf(InvalidEvent);
      });

      it('keeps the largest event and refuses one byte more, counted in UTF-8', async () => {
        const stream = newStream();
        const frame = JSON.stringify({ a: '' }).length + JSON.stringify({}).length;
        const largest = 'é'.repeat((MAX_EVENT_BYTES - frame) / 2);
        await store.append(stream, 'none', [newEvent('A', { a: largest })]);
        const more = store.append(stream, 0n, [newEvent('A', { a: `${largest}x` })]);
        await expect(more).rejects.toBeInstanceOf(AppendTooLarge);
        expect((await store.readStream(stream)).map((event) => event.data['a'])).toEqual([largest]);
      });

      it('keeps as many events at once as it may and refuses one more', async () => {
        const stream = newStream();
        const most = Array.from({ length: MAX_APPEND_EVENTS }, () => newEvent('A')) as [NewEvent];
        const more = store.append(stream, 'none', [newEvent('A'), ...most]);
        await expect(more).rejects.toBeInstanceOf(AppendTooLarge);
        await expect(more).rejects.toThrow('has 2001 events, more than the limit of 2000');
        expect(await store.readStream(stream)).toEqual([]);
        expect(await store.append(stream, 'none', most)).toMatchObject({
          revision: BigInt(MAX_APPEND_EVENTS - 1),
        });
      });

      it('refuses an append whose events are too large together, and keeps none of them', async () => {
        const stream = newStream();
        const big = () => newEvent('A', { a: 'x'.repeat(MAX_EVENT_BYTES - 100) });
        const append = store.append(stream, 'none', [big(), big(), big(), big()]);
        await expect(append).rejects.toBeInstanceOf(AppendTooLarge);
        expect(await store.readStream(stream)).toEqual([]);
      });
    });
  });
};
