/** What a search works in, by slot. */
interface Work {
  readonly base: Float64Array;
}

export interface SlotPool<W extends Work> {
  /** @param slots at least so many, a multiple of 32 */
  readonly acquire: (slots: number) => W;
  /** @param slots those that were used */
  readonly release: (work: W, slots: number) => void;
}

/**
 * What searches at the same time work in: new arrays for each search would keep the garbage collector busy.
 *
 * @param make all zero, for so many slots
 * @param clear zero again, where so many slots were used
 * @param maxKept slots, of all that are kept for other searches together: as many searches as there are at once would
 *   else take memory for good
 */
export const createSlotPool = <W extends Work>(
  make: (slots: number) => W,
  clear: (work: W, slots: number) => void,
  maxKept: number,
): SlotPool<W> => {
  const free: W[] = [];
  let kept = 0;
  return {
    acquire: (slots) => {
      const last = free.pop();
      if (last === undefined) return make(slots);
      kept -= last.base.length;
      return last.base.length >= slots ? last : make(slots);
    },
    release: (work, slots) => {
      if (kept + work.base.length > maxKept) return;
      clear(work, slots);
      kept += work.base.length;
      free.push(work);
    },
  };
};
