import type { CarriedTag } from '../../../adapters/memory/searchable-contents.ts';
import { createMemorySearchIndex } from '../../../adapters/memory/search-index.ts';
import { searchIndexContract } from '../contracts/search-index.ts';
import { exactRankingContract } from '../contracts/search-index-exact.ts';
import { idOf, type OpenSearchIndex } from '../contracts/search-index-world.ts';

const open = async (): Promise<OpenSearchIndex> => {
  const tags = new Map<string, CarriedTag[]>();
  const index = createMemorySearchIndex((_, group) => tags.get(group) ?? []);
  return {
    index,
    writer: index,
    tag: async (tenant, name, group) => {
      tags.set(group, [...(tags.get(group) ?? []), { id: idOf(`${tenant} tag ${name}`), name }]);
    },
    close: async () => {},
  };
};

searchIndexContract('memory', open);
exactRankingContract('memory', open);
