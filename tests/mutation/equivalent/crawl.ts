import type { Equivalents } from '../equivalent.ts';

const CRAWL = 'application/sources/crawl';

export const CRAWLS: readonly Equivalents[] = [
  {
    file: `${CRAWL}/admit-links.ts`,
    why: 'saves asking for each link: none is admitted that lies too deep, and how deep was looked at before',
    mutants: [
      ['depth >= crawl.scope.maxDepth', 'false'],
      ['depth >= crawl.scope.maxDepth', 'depth > crawl.scope.maxDepth'],
      ['depth + 1', 'depth - 1'],
    ],
  },
  {
    file: `${CRAWL}/commit-stage.ts`,
    why: 'each fact is answered, which the compiler is to be told',
    mutants: [['recorded[i]?.same', 'recorded[i].same']],
  },
  {
    file: `${CRAWL}/commit-stage.ts`,
    why: 'only a document that was indexed is told to be the same',
    mutants: [["page.outcome === 'indexed'", 'true']],
  },
  {
    file: `${CRAWL}/commit-stage.ts`,
    why: 'saves asking for pages that the generation knows by these very visits',
    mutants: [
      ['({ url }) => url', '() => undefined'],
      ['found.filter(({ url }) => !here.has(url))', 'found'],
    ],
  },
  {
    file: `${CRAWL}/fetch-stage.ts`,
    why: 'what is not visited for its links alone is indexed',
    mutants: [["'index'", '""']],
  },
  {
    file: `${CRAWL}/pages-to-sync.ts`,
    why: 'what was admitted is not refused, which the compiler is to be told',
    mutants: [["''", '"Stryker was here!"']],
  },
  {
    file: `${CRAWL}/reason-to-skip.ts`,
    why: 'saves putting the text together: without patterns every text passes',
    mutants: [
      ['crawl.parameters.contentPattern.length > 0', 'true'],
      ['crawl.parameters.contentPattern.length > 0', 'crawl.parameters.contentPattern.length >= 0'],
    ],
  },
  {
    file: `${CRAWL}/run-crawl.ts`,
    why: 'all that is done is done after a whole pass, one that was cut, or one of told pages',
    mutants: [["'without sitemap'", '""']],
  },
  {
    file: `${CRAWL}/run-crawl.ts`,
    why: 'a page whose scripts took too much memory has the same title',
    mutants: [
      ["['out_of_memory', 'Parser failed']", '[]'],
      ["'out_of_memory'", '""'],
    ],
  },
  {
    file: `${CRAWL}/visit-all.ts`,
    why: 'nobody waits any more for what is broken off then',
    mutants: [["'the crawl has ended'", '""']],
  },
  {
    file: `${CRAWL}/visit-of-page.ts`,
    why: 'that is no link, and leads nowhere',
    mutants: [['[]', '["Stryker was here"]']],
  },
  {
    file: `${CRAWL}/visit-of-page.ts`,
    why: 'only what was read has facts of a page, which the compiler is to be told',
    mutants: [["outcome.kind === 'document'", 'true']],
  },
  {
    file: `${CRAWL}/visit-of-page.ts`,
    why: 'a guess that costs time where it is wrong, and nothing else',
    mutants: [
      ['owed.known === undefined', 'true'],
      ['owed.known === undefined', 'false'],
      ['owed.known === undefined', 'owed.known !== undefined'],
    ],
  },
  {
    file: `${CRAWL}/visit-of-page.ts`,
    why: 'what has no text and was not left out has failed, which the compiler is to be told',
    mutants: [
      ["read.outcome.kind === 'failed'", 'true'],
      ["{ code: 'parser_failed', message: 'nothing could be read from it' }", '{}'],
      ["'parser_failed'", '""'],
      ["'nothing could be read from it'", '""'],
    ],
  },
];
