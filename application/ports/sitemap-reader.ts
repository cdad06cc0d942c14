export interface SitemapLimits {
  /** Bound on the URLs answered; default and maximum 50,000. */
  readonly maxUrls?: number;
}

export interface NamedUrls {
  /** Absolute and canonical, each once, in order. */
  readonly urls: readonly string[];
  /** False when a sitemap could not be read, for a reason that may pass: others may be named there. */
  readonly complete: boolean;
}

/** Reads sitemaps (sitemaps.org): XML, text or gzip, and index files of them. Only a hint where pages may be. */
export interface SitemapReader {
  /**
   * The URLs named by `sitemaps`. What cannot be fetched or parsed is passed over.
   * Index files may nest twice; at most 50 files are fetched.
   *
   * @param mayFetch asked before each sitemap, which need not lie on the site it describes
   * @throws the reason of `signal` when it aborts
   */
  readSitemaps(
    sitemaps: readonly string[],
    options: SitemapLimits & { readonly mayFetch?: (url: string) => boolean | Promise<boolean> },
    signal: AbortSignal,
  ): Promise<NamedUrls>;
}
