import { setTimeout as pause } from 'node:timers/promises';
import { openPush } from '../tests/support/pushes.ts';
import { type OpenSearchNode, startOpenSearchNodes } from '../tests/support/opensearch/node.ts';
import { type Service, startService } from '../tests/support/service.ts';

const [NODES, WRITERS, SEARCHERS] = [3, 3, 4];
const FROZEN_MS = 20_000;
const WAIT_MS = 120_000;

/** A word of letters alone, different for each number. */
const wordOf = (n: number): string => `x${[...`${n}`].map((digit) => 'bcdfghklmn'[Number(digit)]).join('')}q`;

interface Searches {
  /** Answers by their status. */
  readonly statuses: Record<number, number>;
  readonly ms: number[];
  /** The longest time in which no search was answered with 200. */
  longestGapMs: number;
}
interface Noted {
  readonly faults: string[];
  /** Words that must be found, and words that must not, each from when its write was acknowledged. */
  readonly there: Set<string>;
  readonly gone: Set<string>;
  readonly waits: number[];
  readonly beside: Searches;
}

/** @returns the exit code */
export const searchNodes = async (seconds: number): Promise<number> => {
  const begun = performance.now();
  const tell = (line: string): void =>
    console.error(`${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${line}`);
  await using cleanup = new AsyncDisposableStack();
  const nodes = [...(await startOpenSearchNodes(NODES))];
  cleanup.defer(async () => void (await Promise.all(nodes.map(({ close }) => close()))));
  const service = await startService({
    OPENSEARCH_URL: nodes.map(({ url }) => url).join(),
    OPENSEARCH_REPLICAS: '1',
    KNOWLEDGER_LOG_LEVEL: 'warn',
  });
  cleanup.defer(service.dispose);
  const beside = { statuses: {}, ms: [], longestGapMs: 0 };
  const noted: Noted = { faults: [], there: new Set(), gone: new Set(), waits: [], beside };
  const over = new AbortController();
  const clients = [
    ...Array.from({ length: WRITERS }, (_, lane) => write(service, lane, noted, over.signal)),
    searchOn(service, noted, over.signal),
  ];
  const all = Promise.all(clients);
  while (noted.there.size < WRITERS) await Promise.race([all, pause(100)]);
  await Promise.race([all, disturb(nodes, (seconds * 1000) / 4, noted, tell)]);
  over.abort();
  await all;
  tell(`looking for ${noted.there.size} words, and for ${noted.gone.size} that are gone`);
  for (const word of noted.there) if ((await found(service, word, noted)) !== 1) lose(noted, word);
  for (const word of noted.gone) if ((await found(service, word, noted)) !== 0) show(noted, word);
  for (const fault of noted.faults.slice(0, 20)) console.error(fault);
  console.error(service.output());
  const [waits, ms] = [noted.waits, beside.ms].map((of) => of.map(Math.round).toSorted((a, b) => a - b));
  console.log(
    JSON.stringify({
      stress: 'search on three nodes',
      acknowledged: noted.there.size + noted.gone.size,
      wait_ms: { p50: waits![waits!.length >> 1], longest: waits!.at(-1) },
      searches: beside.statuses,
      search_ms: { p50: ms![ms!.length >> 1], longest: ms!.at(-1) },
      longest_gap_ms: Math.round(beside.longestGapMs),
      faults: noted.faults.length,
    }),
  );
  return noted.faults.length === 0 ? 0 : 1;
};

const lose = ({ faults }: Noted, word: string) => faults.push(`${word} was acknowledged and is not found`);
const show = ({ faults }: Noted, word: string) => faults.push(`${word} is gone and found`);

/** The holder of the tenant's shard is killed, and later, once all copies are there again, frozen. */
const disturb = async (
  nodes: OpenSearchNode[],
  pauseMs: number,
  noted: Noted,
  tell: (line: string) => void,
) => {
  const told = (what: string) =>
    tell(`${what}: ${noted.there.size} found, ${JSON.stringify(noted.beside.statuses)}`);
  await pause(pauseMs);
  const killed = await holder(nodes);
  told(`killing ${nodes[killed]!.url}`);
  process.kill(nodes[killed]!.pid, 'SIGKILL');
  await pause(pauseMs);
  told('it comes back');
  nodes[killed] = await nodes[killed]!.again();
  await ask(nodes[killed].url, '/_cluster/health?wait_for_status=green&timeout=60s');
  const frozen = await holder(nodes);
  told(`all copies are there; freezing ${nodes[frozen]!.url}`);
  process.kill(nodes[frozen]!.pid, 'SIGSTOP');
  await pause(FROZEN_MS);
  process.kill(nodes[frozen]!.pid, 'SIGCONT');
  told('it goes on');
  await pause(pauseMs);
  told('over');
};

