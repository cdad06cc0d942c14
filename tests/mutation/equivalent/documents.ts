import type { Equivalents } from '../equivalent.ts';

export const DOCUMENTS: readonly Equivalents[] = [
  {
    file: 'domain/crawl/crawl-scope.ts',
    why: 'told apart from what is listed and from other files alone, which no word of this place is',
    mutants: [["'page'", '""']],
  },
  {
    file: 'domain/crawl/crawl-url.ts',
    why: 'a URL without a fragment stays as it is where one is taken away',
    mutants: [
      ["url.href.includes('#')", 'true'],
      ["'#'", '""'],
    ],
  },
  {
    file: 'domain/crawl/crawl-url.ts',
    why: 'a colon ends every scheme, and stands nowhere else in it',
    mutants: [['/^https?:$/', '/^https?:/']],
  },
];
