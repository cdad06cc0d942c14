/** Parameters of a wiki page and the pages below it. */
export interface WikiParameters {
  readonly kind: 'wiki';
  /** Id of a page or of a database: see `wikiPageId`. */
  readonly pageId: string;
  /** Whether child pages and rows of databases are read, too. */
  readonly includeChildren: boolean;
  /** The secret for the wiki; null for none. */
  readonly secretId: string | null;
}
/** The parameter that cannot be changed, because it identifies the data source. */
export type ImmutableWikiParameter = 'pageId';

const DIGITS = '[0-9a-f]{32}';
const GROUPS = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const ID = new RegExp(`^(?:${DIGITS}|${GROUPS})$`, 'i');
/** An id at the end of a path, after the title of the page. */
const IN_PATH = new RegExp(`(?:^|[/-])(${DIGITS}|${GROUPS})/?$`, 'i');
/** The page that is open in front of a database. */
const IN_QUERY = new RegExp(`(?:^|&)p=(${DIGITS}|${GROUPS})(?:&|$)`, 'i');

/**
 * Normalises a page id: lower case, in five groups. The input is an id with or without dashes, or the URL of its page.
 * Null when it contains no id.
 */
export const wikiPageId = (written: string): string | null => {
  const trimmed = written.trim();
  if (ID.test(trimmed)) return grouped(trimmed);
  const [, path = '', query = ''] =
    /^https?:\/\/[^/?#]+(\/[^?#]*)(?:\?([^#]*))?(?:#.*)?$/is.exec(trimmed) ?? [];
  const found = IN_QUERY.exec(query)?.[1] ?? IN_PATH.exec(path)?.[1];
  return found === undefined ? null : grouped(found);
};

const grouped = (id: string): string =>
  id
    .toLowerCase()
    .replaceAll('-', '')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
