import { createNoteUse } from '../../../application/access/last-uses.ts';
import { describe, expect, it } from 'vitest';

const MINUTE = 60_000;

/** A process whose writes are kept, or fail. */
const setUp = (fails = false) => {
  const time = { now: 1_000 };
  const written: (readonly [string, number])[] = [];
  const warned: unknown[] = [];
  const noteUse = createNoteUse({
    lastUses: {
      used: async (id, at) => {
        written.push([id, at]);
        if (fails) throw new Error('the database is away');
      },
    },
    clock: { now: () => time.now },
    log: { warn: (...line) => void warned.push(line) },
  });
  return { time, written, warned, noteUse };
};

describe('a use', () => {
  it('is written at once, and again only after a minute', () => {
    const { time, written, noteUse } = setUp();
    for (const id of ['a', 'b', 'a']) noteUse(id);
    time.now += MINUTE - 1;
    noteUse('a');
    time.now += 1;
    noteUse('a');
    expect(written).toEqual([
      ['a', 1_000],
      ['b', 1_000],
      ['a', 1_000 + MINUTE],
    ]);
  });

  it('disturbs nobody where it cannot be written: the log says why', async () => {
    const { written, warned, noteUse } = setUp(true);
    expect(() => noteUse('a')).not.toThrow();
    await Promise.resolve();
    expect([written.length, warned]).toEqual([
      1,
      [['a use could not be noted', { error: 'the database is away' }]],
    ]);
  });
});
