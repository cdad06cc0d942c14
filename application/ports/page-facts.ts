/** What a crawler needs of an HTML page. */
export interface PageFacts {
  /** White space collapsed, at most 500 characters; `''` where there is none. */
  readonly title: string;
  /** What it says of itself in one line, at most 1,000 characters; `''` where it does not. */
  readonly description: string;
  /**
   * Absolute canonical URLs (see `parseCrawlUrl`) in order of appearance, each once, at most 10,000: of links, image
   * maps and frames, not of links marked `rel=nofollow`. Other sites' are included.
   */
  readonly links: readonly string[];
  /** `rel=canonical`, absolute, or null. */
  readonly canonical: string | null;
  /** It says next to nothing and expects its scripts to fill it. */
  readonly needsScripts: boolean;
  /** Target of an immediate or delayed refresh, absolute, or null: a redirect in disguise. */
  readonly refresh: string | null;
  /** From `<meta name=robots>` or one that names this robot. */
  readonly noindex: boolean;
  readonly nofollow: boolean;
  /** The encoding the page was read in, WHATWG name. */
  readonly encoding: string;
}
