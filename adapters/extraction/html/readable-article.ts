import type { parseHTML } from 'linkedom';
import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import { type PageContext, type ReadPage, readPage } from './read-page.ts';

// Beyond these the document model needs seconds and hundreds of megabytes.
const MAX_ELEMENTS = 50_000;
const MAX_DEPTH = 256;
const MAX_CHARACTERS = 2_000_000;

/** Below this share of the page's text the article finder has lost a table or a list, not chrome. */
const LEAST_SHARE = 0.3;

/**
 * Text of a page without what surrounds an article: by Readability where the page says that it is an article, else as
 * it was read, also where it would lose a table or a list of definitions. Readability is measurably better at news and worse
 * at reference pages, and ten times slower.
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
  return characters(units) < LEAST_SHARE * characters(page.units) ? page.units : units;
};

/** Markup of the article, null where none is found. */
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
    return null; // the text read before is good enough
  }
};

/** Longer ones are content wherever they stand; shorter ones may be a box beside the text. */
const REFERENCE_CHARACTERS = 200;
const SAMPLE_CHARACTERS = 100;
const DEFINITIONS = 3;

/** What tables of data and lists of definitions begin with: the article finder takes some of them for chrome. */
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

/** The tags may be omitted in HTML, but neither library supplies them. */
const withBody = (html: string): string =>
  /<body[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;

const characters = (units: readonly TextUnit[]): number =>
  units.reduce((sum, unit) => sum + unit.text.length, 0);
