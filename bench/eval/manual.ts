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

/** Fewer characters are no name, nor are numbers alone, and more are a sentence. */
const NAME = /^(?=[\d.:-]*[A-Za-z_])[\w.:-]{3,60}$/;

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

/** Of a chapter or a section, with a dot behind it or without. */
const NUMBER =
  /^\s*(?:(?:(?:chapter|appendix|part|section)\s+)?(?:\d+|[A-Z]|[IVX]+)(?:\.\d+)*[.:]\s+|(?:chapter|appendix|part|section)\s+(?:\d+|[A-Z]|[IVX]+)\s+|(?:§\s*)?\d{1,3}(?:\.\d+)*\s+(?=\p{L})|[A-Z](?:\.\d+)+\s+)/iu;

/** The title as people type it: without its number, without what all titles of the manual end in, in small letters. */
export const titleOf = ({ document }: Pick<ManualPage, 'document'>, end: RegExp): string =>
  (document.querySelector('title')?.textContent ?? '')
    .replaceAll(/\s+/g, ' ')
    .replace(end, '')
    .replace(NUMBER, '')
    .trim()
    .toLowerCase();

/** Titles of which more are needed before what they share tells of the manual. */
const FEW_TITLES = 4;
/** What stands between a title and the name of its manual. */
const BETWEEN = /^[\s—–|·»:-]+|[\s—–|·»:-]+$/gu;

/** Titles without the words that more than half of them begin or end in, such as the name of the manual. */
export const withoutShared = (titles: readonly string[]): readonly string[] => {
  const split = titles.map((title) => title.split(' '));
  const [begin, end] = [sharedBy(split), sharedBy(split.map((words) => words.toReversed()))];
  const [first, last] = [begin.join(' '), end.toReversed().join(' ')];
  return titles.map((title) => {
    const rest = first !== '' && title.startsWith(`${first} `) ? title.slice(first.length) : title;
    const left = last !== '' && rest.endsWith(` ${last}`) ? rest.slice(0, -last.length) : rest;
    return left.replaceAll(BETWEEN, '');
  });
};

/** The longest run of first words, but not all of one, that more than half have: each title counts once. */
const sharedBy = (all: readonly (readonly string[])[]): readonly string[] => {
  const distinct = [...new Map(all.map((words) => [words.join(' '), words])).values()];
  let shared: readonly string[] = [];
  for (;;) {
    const having = Map.groupBy(
      distinct.filter((words) => words.length > shared.length + 1 && begins(words, shared)),
      (words) => words[shared.length]!,
    );
    const most = [...having].toSorted((a, b) => b[1].length - a[1].length)[0];
    if (most === undefined || distinct.length < FEW_TITLES || 2 * most[1].length <= distinct.length)
      return shared;
    shared = [...shared, most[0]];
  }
};

const begins = (words: readonly string[], first: readonly string[]): boolean =>
  first.every((word, i) => words[i] === word);

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
