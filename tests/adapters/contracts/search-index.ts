import { afterAll, beforeAll, describe } from 'vitest';
import { languageContract } from './search-index-languages.ts';
import { filtersContract } from './search-index-filters.ts';
import { rankingContract } from './search-index-ranking.ts';
import { vocabularyContract, raritiesContract, spellingContract } from './search-index-vocabulary.ts';
import { writingContract } from './search-index-writing.ts';
import type { OpenedEngine } from './search-index-world.ts';

/** Every promise of the ports `WordIndex` and `SearchEngineWriter`, for any engine, whatever its formula. */
export const searchIndexContract = (name: string, open: () => Promise<OpenedEngine>): void => {
  describe(`${name} as a search index`, { timeout: 120_000 }, () => {
    let opened: OpenedEngine;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());

    const world = () => opened;
    writingContract(world);
    rankingContract(world);
    filtersContract(world);
    vocabularyContract(world);
    spellingContract(world);
    raritiesContract(world);
  });
  languageContract(name, open);
};
