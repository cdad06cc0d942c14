/** Of a web crawl. */
export interface CrawlParameters {
  readonly kind: 'crawl';
  readonly startUrl: string;
  readonly maxDepth: number;
  readonly maxNumFiles: number;
  readonly pathFilters: readonly string[];
  readonly contentPattern: readonly string[];
  readonly htmlOnly: boolean;
  readonly useBrowser: boolean;
  readonly noCanonicalCheck: boolean;
  readonly fileExtensions: readonly string[];
}
/** Everything but the place itself, which makes the data source this one. */
export type CrawlFixed = 'startUrl';
