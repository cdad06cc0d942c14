import { HASH_BYTES } from './merkle.ts';

/** What a checkpoint says of a log: how many leaves it has, and the root of the tree over them. */
export interface TreeHead {
  readonly size: number;
  readonly root: Uint8Array;
}

/** The text of a checkpoint, to be signed as a note (C2SP tlog-checkpoint). */
export const checkpointText = (origin: string, { size, root }: TreeHead): string =>
  `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`;

/** Reads the text of a checkpoint; null for another text. Lines that extend it are passed over. */
export const parseCheckpoint = (text: string): (TreeHead & { readonly origin: string }) | null => {
  const [origin = '', size = '', hash = '', ...rest] = text.split('\n');
  const root = Buffer.from(hash, 'base64');
  const isWritten = /^(?:0|[1-9]\d{0,15})$/.test(size) && root.toString('base64') === hash;
  const isWhole = origin !== '' && rest.length > 0 && rest.at(-1) === '';
  return isWritten && isWhole && root.length === HASH_BYTES ? { origin, size: Number(size), root } : null;
};
