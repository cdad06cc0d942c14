import type { PageFacts } from '../../../application/ports/document-reader.ts';
import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import { headingPaths } from '../office/text-flow.ts';
import { type Region, type TextBlock, createTextBlocks } from './text-blocks.ts';
import { createListLevels } from './list-levels.ts';
import { createMarkdownMarks } from './markdown-marks.ts';
import { createPageContent } from './page-content.ts';
import { type FactReader, createFactReader, createScriptShell } from './page-facts.ts';
import { type MarkupSize, readTags } from './tags.ts';
import type { parseHTML } from 'linkedom';

interface ReadPage {
  readonly facts: ReturnType<FactReader['finish']> & Pick<PageFacts, 'needsScripts'>;
  readonly units: TextUnit[];
  /** Base of relative URLs. */
  readonly base: string | null;
  readonly size: MarkupSize;
}

interface PageContext {
  readonly url: string | null;
  readonly robotName: string | null;
  /** Of the page, in which queries of its links are sent: WHATWG name. Default: UTF-8. */
  readonly encoding?: string;
  /** Whether to write Markdown with link targets, tables and code. Default: no. */
  readonly markdown?: boolean;
}

/** A region is the content of the page if it has this many characters, or this share of the page's text. */
const ENOUGH_CHARACTERS = 500;
const ENOUGH_SHARE = 0.25;

/**
 * Reads a page in one pass: its metadata, and its text by heading without navigation and chrome. Only text in `main`
 * counts if there is enough of it, else text in `article`, else everything.
 */
export const readPage = (html: string, context: PageContext): ReadPage => {
  const lists = createListLevels(context.markdown === true);
  const blocks = createTextBlocks(lists);
  const facts = createFactReader(context.url, context.robotName, context.encoding);
  const marks = context.markdown === true ? createMarkdownMarks(blocks, () => facts.base()) : undefined;
  const content = createPageContent(blocks, lists, marks);
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
  const read = blocks.finish();
  const all = read.filter(({ region }) => region !== 'banner');
  const needsScripts = shell.finish(charactersIn(all));
  const units = headingPaths([
    ...(content.namesSite() ? [] : titleBlocks(read)),
    ...contentBlocks(withoutMenu(all, content.linesOfLinks)),
  ]);
  return { facts: { ...facts.finish(), needsScripts }, units, base: facts.base(), size };
};

/**
 * The title of a page in its banner, and what follows there, such as its authors: where no other heading of the first level
 * is on the page.
 */
const titleBlocks = (blocks: readonly TextBlock[]): readonly TextBlock[] => {
  const first = blocks.findIndex(({ level }) => level === 1);
  if (blocks[first]?.region !== 'banner') return [];
  const others = blocks.slice(first + 1);
  return others.some(({ level }) => level === 1)
    ? []
    : [blocks[first], ...others.filter(({ region }) => region === 'banner')];
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

/** Removes the lines of only links above the first heading, unless they are most of the page. */
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

// Beyond these limits the document model needs seconds and hundreds of megabytes.
const MAX_ELEMENTS = 50_000;
const MAX_DEPTH = 256;
const MAX_CHARACTERS = 2_000_000;

/** Below this share of the page's text the article finder has lost a table or a list, not chrome. */
const MIN_SHARE = 0.3;

/**
 * Text of a page without its surroundings: by Readability if the page says that it is an article, else as read by
 * `readPage`, also if Readability would lose a table or a definition list. Readability is measurably better at news and
 * worse at reference pages, and ten times slower.
 */
export const articleUnits = async (
  html: string,
  page: ReadPage,
  context: PageContext,
): Promise<readonly TextUnit[]> => {
  const suitable =
    page.facts.isArticle &&
    page.size.elements <= MAX_ELEMENTS &&
    page.size.depth <= MAX_DEPTH &&
    html.length <= MAX_CHARACTERS;
  if (!suitable) return page.units;
  const content = await findArticle(html);
  if (content === null) return page.units;
  const { units } = readPage(content, { ...context, url: page.base });
  return characters(units) < MIN_SHARE * characters(page.units) ? page.units : units;
};

/** HTML of the article, null when none is found. */
const findArticle = async (html: string): Promise<string | null> => {
  const [{ Readability }, { parseHTML: parse }] = await Promise.all([
    import('@mozilla/readability'),
    import('linkedom'),
  ]);
  try {
    const { document } = parse(withBody(html));
    const references = referenceTexts(document);
    const article = new Readability(document).parse();
    const text = spaceless(article?.textContent);
    return references.every((reference) => text.includes(reference)) ? (article?.content ?? null) : null;
  } catch {
    return null; // the text of `readPage` is good enough
  }
};

/** Longer ones are content anywhere; shorter ones may be a box next to the text. */
const REFERENCE_CHARACTERS = 200;
const SAMPLE_CHARACTERS = 100;
const DEFINITIONS = 3;

/** The beginnings of data tables and definition lists: the article finder takes some of them for chrome. */
const referenceTexts = (document: ReturnType<typeof parseHTML>['document']): readonly string[] =>
  [...document.querySelectorAll('table, dl')]
    .filter(
      (element) =>
        (element.querySelector('th') !== null || element.querySelectorAll('dt').length >= DEFINITIONS) &&
        element.closest('nav, aside, footer, header, [role=navigation], [hidden], table table') === null,
    )
    .map((element) => spaceless(element.textContent))
    .filter((text) => text.length >= REFERENCE_CHARACTERS)
    .map((text) => text.slice(0, SAMPLE_CHARACTERS));

const spaceless = (text: string | null | undefined): string => (text ?? '').replaceAll(/\s+/g, '');

/** HTML allows omitting these tags, but neither library supplies them. */
const withBody = (html: string): string =>
  /<body[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;

const characters = (units: readonly TextUnit[]): number =>
  units.reduce((sum, unit) => sum + unit.text.length, 0);