const ask = async (url: string, path: string) => (await fetch(`${url}${path}`)).json();

/** The node that has the shard to which writes go. */
const holder = async (nodes: readonly OpenSearchNode[]): Promise<number> => {
  const shards = await ask(nodes[0]!.url, '/_cat/shards/knowledger-*?format=json&h=prirep,node');
  const { node } = (shards as { prirep: string; node: string }[]).find(({ prirep }) => prirep === 'p')!;
  for (const [i, { url }] of nodes.entries())
    if (((await ask(url, '/')) as { name: string }).name === node) return i;
  throw new Error(`no node is called ${node}`);
};

/** Pushes a document, and removes or replaces some; each is looked for as soon as it was acknowledged. */
const write = async (service: Service, lane: number, noted: Noted, over: AbortSignal): Promise<void> => {
  const push = await openPush(service, `Lane ${lane}`);
  for (let n = lane; !over.aborted; n += WRITERS) {
    const locator = wordOf(n);
    const put = async (word: string) => {
      const { status, headers } = await push.put(locator, `# Note ${word}\n\nCommon text about ${word}.`);
      if (status !== 200) return noted.faults.push(`PUT answered ${status}`);
      if ((await found(service, word, noted, headers.get('x-position'))) !== 1) lose(noted, word);
      return noted.there.add(word);
    };
    const goneAfter = async (word: string, position: string | null) => {
      noted.there.delete(word);
      noted.gone.add(word);
      if ((await found(service, word, noted, position)) !== 0) show(noted, word);
    };
    await put(locator);
    if (n % 5 === 1) {
      await put(wordOf(n + 1e6));
      await goneAfter(locator, null);
    }
    if (n % 5 === 2) {
      const { status, headers } = await push.remove(locator);
      if (status >= 300) noted.faults.push(`DELETE answered ${status}`);
      else await goneAfter(locator, headers.get('x-position'));
    }
  }
};

/** How many contents have the word, once the service answers with what it had at the position. */
const found = async (
  service: Service,
  query: string,
  { waits, faults }: Noted,
  position: string | null = null,
) => {
  const begun = performance.now();
  for (;;) {
    const asked = { query, mode: 'keyword' };
    const least = position === null ? {} : { 'x-min-position': position };
    const { status, body } = await service.api('POST', '/search', asked, least);
    const ms = performance.now() - begun;
    if (status === 200) {
      if (position !== null) waits.push(ms);
      return body.results.filter(({ content }: { content: { text: string } }) => content.text.includes(query))
        .length;
    }
    if (status !== 503 || ms > WAIT_MS) {
      faults.push(`${query} is not to be had: ${status}`);
      return -1;
    }
    await pause(100);
  }
};

/** Searches what all contents have, again and again. */
const searchOn = async (
  service: Service,
  { gone, beside, faults }: Noted,
  over: AbortSignal,
): Promise<void> => {
  let last = performance.now();
  const loop = async () => {
    while (!over.aborted) {
      const [begun, goneBefore] = [performance.now(), new Set(gone)];
      const { status, body } = await service.api('POST', '/search', {
        query: 'common text',
        mode: 'keyword',
      });
      const now = performance.now();
      beside.statuses[status] = (beside.statuses[status] ?? 0) + 1;
      beside.ms.push(now - begun);
      if (status === 200) {
        beside.longestGapMs = Math.max(beside.longestGapMs, now - last);
        last = now;
        for (const { content } of body.results)
          for (const word of content.text.match(/\bx\w+q\b/g) ?? [])
            if (goneBefore.has(word)) faults.push(`a search shows ${word}, which is gone`);
      } else if (status !== 503) faults.push(`a search answered ${status}`);
      await pause(20);
    }
  };
  await Promise.all(Array.from({ length: SEARCHERS }, loop));
};
