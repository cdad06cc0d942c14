/** What a document came by. */
export const SOURCE_TYPES = ['crawl', 'local_file', 'cloud_drive', 'repo', 'wiki', 'push'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];
