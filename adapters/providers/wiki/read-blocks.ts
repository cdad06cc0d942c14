import { RequestRefused } from '../../http-client/provider-response.ts';
import { fields, text, type WikiBlock } from './objects.ts';
import { wikiPageId } from '../../../domain/ingestion-setting/index.ts';
import type { WikiApi } from './wiki-api.ts';

/** A block with its children. */
export interface BlockTree {
  readonly block: WikiBlock;
  readonly children: readonly BlockTree[];
  /** The content is a copy of a block elsewhere. */
  readonly isCopy: boolean;
}

/** Maximum number of blocks of one page. */
const MAX_BLOCKS = 20_000;
const MAX_LEVELS = 40;

/** Child pages are separate documents, and their blocks belong to them. */
const PAGES: ReadonlySet<string> = new Set(['child_page', 'child_database']);

/** The page exceeds the block limit. */
export class TooManyBlocks extends Error {
  override readonly name = 'TooManyBlocks';
  constructor() {
    super(`the page has more than ${MAX_BLOCKS} blocks`);
  }
}

/** The top-level blocks of a page. @throws TooManyBlocks, and what the API throws */
export const topBlocks = async (api: WikiApi, pageId: string, signal: AbortSignal) => {
  const blocks = await api.children(pageId, MAX_BLOCKS, signal);
  if (blocks.length > MAX_BLOCKS) throw new TooManyBlocks();
  return blocks;
};

/**
 * Reads all children of these blocks: one request for each block with children. The content of a synced block is read
 * from its original, once for all its copies; it is left out if the original is not readable.
 *
 * @throws TooManyBlocks, and what the API throws
 */
export const readBlocks = async (
  api: WikiApi,
  top: readonly WikiBlock[],
  signal: AbortSignal,
): Promise<readonly BlockTree[]> => {
  const copied = new Map<string, readonly WikiBlock[]>();
  let count = top.length;
  const childrenOf = async (block: WikiBlock): Promise<readonly WikiBlock[]> => {
    const original = originalOf(block);
    const known = original === null ? undefined : copied.get(original);
    if (known !== undefined) return known;
    if (original === null) return api.children(block.id, MAX_BLOCKS, signal);
    const found = await api.children(original, MAX_BLOCKS, signal).catch(noneIfRefused);
    copied.set(original, found);
    return found;
  };
  const treeOf = async (block: WikiBlock, isCopy: boolean, level: number): Promise<BlockTree> => {
    const original = originalOf(block);
    const isOpen = block.hasChildren || original !== null;
    if (!isOpen || PAGES.has(block.type) || level > MAX_LEVELS) return { block, children: [], isCopy };
    const found = await childrenOf(block);
    count += found.length;
    if (count > MAX_BLOCKS) throw new TooManyBlocks();
    const children: BlockTree[] = [];
    for (const child of found) children.push(await treeOf(child, isCopy || original !== null, level + 1));
    return { block, children, isCopy };
  };
  const trees: BlockTree[] = [];
  for (const block of top) trees.push(await treeOf(block, false, 1));
  return trees;
};

/** The original of a copied synced block. */
const originalOf = ({ type, content }: WikiBlock): string | null => {
  const id = type === 'synced_block' ? text(fields(content['syncedFrom'])['blockId']) : '';
  return id === '' ? null : (wikiPageId(id) ?? id);
};

const noneIfRefused = (error: unknown): readonly WikiBlock[] => {
  if (error instanceof RequestRefused) return [];
  throw error;
};

/** Every block of the trees, in order. */
export function* blocksIn(trees: readonly BlockTree[]): Generator<BlockTree> {
  for (const tree of trees) {
    yield tree;
    yield* blocksIn(tree.children);
  }
}
