import { memoryOfTree, processorTimeOfTree } from '../measuring/processor-time.ts';
import { startOpenSearch } from '../../tests/support/opensearch/node.ts';

/** A passage as the program has it, so that all sides search the same ones. */
export interface Passage {
  readonly title: string;
  readonly url: string;
  readonly text: string;
  /** What a filter asks for: the number of the group. */
  readonly group: number;
}

/** A node with 1 GB for itself, as servers run Java. */
export const openNode = async (cleanup: AsyncDisposableStack) => {
  const { url, pid, close } = await startOpenSearch(['-Xms1g', '-Xmx1g']);
  cleanup.defer(close);
  return { url, pid };
};

const INDEX = 'passages';
/** Passages of one request. */
const BATCH = 1_000;

/** OpenSearch as it comes: two fields of English, which a search asks for both, 20 hits with their texts. */
export const fillOpenSearch = async (url: string, passages: readonly Passage[]) => {
  const english = { type: 'text', analyzer: 'english' };
  const properties = { title: english, text: english, url: { type: 'keyword' }, group: { type: 'keyword' } };
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  await send(url, 'PUT', `/${INDEX}`, JSON.stringify({ settings, mappings: { properties } }));
  const begun = performance.now();
  for (let i = 0; i < passages.length; i += BATCH) {
    const lines = passages.slice(i, i + BATCH).map((one) => `{"index":{}}\n${JSON.stringify(one)}\n`);
    const { errors } = await send(url, 'POST', `/${INDEX}/_bulk`, lines.join(''));
    if (errors) throw new Error('OpenSearch did not take all passages');
  }
  await send(url, 'POST', `/${INDEX}/_refresh`);
  const ms = performance.now() - begun;
  await send(url, 'POST', `/${INDEX}/_forcemerge?max_num_segments=1`);
  return { ms };
};

/** @param group of the filter; none without it */
export const openSearchRequest = (query: string, group?: number) => {
  const match = { multi_match: { query, fields: ['title', 'text'], type: 'most_fields' } };
  const filter = group === undefined ? [] : [{ term: { group } }];
  const body = { size: 20, query: { bool: { must: [match], filter } } };
  return { path: `/${INDEX}/_search`, body: JSON.stringify(body) };
};

/** Bytes of all indexes of a node. */
export const bytesOf = async (url: string): Promise<number> => {
  const indices = await send(url, 'GET', '/_cat/indices?format=json&bytes=b');
  return indices.reduce((sum: number, of: Record<string, string>) => sum + Number(of['store.size']), 0);
};

// oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
const send = async (url: string, method: string, path: string, body?: string): Promise<any> => {
  const headers = { 'content-type': 'application/x-ndjson' };
  const json = { 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, {
    method,
    headers: path.endsWith('_bulk') ? headers : json,
    ...(body !== undefined && { body }),
  });
  if (!response.ok) throw new Error(`OpenSearch answered ${response.status}: ${await response.text()}`);
  return response.json();
};

/** Processor seconds and megabytes of some processes and all below them. */
export const usageOf = (pids: readonly number[]) => ({
  seconds: (): number => pids.reduce((sum, pid) => sum + (processorTimeOfTree(pid) ?? 0), 0),
  megabytes: (): number =>
    Math.round(
      pids.flatMap((pid) => Object.values(memoryOfTree(pid) ?? {})).reduce((sum, of) => sum + of, 0),
    ),
});
