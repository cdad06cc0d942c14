import {
  type SearchableSource,
  type SearchEngineIndexes,
  SearchEngineUnavailable,
} from '../../../application/ports/search-engine.ts';

/** Indexes of a search engine in memory; `writes` counts the sources that were written. */
export const createMemoryIndexes = () => {
  const indexes = new Map<string, { sources: Map<string, SearchableSource>; position: string | null }>();
  const named = (index: string) => {
    const found = indexes.get(index);
    if (found === undefined) throw new SearchEngineUnavailable(`the index ${index} is lost`);
    return found;
  };
  let writes = 0;
  const port: SearchEngineIndexes = {
    create: async (index) => void indexes.set(index, { sources: new Map(), position: null }),
    drop: async (index) => void indexes.delete(index),
    writer: (index) => ({
      replace: async (sources) => {
        for (const source of sources) {
          writes += 1;
          const known = named(index).sources.get(source.id);
          if (known === undefined || known.revision <= source.revision)
            named(index).sources.set(source.id, source);
        }
      },
      removeDataSource: async (_, id) => {
        const { sources } = named(index);
        for (const source of sources.values()) if (source.dataSourceId === id) sources.delete(source.id);
      },
    }),
    keepPosition: async (index, position) => void (named(index).position = position),
    position: async (index) => indexes.get(index)?.position ?? null,
  };
  return {
    port,
    writes: () => writes,
    names: () => [...indexes.keys()],
    /** Contents by id, as they would be found. */
    contents: (index: string) =>
      new Map(
        [...named(index).sources.values()].flatMap(({ contents, title }) =>
          contents.map(({ id, ...of }) => [id, { title, ...of }] as const),
        ),
      ),
  };
};
