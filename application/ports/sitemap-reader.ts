export interface SitemapLimits {
  /** Bound on the URLs answered; default and maximum 50,000. */
  readonly maxUrls?: number;
}

/** Reads sitemaps (sitemaps.org): XML, text or gzip, and index files of them. Only a hint where pages may be. */
export interface SitemapReader {
  /**
   * Absolute canonical URLs named by `sitemaps`, each once, in order. What cannot be fetched or parsed is passed over.
   * Index files may nest twice; at most 50 files are fetched.
   *
   * @param mayFetch asked before each sitemap, which need not lie on the site it describes
   * @throws the reason of `signal` when it aborts
   */
  readSitemaps(
    sitemaps: readonly string[],
    options: SitemapLimits & { readonly mayFetch?: (url: string) => boolean | Promise<boolean> },
    signal: AbortSignal,
  ): Promise<readonly string[]>;
}
