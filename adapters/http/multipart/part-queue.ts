/** What one side puts in as it comes, and the other takes one by one. */
export interface PartQueue<Part> {
  readonly put: (part: Part) => void;
  readonly end: () => void;
  /** Those that wait are dropped. */
  readonly fail: (error: unknown) => void;
  readonly parts: AsyncIterable<Part>;
}

export const createPartQueue = <Part>(): PartQueue<Part> => {
  let waiting: Part[] = [];
  let over = false;
  let failed: { readonly error: unknown } | undefined;
  let wake = (): void => {};
  async function* parts(): AsyncGenerator<Part> {
    for (;;) {
      if (failed !== undefined) throw failed.error;
      const next = waiting.shift();
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
    parts: parts(),
  };
};
