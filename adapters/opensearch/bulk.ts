import { SearchEngineUnavailable } from '../../application/ports/search-engine.ts';
import { type OpenSearch, refusedBy } from './connection.ts';
import type { Document } from './documents.ts';

/** Documents of one request, and their size in UTF-16 units: some megabytes. */
const [MOST, LARGEST] = [1_000, 4_000_000];
const TOO_OLD = 409;
const BUSY = 429;

/** What became of a document: `stale` was refused, since the index has a newer one. */
export type Written = 'created' | 'updated' | 'stale';

interface BulkAnswer {
  readonly items: readonly {
    readonly index: {
      readonly status: number;
      readonly result?: 'created' | 'updated';
      readonly error?: { readonly type: string };
    };
  }[];
}

/**
 * Writes documents by an alias; those that the cluster has no room for are sent again, later and later. A search finds them after
 * the next refresh.
 *
 * @throws SearchEngineUnavailable, OpenSearchRefusal; some documents are then written
 */
export const writeDocuments = async (
  engine: OpenSearch,
  index: string,
  documents: readonly Document[],
): Promise<readonly Written[]> => {
  const written: Written[] = [];
  for (const batch of batches(documents)) written.push(...(await writeBatch(engine, index, batch)));
  return written;
};

const writeBatch = async (
  engine: OpenSearch,
  index: string,
  batch: readonly Document[],
): Promise<readonly Written[]> => {
  const results = new Map<Document, Written>();
  for (let [attempt, left] = [1, batch]; left.length > 0; attempt += 1) {
    const { body } = await engine.ask<BulkAnswer>({
      method: 'POST',
      path: `/${index}/_bulk`,
      query: { require_alias: true },
      body: left.flatMap(({ id, routing, version, body: document }) => [
        { index: { _id: id, routing, version, version_type: 'external_gte' } },
        document,
      ]),
      isPatient: true,
    });
    const busy: Document[] = [];
    for (const [i, { index: item }] of body.items.entries()) {
      const document = left[i]!;
      if (item.status === BUSY || item.status >= 500) busy.push(document);
      else if (item.status === TOO_OLD) results.set(document, 'stale');
      else if (item.result === undefined) throw refusedBy(item.status, item.error?.type ?? '');
      else results.set(document, item.result);
    }
    left = busy;
    if (left.length === 0) break;
    const delay = engine.backOff(attempt);
    if (delay === null) throw new SearchEngineUnavailable('OpenSearch has no room for writes');
    await engine.sleep(delay);
  }
  return batch.map((document) => results.get(document)!);
};

const batches = (documents: readonly Document[]): readonly (readonly Document[])[] => {
  const all: Document[][] = [];
  let size = Infinity;
  for (const document of documents) {
    const length = JSON.stringify(document.body).length;
    if (size + length > LARGEST || all.at(-1)!.length === MOST) {
      all.push([]);
      size = 0;
    }
    all.at(-1)!.push(document);
    size += length;
  }
  return all;
};
