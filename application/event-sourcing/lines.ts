/** Lines of those who want their turn: one at a time per key, first come, first served. */
export interface Lines<Offer, Answer> {
  /**
   * Resolves with the caller's turn, or with the answer to its offer where somebody before it has given that.
   *
   * @param limit asked for only where there is something to wait for
   * @throws what the limit aborted with, while the caller waited
   */
  readonly join: (key: string, offer: Offer, limit: () => AbortSignal) => Promise<Served<Offer, Answer>>;
}

export type Served<Offer, Answer> =
  | { readonly turn: Turn<Offer, Answer> }
  /** Throws where the answer is a failure. */
  | { readonly answer: () => Answer };

export interface Turn<Offer, Answer> {
  /** Who waits now, eldest first. */
  readonly behind: () => readonly Waiting<Offer, Answer>[];
  /** Must be called, once. */
  readonly end: () => void;
}

/** Somebody who waits, in the hands of whoever has the turn. */
export interface Waiting<Offer, Answer> {
  readonly offer: Offer;
  /** From now on it does not give up, until it is answered or let go. */
  readonly hold: () => void;
  /** It waits on, at its place; it leaves if its limit has passed meanwhile. */
  readonly letGo: () => void;
  readonly answer: (give: () => Answer) => void;
}

interface InLine<Offer, Answer> extends Waiting<Offer, Answer> {
  readonly begin: () => void;
}

export const createLines = <Offer, Answer>(): Lines<Offer, Answer> => {
  /** Those who wait, eldest first; a key that is here is taken. */
  const lines = new Map<string, Set<InLine<Offer, Answer>>>();

  const turnIn = (key: string, line: Set<InLine<Offer, Answer>>): Turn<Offer, Answer> => ({
    behind: () => [...line],
    end: () => {
      const [next] = line;
      if (next === undefined) lines.delete(key);
      else next.begin();
    },
  });

  const wait = (key: string, line: Set<InLine<Offer, Answer>>, offer: Offer, signal: AbortSignal) =>
    new Promise<Served<Offer, Answer>>((resolve, reject) => {
      let isHeld = false;
      const leave = (): void => {
        line.delete(waiting);
        signal.removeEventListener('abort', giveUp);
      };
      const giveUp = (): void => {
        if (isHeld) return;
        leave();
        reject(signal.reason as Error);
      };
      const waiting: InLine<Offer, Answer> = {
        offer,
        hold: () => void (isHeld = true),
        letGo: () => {
          isHeld = false;
          if (signal.aborted) giveUp();
        },
        begin: () => {
          leave();
          resolve({ turn: turnIn(key, line) });
        },
        answer: (give) => {
          leave();
          resolve({ answer: give });
        },
      };
      if (signal.aborted) return giveUp();
      line.add(waiting);
      signal.addEventListener('abort', giveUp);
    });

  return {
    join: async (key, offer, limit) => {
      const line = lines.get(key);
      if (line !== undefined) return wait(key, line, offer, limit());
      const own = new Set<InLine<Offer, Answer>>();
      lines.set(key, own);
      return { turn: turnIn(key, own) };
    },
  };
};
