import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseHTML } from 'linkedom';

/** What is searched by its name or title, and the pages that define it or have it. */
export interface KnownItem {
  readonly question: string;
  readonly urls: readonly string[];
}

/** A page of a manual. */
export interface ManualPage {
  /** Within the folder, with slashes. */
  readonly path: string;
  readonly document: ReturnType<typeof parseHTML>['document'];
}

/** The pages in a folder, by name. */
export async function* pagesOf(folder: string): AsyncGenerator<ManualPage> {
  const names = await readdir(folder, { recursive: true });
  for (const name of names.filter((one) => one.endsWith('.html')).toSorted()) {
    const { document } = parseHTML(await readFile(join(folder, name), 'utf8'));
    yield { path: relative(folder, join(folder, name)).replaceAll('\\', '/'), document };
  }
}

/** Fewer letters are no name, and more are a sentence. */
const NAME = /^[\w.:-]{3,60}$/;

/**
 * The names that a page defines: definition terms with an anchor that matches. A term is called like its first code; one
 * of a Sphinx manual, whose anchor is the qualified name, like the anchor.
 */
export const namesIn = ({ document }: Pick<ManualPage, 'document'>, anchor: RegExp): readonly string[] =>
  [...document.querySelectorAll('dt[id]')].flatMap((term) => {
    if (!anchor.test(term.id)) return [];
    const code = term.querySelector('code')?.textContent;
    const name = term.classList.contains('sig-object') ? term.id : (code ?? '');
    return NAME.test(name.trim()) ? [name.trim()] : [];
  });

/** The names that a page defines, by what a selector of CSS picks: texts that are names. */
export const namesBy = ({ document }: Pick<ManualPage, 'document'>, selector: string): readonly string[] =>
  [...document.querySelectorAll(selector)].flatMap(({ textContent }) => {
    const name = textContent.trim();
    return NAME.test(name) ? [name] : [];
  });

const NUMBER = /^\s*(?:chapter|appendix|part)?\s*(?:\d+|[A-Z]|[IVX]+)(?:\.\d+)*\.\s+/i;

/** The title as people type it: without its number, without what all titles of the manual end in, in small letters. */
export const titleOf = ({ document }: Pick<ManualPage, 'document'>, end: RegExp): string =>
  (document.querySelector('title')?.textContent ?? '')
    .replaceAll(/\s+/g, ' ')
    .replace(end, '')
    .replace(NUMBER, '')
    .trim()
    .toLowerCase();

/** Those that stand on several pages are one; every one of these is right. */
export const itemsOf = (found: readonly (readonly [name: string, path: string])[]): readonly KnownItem[] => {
  const urls = new Map<string, string[]>();
  for (const [name, path] of found) {
    const known = urls.get(name) ?? [];
    if (name !== '' && !known.includes(path)) urls.set(name, [...known, path]);
  }
  return [...urls].map(([question, pages]) => ({ question, urls: pages }));
};

/** As many as wanted, by lot: the same for the same seed. */
export const drawn = (items: readonly KnownItem[], count: number, seed: string): readonly KnownItem[] => {
  const lot = ({ question }: KnownItem): string => hash('sha256', `${seed} ${question}`);
  return items.toSorted((a, b) => (lot(a) < lot(b) ? -1 : 1)).slice(0, count);
};
