// The loop of an agent run as the program has it, with the same model and the same tools on offer, that keeps nothing.
// Takes the address of the model; then, for each message, does so many runs and tells the milliseconds.
import { executorOver, runToDo } from './loop-alone.ts';

interface Given {
  readonly baseUrl: string;
}
interface Asked {
  readonly runs: number;
  readonly atOnce: number;
}

process.once('message', (given: Given) => {
  const executor = executorOver(given.baseUrl);
  const never = new AbortController().signal;
  process.on('message', ({ runs, atOnce }: Asked) => {
    void (async () => {
      const begun = performance.now();
      let left = runs;
      const lane = async (): Promise<void> => {
        while (left-- > 0) await executor.execute(runToDo(`Question ${left}?`), async () => {}, never);
      };
      await Promise.all(Array.from({ length: atOnce }, lane));
      process.send?.({ ms: performance.now() - begun });
    })();
  });
  process.send?.({});
});
process.on('disconnect', () => process.exit());
