import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXTRACTION_LIMITS } from '../../../adapters/extraction/document-reader.ts';
import { type Task, isSmall, takeShare } from '../../../adapters/extraction/process/messages.ts';

const task = fc
  .record({
    id: fc.nat(),
    bytes: fc.constantFrom(100, 100, 100, 10_000_000),
    attempts: fc.constantFrom(0, 0, 0, 1),
    abandoned: fc.constantFrom(false, false, true),
  })
  .map(({ bytes, ...rest }): Task => ({
    ...rest,
    request: { file: '/x', bytes, limits: EXTRACTION_LIMITS },
    settle: () => {},
    fail: () => {},
  }));

describe('the share of a reader', () => {
  it('keeps the order, loses nobody who waits, and takes no abandoned task', () => {
    fc.assert(
      fc.property(
        fc.array(task),
        fc.array(task, { maxLength: 8 }),
        fc.integer({ min: 1, max: 4 }),
        (queue, held, readers) => {
          const waiting = [...queue];
          const share = takeShare(waiting, held, readers);
          const alive = queue.filter((each) => !each.abandoned);
          expect([...share, ...waiting.filter((each) => !each.abandoned)]).toEqual(alive);
          expect(share.some((each) => each.abandoned)).toBe(false);
        },
      ),
    );
  });

  it('puts nothing behind a large or repeated document, and no such document behind another', () => {
    fc.assert(
      fc.property(fc.array(task), fc.array(task, { maxLength: 8 }), (queue, held) => {
        const together = [...held, ...takeShare([...queue], held, 1)];
        expect(together.length <= held.length || together.length === 1 || together.every(isSmall)).toBe(true);
        expect(together.length).toBeLessThanOrEqual(8);
      }),
    );
  });

  it('leaves some to the other readers', () => {
    const small = fc
      .sample(task, 50)
      .map((each) => ({ ...each, attempts: 0, abandoned: false, request: { ...each.request, bytes: 1 } }));
    expect(takeShare(small.slice(0, 6), [], 2)).toHaveLength(3);
    expect(takeShare(small.slice(0, 50), [], 2)).toHaveLength(8);
  });
});
