import { createHash } from 'node:crypto';

/** A block as a test writes it down. */
export interface Draft {
  readonly type: string;
  readonly content: object;
  readonly children?: readonly Draft[];
  /** A file that the wiki keeps. */
  readonly file?: { readonly name: string; readonly bytes: Buffer };
}

/** The same id for the same name. */
export const idOf = (name: string): string =>
  createHash('sha256')
    .update(name)
    .digest('hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

interface Marks {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly code?: boolean;
  readonly strikethrough?: boolean;
  readonly href?: string;
}

/** Rich text as the API's reference of rich text objects has it. */
export const run = (said: string, { href, ...marks }: Marks = {}): object => ({
  type: 'text',
  text: { content: said, link: href === undefined ? null : { url: href } },
  annotations: {
    bold: false,
    italic: false,
    strikethrough: false,
    underline: false,
    code: false,
    color: 'default',
    ...marks,
  },
  plain_text: said,
  href: href ?? null,
});

const rich = (said: string | readonly object[]): readonly object[] =>
  typeof said === 'string' ? [run(said)] : said;

/** A block that holds rich text, of any type. */
export const said = (
  type: string,
  words: string | readonly object[],
  more: object = {},
  children: readonly Draft[] = [],
): Draft => ({ type, content: { rich_text: rich(words), ...more }, children });

export const paragraph = (words: string | readonly object[], children: readonly Draft[] = []): Draft =>
  said('paragraph', words, {}, children);
export const bullet = (words: string, children: readonly Draft[] = []): Draft =>
  said('bulleted_list_item', words, {}, children);
export const numbered = (words: string, children: readonly Draft[] = []): Draft =>
  said('numbered_list_item', words, {}, children);

export const table = (rows: readonly (readonly string[])[], hasHeader = true): Draft => ({
  type: 'table',
  content: { table_width: rows[0]?.length ?? 0, has_column_header: hasHeader, has_row_header: false },
  children: rows.map((cells) => ({ type: 'table_row', content: { cells: cells.map(rich) } })),
});

export const block = (type: string, content: object = {}, children: readonly Draft[] = []): Draft => ({
  type,
  content,
  children,
});

export const fileBlock = (type: string, name: string, bytes: Buffer | string): Draft => ({
  type,
  content: { caption: [], name },
  file: { name, bytes: Buffer.from(bytes) },
});
