/**
 * Bounds on what a crawl does for the documents it may store. Without them a site whose pages cannot be stored (errors,
 * duplicates, directives, patterns that do not match) and lead to ever more of their kind would keep it busy for ever.
 */

/** Pages that are visited, for `maxFiles` documents. */
export const mostVisits = (maxFiles: number): number => 1_000 + 20 * maxFiles;

/** URLs that are remembered: a page may link to ten thousand. */
export const mostAdmitted = (maxFiles: number): number => 10 * mostVisits(maxFiles);
