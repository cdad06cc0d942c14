/** Parameters of a web crawl. */
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
/** The parameter that cannot be changed, because it identifies the data source. */
export type ImmutableCrawlParameter = 'startUrl';
