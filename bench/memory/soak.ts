import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../../tests/support/service.ts';
import type { Bench } from '../bench.ts';
import { memoryOfTree, processorTimeOfTree } from '../measuring/processor-time.ts';
import { randomNumbers, word } from '../measuring/words.ts';

const DOCUMENTS = 200;
const WORDS = 120;
const VOCABULARY = 30_000;
/** Milliseconds between two of each. */
const EVERY = { replacement: 250, search: 500, completion: 2_500 };
const [WINDOWS, WINDOW_MS] = [10, 4 * 60_000];

/** A small collection that changes all the time, for 40 minutes: neither memory nor time may grow. */
export const soakBench: Bench = {
  name: 'soak',
  needs: [],
  measure: async function* measure({ quick, cleanup, profiling }) {
    const service = await startService({ ...profiling.env, KNOWLEDGER_LOG_LEVEL: 'warn' });
    cleanup.defer(() => service.dispose());
    const root = service.child.pid as number;
    const random = randomNumbers(35);
    const words = (count: number): string =>
      Array.from({ length: count }, () => word(Math.floor(random() * VOCABULARY))).join(' ');
    const post = async (path: string, body?: object) => {
      const { status, body: answer } = await service.api('POST', path, body);
      if (status >= 400) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(answer)}`);
      return answer;
    };
    const { id } = await post('/pushes', { name: 'changing' });
    const replace = async (nth: number): Promise<void> => {
      const { base, key } = service;
      const { status } = await fetch(`${base}/api/v1/source-groups/${id}/sources/${nth}`, {
        method: 'PUT',
        headers: { 'x-api-key': key, 'content-type': 'text/markdown' },
        body: `# ${words(4)}\n\n${words(WORDS)}`,
      });
      if (status >= 400) throw new Error(`a replacement answered ${status}`);
    };
    for (let nth = 0; nth < DOCUMENTS; nth++) await replace(nth);

    let times = { search: [] as number[], completion: [] as number[] };
    const over = new AbortController();
    const [soaked, stopped] = [Promise.withResolvers<void>(), over.signal];
    const again = async (what: keyof typeof EVERY, act: () => Promise<unknown>): Promise<void> => {
      while (!stopped.aborted) {
        const begun = performance.now();
        await act();
        if (what !== 'replacement') times[what].push(performance.now() - begun);
        await sleep(Math.max(0, begun + EVERY[what] - performance.now()));
      }
    };
    let nth = 0;
    const ask = (content: string) => ({ messages: [{ role: 'user', content }] });
    const load = Promise.all([
      again('replacement', () => replace(nth++ % DOCUMENTS)),
      again('search', () => post('/search', { query: words(3), limit: 20 })),
      again('completion', () => post('/completions', ask(words(5)))),
    ]).catch(soaked.reject);
    const first: Window[] = [];
    for (let window = 1; window <= WINDOWS; window++) {
      const before = processorTimeOfTree(root) ?? Number.NaN;
      await Promise.race([soaked.promise, sleep(quick ? 5_000 : WINDOW_MS)]);
      const [measured, memory] = [times, memoryOfTree(root) ?? {}];
      times = { search: [], completion: [] };
      const now = {
        memory: Object.values(memory).reduce((sum, of) => sum + of, 0),
        processor: (processorTimeOfTree(root) ?? Number.NaN) - before,
        search: median(measured.search),
        completion: median(measured.completion),
      };
      first.push(now);
      const then = first[0] as Window;
      const told = { measured: 'over HTTP', target: '<= 1.2 × of the first four minutes' } as const;
      const of = (what: keyof Window, unit: string) => {
        const ratio = now[what] / then[what];
        const sides = { ratio, ours: now[what], rival: then[what], unit };
        return { bench: `soak, ${what}`, ...sides, ...told, met: ratio <= 1.2, window, ...memory };
      };
      yield of('memory', 'MB of all processes');
      yield of('processor', 's of all processes');
      yield of('search', 'ms, median');
      yield of('completion', 'ms, median');
    }
    over.abort();
    await load;
  },
};

interface Window {
  readonly memory: number;
  readonly processor: number;
  readonly search: number;
  readonly completion: number;
}

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
