/**
 * The headless browser of this service: `PageFetcher` runs the scripts of pages in it where a request asks for that.
 * It may be asked at any time, and starts nothing.
 */
export interface Browser {
  /**
   * Why there is none, and what to do about it, for people; null: there is one. It may change while the service runs:
   * a browser may turn out not to start.
   */
  missing(): string | null;
}
