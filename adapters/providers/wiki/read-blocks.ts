import { RequestRefused } from '../../http-client/provider-response.ts';
import { fields, text, type WikiBlock } from './objects.ts';
import { wikiPageId } from '../../../domain/ingestion-setting/index.ts';
import type { WikiApi } from './wiki-api.ts';

/** A block with what is in it. */
export interface BlockTree {
  readonly block: WikiBlock;
  readonly children: readonly BlockTree[];
  /** It is shown here, and lies elsewhere. */
  readonly isCopy: boolean;
}

/** Of one page. */
const MAX_BLOCKS = 20_000;
const MAX_LEVELS = 40;

/** Pages are documents of their own, and their blocks are theirs. */
const PAGES: ReadonlySet<string> = new Set(['child_page', 'child_database']);

/** The page has more blocks than are read of one. */
export class TooManyBlocks extends Error {
  override readonly name = 'TooManyBlocks';
  constructor() {
    super(`the page has more than ${MAX_BLOCKS} blocks`);
  }
}

/** The blocks directly in a page. @throws TooManyBlocks, and what the API throws */
export const topBlocks = async (api: WikiApi, pageId: string, signal: AbortSignal) => {
  const blocks = await api.children(pageId, MAX_BLOCKS, signal);
  if (blocks.length > MAX_BLOCKS) throw new TooManyBlocks();
  return blocks;
};

/**
 * All that is in these blocks: one request for each block that holds others. What a synced block shows is read where it
 * lies, once for all its copies; where that may not be read, nothing is shown.
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

/** Of a copy: the synced block that it shows. */
const originalOf = ({ type, content }: WikiBlock): string | null => {
  const id = type === 'synced_block' ? text(fields(content['syncedFrom'])['blockId']) : '';
  return id === '' ? null : (wikiPageId(id) ?? id);
};

const noneIfRefused = (error: unknown): readonly WikiBlock[] => {
  if (error instanceof RequestRefused) return [];
  throw error;
};

/** Every block of the trees, in their order. */
export function* blocksIn(trees: readonly BlockTree[]): Generator<BlockTree> {
  for (const tree of trees) {
    yield tree;
    yield* blocksIn(tree.children);
  }
}
