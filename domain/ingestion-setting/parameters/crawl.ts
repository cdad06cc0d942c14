/** Of a web crawl. */
export interface CrawlParameters {
  readonly kind: 'crawl';
  readonly start_url: string;
  readonly max_depth: number;
  readonly max_num_files: number;
  readonly path_filters: readonly string[];
  readonly content_pattern: readonly string[];
  readonly html_only: boolean;
  readonly use_browser: boolean;
  readonly no_canonical_check: boolean;
  readonly file_extensions: readonly string[];
}
/** Everything but the place itself, which makes the data source this one. */
export type CrawlFixed = 'start_url';
