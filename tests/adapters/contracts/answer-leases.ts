import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnswerLeases } from '../../../application/ports/leases.ts';

export interface OpenAnswerHolds {
  readonly answerLeases: AnswerLeases;
  readonly close: () => Promise<void>;
}

const LONG = 3_600_000;

/** Every promise of the `AnswerLeases` port, for any adapter. */
export const answerLeasesContract = (name: string, open: () => Promise<OpenAnswerHolds>): void => {
  describe(`${name} as holds of answers`, () => {
    let opened: OpenAnswerHolds;
    let answerLeases: AnswerLeases;
    beforeAll(async () => {
      opened = await open();
      answerLeases = opened.answerLeases;
    });
    afterAll(() => opened?.close());

    it('hold an answer, and no other one, until it is released', async () => {
      const [one, other] = [randomUUID(), randomUUID()];
      expect(await answerLeases.isHeld(one)).toBe(false);
      await answerLeases.hold(one, LONG);
      expect([await answerLeases.isHeld(one), await answerLeases.isHeld(other)]).toEqual([true, false]);
      await answerLeases.release(one);
      expect(await answerLeases.isHeld(one)).toBe(false);
      await answerLeases.release(other);
    });

    it('are free where all their processes are known to be dead', async () => {
      const one = randomUUID();
      await answerLeases.hold(one, LONG);
      await answerLeases.takeOver();
      expect(await answerLeases.isHeld(one)).toBe(false);
    });

    it('run out, and go on where they are renewed', async () => {
      const one = randomUUID();
      await answerLeases.hold(one, 0);
      expect(await answerLeases.isHeld(one)).toBe(false);
      await answerLeases.hold(one, LONG);
      await answerLeases.hold(one, 2 * LONG);
      expect(await answerLeases.isHeld(one)).toBe(true);
    });
  });
};
