import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import type { PageFacts } from '../../../application/ports/document-reader.ts';
import { headingPaths } from '../heading-paths.ts';
import { createListLevels } from './list-levels.ts';
import { createMarkdownMarks } from './markdown-marks.ts';
import { createPageContent } from './page-content.ts';
import { type FactReader, createFactReader } from './page-facts.ts';
import { createScriptShell } from './script-shell.ts';
import { type MarkupSize, readTags } from './tags.ts';
import { type Region, type TextBlock, createTextBlocks } from './text-blocks.ts';

export interface ReadPage {
  readonly facts: ReturnType<FactReader['finish']> & Pick<PageFacts, 'needsScripts'>;
  readonly units: TextUnit[];
  /** What relative addresses start from. */
  readonly base: string | null;
  readonly size: MarkupSize;
}

export interface PageContext {
  readonly url: string | null;
  readonly robotName: string | null;
  /** Whether the text is written as Markdown, with addresses of links, tables and code. Default: no. */
  readonly markdown?: boolean;
}

/** A region is the content of the page if it holds this many characters, or this share of the page's. */
const ENOUGH_CHARACTERS = 500;
const ENOUGH_SHARE = 0.25;

/**
 * Reads a page in one pass: its facts, and its text by heading without navigation and chrome. Of the text, what lies
 * in `main` counts alone if there is enough of it, else what lies in `article`, else all.
 */
export const readPage = (html: string, context: PageContext): ReadPage => {
  const lists = createListLevels();
  const blocks = createTextBlocks(lists);
  const facts = createFactReader(context.url, context.robotName);
  const marks =
    context.markdown === true ? createMarkdownMarks(blocks, () => facts.base(), lists) : undefined;
  const content = createPageContent(blocks, marks);
  const shell = createScriptShell();
  const size = readTags(html, {
    open: (name, attributes, depth) => {
      // The title of a drawing is not that of the page.
      if (name !== 'title' || !content.dropping()) facts.open(name, attributes);
      shell.open(name, attributes, depth);
      content.open(name, attributes, depth);
    },
    close: (name, depth) => {
      facts.close(name);
      shell.close(name, depth);
      content.close(name, depth);
    },
    text: (data) => {
      if (facts.text(data)) return;
      shell.text(data);
      content.text(data);
    },
    followsInline: () => content.dropping(),
  });
  const all = blocks.finish();
  const needsScripts = shell.finish(charactersIn(all));
  const units = headingPaths(contentBlocks(withoutMenu(all, content.linesOfLinks)));
  return { facts: { ...facts.finish(), needsScripts }, units, base: facts.base(), size };
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

/** Without the lines of nothing but links above the first heading, unless they are most of the page. */
const withoutMenu = (blocks: readonly TextBlock[], menu: ReadonlySet<string>): readonly TextBlock[] => {
  const [first, ...others] = blocks;
  if (menu.size === 0 || first?.level !== 0 || others.length === 0) return blocks;
  const lines = first.text.split('\n').filter((line) => !menu.has(line.trim()));
  const text = lines.join('\n').trim();
  if (2 * (first.text.length - text.length) > charactersIn(blocks)) return blocks;
  return text === '' ? others : [{ ...first, text }, ...others];
};

const charactersIn = (blocks: readonly TextBlock[]): number =>
  blocks.reduce((sum, block) => sum + block.text.length, 0);
