import type {
  SearchEngineIndexes,
  SearchEngineWriter,
  SearchableSource,
} from '../../application/ports/search-engine.ts';
import { writeDocuments } from './bulk.ts';
import type { OpenSearch } from './connection.ts';
import { contentDocuments, type Document, removedDocument, sourceDocument, versionOf } from './documents.ts';
import { indexBody, type IndexSettings } from './index-body.ts';
import type { Query } from './metadata.ts';
import { vectorMapping } from './vector-fields.ts';

export interface IndexesOptions extends IndexSettings {
  /** The names of indexes in the cluster begin with it. */
  readonly prefix: string;
}

/** The name of an index in the cluster. */
export const nameIn = (prefix: string, index: string): string => `${prefix}-${index}`;

/** Writes go by this name: where the index was lost they fail, and make no other one. */
const aliasOf = (name: string): string => `${name}-written`;

const NOT_FOUND = 404;
const POSITION = 'position';
/** Documents that one request deletes: a few seconds. */
const AT_ONCE = 10_000;

export const createSearchEngineIndexes = (
  engine: OpenSearch,
  { prefix, ...settings }: IndexesOptions,
): SearchEngineIndexes => {
  const pathOf = (index: string): string => `/${nameIn(prefix, index)}`;
  const drop = async (index: string): Promise<void> => {
    await engine.ask({ method: 'DELETE', path: pathOf(index), takes: [NOT_FOUND], isPatient: true });
  };
  return {
    create: async (index) => {
      // Of two patterns that fit a name the longer counts.
      const template = {
        index_patterns: [`${prefix}-*`],
        priority: prefix.length,
        template: indexBody(settings),
      };
      const isPatient = true;
      await engine.ask({ method: 'PUT', path: `/_index_template/${prefix}`, body: template, isPatient });
      await drop(index);
      const aliases = { [aliasOf(nameIn(prefix, index))]: {} };
      await engine.ask({ method: 'PUT', path: pathOf(index), body: { aliases }, isPatient });
    },
    drop,
    writer: (index) => createWriter(engine, aliasOf(nameIn(prefix, index))),
    keepPosition: async (index, position) => {
      const path = `/${aliasOf(nameIn(prefix, index))}/_doc/${POSITION}`;
      const query = { routing: POSITION, require_alias: true };
      await engine.ask({ method: 'PUT', path, query, body: { position }, isPatient: true });
    },
    position: async (index) => {
      const { body } = await engine.ask<{ readonly _source?: { readonly position: string } }>({
        method: 'GET',
        path: `${pathOf(index)}/_doc/${POSITION}`,
        query: { routing: POSITION },
        takes: [NOT_FOUND],
      });
      const { _source: kept } = body;
      return kept?.position ?? null;
    },
  };
};

/**
 * A source has a document of its own, by whose version the index refuses states that are older than the one it has, and
 * one for each content. Contents of an older state are deleted once those of the new one are there.
 *
 * Several writers may write at once: each looks after its contents are there whether the source is still of its state,
 * or its data source was removed. Whoever is later to write contents or the document that says so, deletes them.
 */
const createWriter = (engine: OpenSearch, index: string): SearchEngineWriter => {
  const refresh = async (): Promise<void> => {
    await engine.ask({ method: 'POST', path: `/${index}/_refresh`, isPatient: true });
  };
  /** What is found by the query when the call begins. A document that is written meanwhile stays. */
  const remove = async (tenant: string, filter: readonly Query[]): Promise<void> => {
    let deleted = AT_ONCE;
    while (deleted === AT_ONCE) {
      const { body } = await engine.ask<{ readonly deleted: number }>({
        method: 'POST',
        path: `/${index}/_delete_by_query`,
        query: { routing: tenant, conflicts: 'proceed', refresh: true, max_docs: AT_ONCE },
        body: { query: { bool: { filter: [{ term: { _routing: tenant } }, ...filter] } } },
        isPatient: true,
      });
      ({ deleted } = body);
    }
  };
  /** Those of documents as they are now, searchable or not; null for one that is not there. */
  const versionsOf = async (documents: readonly Document[]): Promise<readonly (number | null)[]> => {
    const { body } = await engine.ask<{ readonly docs: readonly { readonly _version?: number }[] }>({
      method: 'POST',
      path: `/${index}/_mget`,
      query: { _source: false },
      body: { docs: documents.map(({ id, routing }) => ({ _id: id, routing })) },
      isPatient: true,
    });
    return body.docs.map(({ _version: version }) => version ?? null);
  };
  const fields = new Set<string>();
  const prepareFields = async (sources: readonly SearchableSource[]): Promise<void> => {
    const missing = [...vectorMapping(sources)].filter(([name]) => !fields.has(name));
    if (missing.length === 0) return;
    const body = { properties: { vectors: { properties: Object.fromEntries(missing) } } };
    await engine.ask({ method: 'PUT', path: `/${index}/_mapping`, body, isPatient: true });
    for (const [name] of missing) fields.add(name);
  };
  return {
    replace: async (sources) => {
      // Of several states of a source in one call the newest.
      const newest = new Map<string, SearchableSource>();
      for (const source of sources.toSorted((a, b) => versionOf(a) - versionOf(b)))
        newest.set(`${source.tenant} ${source.id}`, source);
      const all = [...newest.values()];
      if (all.length === 0) return;
      const known = await writeDocuments(engine, index, all.map(sourceDocument));
      const current = all.filter((_, i) => known[i] !== 'stale');
      await prepareFields(current);
      await writeDocuments(engine, index, current.flatMap(contentDocuments));
      await refresh();
      const versions = await versionsOf([...all.map(sourceDocument), ...all.map(removed)]);
      const outdated = all.flatMap((source, i) => {
        const isRemoved = versions[all.length + i] !== null;
        const version = isRemoved ? Infinity : (versions[i] ?? Infinity);
        const isFirst = known[i] === 'created' && version === versionOf(source);
        return isFirst ? [] : [{ source, version: version }];
      });
      for (const [tenant, of] of Map.groupBy(outdated, ({ source }) => source.tenant))
        await remove(tenant, [{ bool: { should: of.map(olderThan), minimum_should_match: 1 } }]);
    },
    removeDataSource: async (tenant, dataSourceId) => {
      await writeDocuments(engine, index, [removedDocument(tenant, dataSourceId)]);
      await refresh();
      await remove(tenant, [{ term: { group: dataSourceId } }]);
    },
  };
};

const removed = ({ tenant, dataSourceId }: SearchableSource): Document =>
  removedDocument(tenant, dataSourceId);

const olderThan = ({
  source,
  version,
}: {
  readonly source: SearchableSource;
  readonly version: number;
}): Query => ({
  bool: {
    filter: [
      { term: { source: source.id } },
      ...(version === Infinity ? [] : [{ range: { revision: { lt: version } } }]),
    ],
  },
});
