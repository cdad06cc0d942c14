/**
 * The least of the `limit` highest of many scores that are offered one by one; -Infinity until there are as many. Keeps
 * a binary heap of that many, in which no score is above those at 2i+1 and 2i+2.
 */
export const createBestScores = (limit: number) => {
  const heap = new Float64Array(limit).fill(Number.NEGATIVE_INFINITY);
  const sink = (score: number): void => {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child += 1;
      if ((heap[child] as number) >= score) break;
      heap[at] = heap[child] as number;
      at = child;
    }
    heap[at] = score;
  };
  return {
    offer: (score: number): void => {
      if (score > (heap[0] as number)) sink(score);
    },
    least: (): number => heap[0] ?? Number.NEGATIVE_INFINITY,
  };
};
