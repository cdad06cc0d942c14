import type { Worker } from 'node:worker_threads';

const TURNS = 4;

/**
 * Calls `passed` once when the time for a question is over, unless the returned function was called before. A
 * thread that has had less than half of `deadlineMs` in processor time by then, since the machine is busy, gets
 * another turn, up to four: a load from elsewhere must not make a rule too costly. So an answer that came while
 * this thread was busy counts as well.
 */
export function startDeadline(worker: Worker, deadlineMs: number, passed: () => void): () => void {
  const begun = processorTime(worker);
  let turns = 0;
  let cancelled = false;
  let timer: NodeJS.Timeout | undefined;
  const turn = (): void => {
    timer = setTimeout(() => void check(), deadlineMs);
  };
  const over = (): void => {
    cancelled = true;
    passed();
  };
  const check = async (): Promise<void> => {
    if (cancelled) return;
    // a thread that does not even tell its time gets no more of it
    timer = setTimeout(over, deadlineMs);
    const used = (await processorTime(worker)) - (await begun);
    if (cancelled) return;
    clearTimeout(timer);
    turns += 1;
    if (turns < TURNS && used < deadlineMs / 2) turn();
    else over();
  };
  turn();
  return () => {
    cancelled = true;
    clearTimeout(timer);
  };
}

/** Processor time that a thread has used, in milliseconds; NaN when it has ended. */
async function processorTime(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return Number.NaN;
  }
}
