import { describe, expect, it } from 'vitest';
import { tagStream } from '../../../../application/event-sourcing/streams.ts';
import { answeredBefore } from '../../../../application/sources/tags/tag-events.ts';
import type { TagEvent } from '../../../../domain/tag/decider.ts';
import { callerOf } from '../../../support/conversations.ts';
import { idOf, THERE } from '../../../support/memory-parts.ts';
import { openTags } from './tags-in-memory.ts';

const caller = callerOf('acme');
const WIKI = { name: 'wiki', description: '' };
const HOUR = 3_600_000;

/** `count` more events of a tag, written at once. */
const changed = async ({ store, codec }: ReturnType<typeof openTags>, tagId: string, count: number) => {
  const events = Array.from({ length: count }, (_, n): TagEvent => {
    return { type: 'TagChanged', tagId, name: `wiki ${n}`, description: '', at: n };
  });
  const [first, ...others] = events.map((event, n) =>
    codec.encode(event, idOf(1_000_000 + n), caller.context),
  );
  const last = (await store.readStream(tagStream('acme'))).at(-1)!.revision;
  await store.append(tagStream('acme'), last, [first!, ...others]);
};

describe('a repeated request', () => {
  it('for a tag is answered as the first was, though much has happened since', async () => {
    const open = openTags();
    const first = await open.tags.create(caller, WIKI, 'k');
    await changed(open, first.record.id, 999);
    const again = await open.tags.create(caller, WIKI, 'k');
    expect(again).toEqual({ ...first, changed: false, replayed: true });
    await open.tags.remove(caller, first.record.id);
    expect(await open.tags.create(caller, WIKI, 'k')).toEqual(again);
    await expect(open.tags.get(caller, first.record.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('for a binding is answered as the first was, and binds nothing again', async () => {
    const { bindings, tags, dataSource, stored } = openTags();
    await dataSource(idOf(1), THERE);
    const tagId = (await tags.create(caller, WIKI, undefined)).record.id;
    const request = { tagId, sourceGroupId: idOf(1) };
    const first = await bindings.bind(caller, request, 'k');
    await bindings.unbind(caller, first.record.id);
    const before = await stored(tagStream('acme'));
    // It answers as it did, so that it says "made" again.
    expect(await bindings.bind(caller, request, 'k')).toEqual({ ...first, replayed: true });
    expect(await stored(tagStream('acme'))).toEqual(before);
  });

  it('whose first try wrote nothing is done now', async () => {
    const open = openTags();
    const away = new Error('away');
    const whole = { ...open.store };
    let isAway = true;
    const append: typeof open.store.append = async (stream, ...rest) => {
      if (isAway && stream === tagStream('acme')) throw away;
      return whole.append(stream, ...rest);
    };
    Object.assign(open.store, { append });
    await expect(open.tags.create(caller, WIKI, 'k')).rejects.toThrow(away);
    isAway = false;
    expect(await open.tags.create(caller, WIKI, 'k')).toMatchObject({ changed: true, replayed: false });
  });

  it('that races with the first makes one tag', async () => {
    const { tags, stored } = openTags();
    const made = await Promise.all([1, 2].map(() => tags.create(caller, WIKI, 'k')));
    expect(made.filter(({ changed: isNew }) => isNew)).toHaveLength(1);
    expect(made[0]!.record).toEqual(made[1]!.record);
    expect(await stored(tagStream('acme'))).toHaveLength(1);
  });

  it('for another tag with the same Idempotency-Key is refused', async () => {
    const { tags } = openTags();
    await tags.create(caller, WIKI, 'k');
    const other = tags.create(caller, { ...WIKI, description: 'x' }, 'k');
    await expect(other).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });
});

describe('what a request wrote', () => {
  /** 802 events, the last two of a second tag five hours after the others, and the ranges of them that were read. */
  const setUp = async () => {
    const open = openTags();
    const { id } = (await open.tags.create(caller, WIKI, undefined)).record;
    await changed(open, id, 799);
    open.time.now += 5 * HOUR;
    const second = (await open.tags.create(caller, WIKI, undefined)).record.id;
    await open.tags.remove(caller, second);
    const ranges: unknown[] = [];
    const { execute } = open;
    const watched = Object.assign(((...of) => execute(...of)) as typeof execute, {
      load: execute.load,
      history: (...[of, stream, tenant, range]: Parameters<typeof execute.history>) => {
        ranges.push(range);
        return execute.history(of, stream, tenant, range);
      },
    });
    const ask = (of: string, since: number, type: 'TagCreated' | 'TagBound' = 'TagCreated') =>
      answeredBefore({ execute: watched }, 'acme', { type, id: of, since });
    return { ...open, id, second, ranges, ask };
  };

  it('is sought no further back than clocks may differ before its request', async () => {
    const { ranges, ask, time } = await setUp();
    const written = time.now - 5 * HOUR;
    expect(await ask(idOf(99), written + HOUR + 1)).toBeUndefined();
    expect(ranges).toHaveLength(1);
    ranges.length = 0;
    expect(await ask(idOf(99), written + HOUR)).toBeUndefined();
    expect(ranges).toHaveLength(2);
  });

  it('is nothing where there is no tag at all', async () => {
    const { execute } = openTags();
    const wanted = { type: 'TagCreated', id: idOf(1), since: 0 } as const;
    expect(await answeredBefore({ execute }, 'acme', wanted)).toBeUndefined();
  });
});
