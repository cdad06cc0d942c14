import { ownMemory, processesBelow, runsPages } from './process-tree.ts';

/** Of the browser itself, beside its pages. */
const BESIDE_PAGES = 768 * 1_024 ** 2;

/**
 * Ends each process below `pid` that runs pages and takes more than `memoryBytes`: the browser lives on, and tells whose
 * it was. Answers whether all of them together take more than so many pages may, so that the browser must end.
 */
export const overfull = (pid: number, memoryBytes: number, pages: number): boolean => {
  let total = 0;
  for (const each of processesBelow(pid)) {
    const memory = ownMemory(each);
    total += memory;
    if (memory > memoryBytes && runsPages(each)) end(each);
  }
  return total > pages * memoryBytes + BESIDE_PAGES;
};

const end = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended
  }
};
