import { createHash } from 'node:crypto';
import { type BlockTree, blocksIn } from './read-blocks.ts';
import { type Fields, fields, items, text, type WikiBlock, type WikiPage } from './objects.ts';
import { plainText } from './rich-text.ts';

/** A file that the wiki stores, in a block or in a property of a page. */
export interface HostedFile {
  /** Identifies it within its page. */
  readonly key: string;
  readonly name: string;
  /** Signed, and valid for an hour. */
  readonly url: string;
  /** Changes when the file is replaced. */
  readonly identity: string;
}

const KINDS: ReadonlySet<string> = new Set(['file', 'pdf', 'image', 'video', 'audio']);
export const isFileBlock = ({ type }: WikiBlock): boolean => KINDS.has(type);

/** The files of a page. Files elsewhere on the web are links in its text, and copies belong to another page. */
export const filesOf = (page: WikiPage, trees: readonly BlockTree[]): readonly HostedFile[] => [
  ...page.properties.flatMap(({ id, type, value }) =>
    type === 'files' ? items(value).flatMap((one, i) => fileIn(`${id}.${i}`, fields(one)) ?? []) : [],
  ),
  ...[...blocksIn(trees)].flatMap(({ block, isCopy }) => (isCopy ? [] : (fileInBlock(block) ?? []))),
];

export const fileInBlock = (block: WikiBlock): HostedFile | null =>
  isFileBlock(block) ? fileIn(block.id, block.content) : null;

const fileIn = (key: string, content: Fields): HostedFile | null => {
  const url = URL.parse(text(fields(content['file'])['url']));
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const name = text(content['name']) || lastPart(url.pathname);
  // The rest of the URL is its signature, which differs at each reading.
  const identity = createHash('sha256').update(`${url.origin}${url.pathname} ${name}`).digest('hex');
  return { key, name, url: url.href, identity: identity.slice(0, 16) };
};

/** The label of a block with a file; may be empty. */
export const fileLabel = ({ content }: WikiBlock): string =>
  plainText(content['caption']) || text(content['name']);

/** URL of a file outside of the wiki; empty for its own files, whose URLs are signed and must not be stored. */
export const fileLink = ({ content }: WikiBlock): string => text(fields(content['external'])['url']);

/** The file name in the wiki's own URL of a file. */
export const hostedName = (block: WikiBlock): string => fileInBlock(block)?.name ?? '';

const lastPart = (path: string): string => {
  const part = path.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};
