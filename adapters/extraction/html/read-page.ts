import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import { headingPaths } from '../heading-paths.ts';
import { createPageContent } from './page-content.ts';
import { createFactReader } from './page-facts.ts';
import type { FactReader } from './page-facts.ts';
import { readTags } from './tags.ts';
import type { MarkupSize } from './tags.ts';
import { createTextBlocks } from './text-blocks.ts';
import type { Region, TextBlock } from './text-blocks.ts';

export interface ReadPage {
  readonly facts: ReturnType<FactReader['finish']>;
  readonly units: TextUnit[];
  readonly size: MarkupSize;
}

/** A region is the content of the page if it holds this many characters, or this share of the page's. */
const ENOUGH_CHARACTERS = 500;
const ENOUGH_SHARE = 0.25;

/**
 * Reads a page in one pass: its facts, and its text by heading without navigation and chrome. Of the text, what lies
 * in `main` counts alone if there is enough of it, else what lies in `article`, else all.
 */
export const readPage = (
  html: string,
  context: { readonly url: string | null; readonly robotName: string | null },
): ReadPage => {
  const blocks = createTextBlocks();
  const content = createPageContent(blocks);
  const facts = createFactReader(context.url, context.robotName);
  const size = readTags(html, {
    open: (name, attributes, depth) => {
      // The title of a drawing is not that of the page.
      if (name !== 'title' || !content.dropping()) facts.open(name, attributes);
      content.open(name, attributes, depth);
    },
    close: (name, depth) => {
      facts.close(name);
      content.close(name, depth);
    },
    text: (data) => {
      if (!facts.text(data)) content.text(data);
    },
    followsInline: () => content.dropping(),
  });
  const units = headingPaths(contentBlocks(blocks.finish()));
  return { facts: facts.finish(), units, size };
};

const contentBlocks = (blocks: readonly TextBlock[]): readonly TextBlock[] => {
  const all = charactersIn(blocks);
  for (const region of ['main', 'article'] satisfies Region[]) {
    const inside = blocks.filter((block) => block.region === region);
    const characters = charactersIn(inside);
    if (characters > 0 && (characters >= ENOUGH_CHARACTERS || characters >= ENOUGH_SHARE * all))
      return inside;
  }
  return blocks;
};

const charactersIn = (blocks: readonly TextBlock[]): number =>
  blocks.reduce((sum, block) => sum + block.text.length, 0);
