/** Of a page of a wiki, with what is below it. */
export interface WikiParameters {
  readonly kind: 'wiki';
  /** Of the page, or of a database: see `wikiPageId`. */
  readonly pageId: string;
  /** Whether the pages below it, and the rows of databases in it, are read too. */
  readonly includeChildren: boolean;
  /** The secret that the wiki is asked with; null: without any. */
  readonly secretId: string | null;
}
/** Everything but the place itself, which makes the data source this one. */
export type WikiFixed = 'pageId';

const DIGITS = '[0-9a-f]{32}';
const GROUPS = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const ID = new RegExp(`^(?:${DIGITS}|${GROUPS})$`, 'i');
/** At the end of a path, behind the title of the page. */
const IN_PATH = new RegExp(`(?:^|[/-])(${DIGITS}|${GROUPS})/?$`, 'i');
/** The page that is open above a database. */
const IN_QUERY = new RegExp(`(?:^|&)p=(${DIGITS}|${GROUPS})(?:&|$)`, 'i');

/**
 * The one form of an id of a page: lower case, in five groups. It is written with and without dashes, and stands in the
 * address of its page. Null for what holds none.
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
