import { createHash } from 'node:crypto';
import type { HostedFile } from './hosted-file.ts';
import { text, type WikiBlock } from './objects.ts';

/** What leads on from a page. */
export interface Below {
  readonly pages: readonly string[];
  readonly databases: readonly string[];
  readonly files: readonly Pick<HostedFile, 'key' | 'identity'>[];
}

/** What tells a page from a later version of it, and what need not be asked for again while there is none. */
export interface PageVersion extends Below {
  /** When it was edited last, as the wiki says. */
  readonly edited: string;
  /** It was read in the minute of that edit: other edits of this minute would show the same time. */
  readonly isFresh: boolean;
  /** Of its topmost blocks; empty for a row that nobody has looked into. */
  readonly outline: string;
}

/** Another one whenever the text is made in another way. */
const FORMAT = 1;
/** Times are rounded down to the minute, and clocks differ. */
const ROUNDED_MS = 60_000;
const LEEWAY_MS = 30_000;

const SHOWN_BY_TITLE: ReadonlySet<string> = new Set(['child_page', 'child_database']);

export const outlineOf = (top: readonly WikiBlock[]): string => {
  const hash = createHash('sha256');
  for (const { id, type, lastEdited, hasChildren, content } of top) {
    // Of a page below, this one shows the title alone.
    const shown = SHOWN_BY_TITLE.has(type) ? text(content['title']) : `${lastEdited} ${hasChildren}`;
    hash.update(`${JSON.stringify([id, shown])}\n`);
  }
  return hash.digest('base64url').slice(0, 22);
};

/** @param now Unix milliseconds, when its reading began */
export const isFreshAt = (edited: string, now: number): boolean => {
  const at = Date.parse(edited);
  return Number.isNaN(at) || now < at + ROUNDED_MS + LEEWAY_MS;
};

/** @param now Unix milliseconds: the fingerprint of a page that is still fresh is like no other */
export const writeVersion = (version: PageVersion, now: number): string => {
  const { edited, isFresh, outline, pages, databases, files } = version;
  const named = files.map(({ key, identity }) => [key, identity]);
  return JSON.stringify([FORMAT, edited, isFresh ? now : 0, outline, pages, databases, named]);
};

/** Null for what is none, as another version of this service may have left it. */
export const readVersion = (fingerprint: string | null): PageVersion | null => {
  if (fingerprint?.startsWith(`[${FORMAT},`) !== true) return null;
  const [, edited, freshAt, outline, pages, databases, named] = JSON.parse(fingerprint) as Written;
  const files = named.map(([key, identity]) => ({ key, identity }));
  return { edited, isFresh: freshAt !== 0, outline, pages, databases, files };
};
type Written = readonly [
  format: number,
  edited: string,
  freshAt: number,
  outline: string,
  pages: readonly string[],
  databases: readonly string[],
  files: readonly (readonly [key: string, identity: string])[],
];
