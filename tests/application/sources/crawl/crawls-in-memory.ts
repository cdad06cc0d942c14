import { patternCompiler } from '../../../../adapters/crawler/pattern-compiler.ts';
import type { Crawl } from '../../../../application/sources/crawl/crawl-deps.ts';
import type { PendingPage } from '../../../../application/ports/crawl-frontier.ts';
import type { CrawlParameters } from '../../../../domain/ingestion-setting/index.ts';
import { crawlParameters } from '../../../support/crawl-parameters.ts';

export const START = 'https://docs.example.com/';
export const on = (path: string): string => `${START}${path}`;

/** A crawl of the third attempt of its job, whose documents are named by their locators. */
export const crawlOf = (more: Partial<CrawlParameters> = {}): Crawl => {
  const parameters = crawlParameters(more);
  return {
    job: { state: { attempt: 3 } },
    documents: { idOf: (locator: string) => `id of ${locator}` },
    parameters,
    spellings: { of: (url: URL) => url, look: async () => {}, twinOf: () => null },
    passesContent: patternCompiler.contentFilter(parameters.contentPattern),
    followsLinks: true,
    scope: {
      start: new URL(START),
      maxDepth: parameters.maxDepth,
      maxFiles: parameters.maxNumFiles,
      passesPath: patternCompiler.pathFilter(parameters.pathFilters),
      fileExtensions: parameters.fileExtensions,
    },
  } as unknown as Crawl;
};

export const pending = (path: string, more: Partial<PendingPage> = {}): PendingPage => ({
  url: on(path),
  depth: 1,
  links: [],
  ...more,
});
