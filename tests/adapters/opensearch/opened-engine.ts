import { randomUUID } from 'node:crypto';
import { createOpenSearch } from '../../../adapters/opensearch/connection.ts';
import type { IndexSettings } from '../../../adapters/opensearch/index-body.ts';
import { createSearchEngineIndexes } from '../../../adapters/opensearch/indexes.ts';
import { createOpenSearchEngine } from '../../../adapters/opensearch/search-engine.ts';
import type { ContentRecord, TagFilter } from '../../../application/ports/catalog.ts';
import { idOf, type OpenedEngine } from '../contracts/search-index-world.ts';

/** An engine with an empty index of its own, and the facts that the catalog would tell it. */
/** @param prefix of its names in the cluster */
export const openEngine = async (
  url: string,
  prefix = `test-${randomUUID()}`,
  settings: IndexSettings = {},
) => {
  const engine = createOpenSearch({ address: { nodes: [url] } });
  const indexes = createSearchEngineIndexes(engine, { prefix, replicas: 0, ...settings });
  await indexes.create('v1');
  const hidden = { hiddenDataSources: [] as string[], hiddenSources: [] as string[] };
  const groups = new Map<string, { readonly id: string; readonly of: Set<string> }>();
  const tagged = ({ names, ids, logic }: TagFilter, tenant: string): readonly string[] => {
    const asked = [...names.map((name) => `${tenant} ${name}`), ...ids];
    const found = asked.map(
      (tag) =>
        groups.get(tag)?.of ?? [...groups.values()].find(({ id }) => id === tag)?.of ?? new Set<string>(),
    );
    const all = [...new Set(found.flatMap((of) => [...of]))];
    return logic === 'OR' ? all : all.filter((group) => found.every((of) => of.has(group)));
  };
  const records = new Map<string, ContentRecord>();
  const { words, vectors } = createOpenSearchEngine(engine, {
    prefix,
    contentsById: async (_, ids) => ids.flatMap((id) => records.get(id) ?? []),
    readScope: async (tenant, tags) => ({
      index: 'v1',
      position: `${written}`,
      ...hidden,
      ...(tags !== undefined && { tagged: tagged(tags, tenant) }),
    }),
  });
  const { replace, removeDataSource } = indexes.writer('v1');
  let written = 0;
  const opened: OpenedEngine = {
    index: words,
    // As a projector: the view has read further when a write has returned.
    writer: {
      replace: async (sources) => {
        await replace(sources);
        for (const { contents, ...source } of sources)
          for (const content of contents)
            records.set(content.id, {
              ...source,
              ...content,
              sourceId: source.id,
              sourceGroupId: source.dataSourceId,
              keywords: [],
            });
        written += 1;
      },
      removeDataSource: async (tenant, dataSourceId) => {
        await removeDataSource(tenant, dataSourceId);
        written += 1;
      },
    },
    tag: async (tenant, name, dataSourceId) => {
      const key = `${tenant} ${name}`;
      const tag = groups.get(key) ?? { id: idOf(`${tenant} tag ${name}`), of: new Set() };
      tag.of.add(dataSourceId);
      groups.set(key, tag);
    },
    close: async () => {
      await indexes.drop('v1');
      await engine.ask({ method: 'DELETE', path: `/_index_template/${prefix}` });
      await engine.close();
    },
  };
  return { ...opened, cluster: engine, indexes, hidden, vectors, prefix };
};
