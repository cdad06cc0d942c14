import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { TextUnit } from '../../../domain/chunking/chunk.ts';

interface Bookmark {
  readonly title: string;
  /** Page number, from 1; 0 when it has no target page. */
  readonly page: number;
}

type Listed = NonNullable<Awaited<ReturnType<PDFDocumentProxy['getOutline']>>>[number];

/** A book of a thousand pages has some hundreds. */
const MOST = 2_000;
const DEEPEST = 20;
const LONGEST = 500;

/**
 * Adds titles of bookmarks (ISO 32000-1, 12.3.3) to the pages that they lead to, if they contain a word that no page
 * has: scans, slides, drawn headings. Other bookmarks are headings in the text.
 *
 * @param units by page, in order
 */
export const withBookmarks = async (
  document: PDFDocumentProxy,
  units: readonly TextUnit[],
): Promise<TextUnit[]> => {
  const titles = listed(await document.getOutline().catch(() => null));
  const unread = unreadOf(
    titles.map(({ title }) => title),
    units,
  );
  const bookmarks: Bookmark[] = [];
  for (const { title, dest } of titles)
    if (unread.has(title)) bookmarks.push({ title, page: await pageOf(document, dest) });
  return bookmarks.length === 0 ? [...units] : placed(bookmarks, units);
};

/** In order, nested ones after their parent. */
const listed = (outline: readonly Listed[] | null): readonly Pick<Listed, 'title' | 'dest'>[] => {
  const found: Pick<Listed, 'title' | 'dest'>[] = [];
  const add = (items: readonly Listed[], depth: number): void => {
    for (const { title, dest, items: within } of items) {
      if (found.length >= MOST) return;
      const line = title.replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST);
      if (line !== '') found.push({ title: line, dest });
      if (depth < DEEPEST) add(within as Listed[], depth + 1);
    }
  };
  add(outline ?? [], 1);
  return found;
};

const WORD = /[\p{L}\p{N}]+/gu;

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(WORD) ?? [];

/** In one pass over the text, which may be long. */
const unreadOf = (titles: readonly string[], units: readonly TextUnit[]): ReadonlySet<string> => {
  const missing = new Set(titles.flatMap(wordsOf));
  for (const { text } of units) {
    if (missing.size === 0) break;
    for (const [word] of text.toLowerCase().matchAll(WORD)) missing.delete(word);
  }
  return new Set(titles.filter((title) => wordsOf(title).some((word) => missing.has(word))));
};

const pageOf = async (document: PDFDocumentProxy, dest: Listed['dest']): Promise<number> => {
  try {
    const [target] = (typeof dest === 'string' ? await document.getDestination(dest) : dest) ?? [];
    if (typeof target === 'number') return target < document.numPages ? target + 1 : 0;
    return target === undefined ? 0 : 1 + (await document.getPageIndex(target));
  } catch {
    return 0;
  }
};

/**
 * Appends them to the text of their page, or creates a unit for a page without text; those without a target come last.
 */
const placed = (bookmarks: readonly Bookmark[], units: readonly TextUnit[]): TextUnit[] => {
  const byPage = new Map<number, Set<string>>();
  for (const { title, page } of bookmarks) byPage.set(page, (byPage.get(page) ?? new Set()).add(title));
  const found = units.map((unit) => {
    const titles = unit.pageNumber === 0 ? undefined : byPage.get(unit.pageNumber);
    if (titles === undefined) return unit;
    byPage.delete(unit.pageNumber);
    return { ...unit, text: `${unit.text}\n\n${[...titles].join('\n')}` };
  });
  for (const [pageNumber, titles] of byPage)
    found.push({ headingPath: [], pageNumber, text: [...titles].join('\n') });
  const order = ({ pageNumber }: TextUnit): number => (pageNumber === 0 ? Infinity : pageNumber);
  return found.toSorted((a, b) => (order(a) === order(b) ? 0 : order(a) - order(b)));
};
