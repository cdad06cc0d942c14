import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnswerHolds } from '../../../application/ports/leases.ts';

export interface OpenAnswerHolds {
  readonly holds: AnswerHolds;
  readonly close: () => Promise<void>;
}

const LONG = 3_600_000;

/** Every promise of the `AnswerHolds` port, for any adapter. */
export const answerHoldsContract = (name: string, open: () => Promise<OpenAnswerHolds>): void => {
  describe(`${name} as holds of answers`, () => {
    let opened: OpenAnswerHolds;
    let holds: AnswerHolds;
    beforeAll(async () => {
      opened = await open();
      holds = opened.holds;
    });
    afterAll(() => opened?.close());

    it('hold an answer, and no other one, until it is released', async () => {
      const [one, other] = [randomUUID(), randomUUID()];
      expect(await holds.isHeld(one)).toBe(false);
      await holds.hold(one, LONG);
      expect([await holds.isHeld(one), await holds.isHeld(other)]).toEqual([true, false]);
      await holds.release(one);
      expect(await holds.isHeld(one)).toBe(false);
      await holds.release(other);
    });

    it('run out, and go on where they are renewed', async () => {
      const one = randomUUID();
      await holds.hold(one, 0);
      expect(await holds.isHeld(one)).toBe(false);
      await holds.hold(one, LONG);
      await holds.hold(one, 2 * LONG);
      expect(await holds.isHeld(one)).toBe(true);
    });
  });
};
