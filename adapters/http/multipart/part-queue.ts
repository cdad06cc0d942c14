/** What one side puts in as it comes, and the other takes one by one. */
export interface PartQueue<Part> {
  readonly put: (part: Part) => void;
  readonly end: () => void;
  /** Those that wait are dropped. */
  readonly fail: (error: unknown) => void;
  /** Calls `goOn`, one at a time, as soon as no more than a few wait: at once, or when one of them is taken. */
  readonly room: (goOn: () => void) => void;
  readonly parts: AsyncIterable<Part>;
}

/** Small files lie in memory while they wait. */
const FEW = 4;

export const createPartQueue = <Part>(): PartQueue<Part> => {
  let waiting: Part[] = [];
  let over = false;
  let failed: { readonly error: unknown } | undefined;
  let wake = (): void => {};
  let makeRoom = (): void => {};
  async function* parts(): AsyncGenerator<Part> {
    for (;;) {
      if (failed !== undefined) throw failed.error;
      const next = waiting.shift();
      if (waiting.length <= FEW) {
        const goOn = makeRoom;
        makeRoom = () => {};
        goOn();
      }
      if (next !== undefined) yield next;
      else if (over) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  return {
    put: (part) => {
      waiting.push(part);
      wake();
    },
    end: () => {
      over = true;
      wake();
    },
    fail: (error) => {
      waiting = [];
      failed ??= { error };
      wake();
    },
    room: (goOn) => {
      if (waiting.length <= FEW) goOn();
      else makeRoom = goOn;
    },
    parts: parts(),
  };
};
