import type { Service } from '../../tests/support/service.ts';
import { median } from '../measuring/side-by-side.ts';

/** Requests per second, sent on time however slow the answers are. */
const CONTENTS_PER_S = 40;
const SEARCHES_PER_S = 10;

interface Latencies {
  readonly requests: number;
  readonly p50_ms: number;
  readonly max_ms: number;
}
export interface Answered {
  readonly contents: Latencies;
  readonly searches: Latencies;
}

/** Reads contents and searches until `work` is done. @throws when a request is not answered with 200 */
export const whileAnswering = async (
  service: Service,
  word: string,
  work: () => Promise<unknown>,
): Promise<Answered> => {
  const ids = await someContents(service, word);
  const contents = startSending(CONTENTS_PER_S, (nth) =>
    service.api('GET', `/contents/${ids[nth % ids.length]}`),
  );
  const searches = startSending(SEARCHES_PER_S, (nth) =>
    service.api('POST', '/search', { query: `${word} ${nth}`, limit: 10 }),
  );
  try {
    await work();
  } finally {
    contents.stop();
    searches.stop();
  }
  return { contents: await contents.latencies(), searches: await searches.latencies() };
};

const someContents = async (service: Service, query: string): Promise<readonly string[]> => {
  const { body } = await service.api('POST', '/search', { query, limit: 100 });
  return body.results.map(({ content }: { readonly content: { readonly id: string } }) => content.id);
};

const startSending = (perSecond: number, send: (nth: number) => Promise<{ readonly status: number }>) => {
  const sent: Promise<number>[] = [];
  const one = async (nth: number): Promise<number> => {
    const begun = performance.now();
    const { status } = await send(nth);
    if (status !== 200) throw new Error(`a request was answered with ${status}`);
    return performance.now() - begun;
  };
  const timer = setInterval(() => {
    const answer = one(sent.length);
    // Told when the latencies are asked for.
    answer.catch(() => {});
    sent.push(answer);
  }, 1000 / perSecond);
  return {
    stop: () => clearInterval(timer),
    latencies: async (): Promise<Latencies> => {
      const all = await Promise.all(sent);
      const rounded = (ms: number): number => Math.round(ms * 10) / 10;
      return { requests: all.length, p50_ms: rounded(median(all)), max_ms: rounded(Math.max(...all)) };
    },
  };
};
