import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import type { Collection, JudgedDocument, JudgedQuery } from './collection.ts';

/** A section of a manual that exists in several languages: its anchor is the same in all of them. */
export interface Section {
  readonly anchor: string;
  /** As it stands above the text, without its number. */
  readonly heading: string;
  readonly chapter: string;
  /** Without heading and subsections. */
  readonly text: string;
}

/**
 * The sections of a manual made by DocBook, by language and in the order of the files: those that every language has.
 *
 * @param folders one for each language; its pages end in `.<language>.html`
 */
export const sectionsOf = async (
  folders: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, readonly Section[]>> => {
  const found = new Map<string, readonly Section[]>();
  for (const [language, folder] of folders) {
    const names = (await readdir(folder)).filter((name) => name.endsWith(`.${language}.html`)).toSorted();
    const pages = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    found.set(language, pages.flatMap(sectionsIn));
  }
  const inAll = ({ anchor }: Section): boolean =>
    [...found.values()].every((sections) => sections.some((section) => section.anchor === anchor));
  return new Map([...found].map(([language, sections]) => [language, sections.filter(inAll)]));
};

const NUMBER = /^[^\d]*\d+(?:\.\d+)*\.?\s+/;
const plain = (text: string | undefined): string => (text ?? '').replaceAll(/[\s<>]+/g, ' ').trim();

export const sectionsIn = (html: string): readonly Section[] => {
  const { document } = parseHTML(html);
  const chapter = plain(document.querySelector('h1.title')?.textContent ?? '').replace(NUMBER, '');
  // From the innermost outwards, so that each loses its subsections before it is read.
  const sections = [...document.querySelectorAll('div.section')].toReversed().map((section): Section => {
    const title = section.querySelector('.titlepage');
    const heading = plain(title?.textContent ?? '').replace(NUMBER, '');
    const anchor = title?.querySelector('a[id]')?.id ?? '';
    title?.remove();
    const text = plain(section.textContent ?? '');
    section.remove();
    return { anchor, heading, chapter, text };
  });
  return sections.toReversed().filter(({ anchor, heading, text }) => anchor && heading && text.length >= 40);
};

export type TranslatedKind = 'same' | 'foreign' | 'mixed';

/**
 * Headings asked as questions; the heading is not part of what is searched.
 *
 * - `same`: every section in every language, and right is the one in the language of the question.
 * - `foreign`: every section in the first language, and asked in each of the others.
 * - `mixed`: every section in one language only, by turns, and asked in each of the others: what is in the language of
 *   the question is never right.
 */
export const translatedCollection = (
  sections: ReadonlyMap<string, readonly Section[]>,
  kind: TranslatedKind,
): Pick<Collection, 'documents' | 'queries' | 'relevant'> => {
  const languages = [...sections.keys()];
  const documents: JudgedDocument[] = [];
  const queries: JudgedQuery[] = [];
  const relevant = new Map<string, Set<string>>();
  const anchors = sections.get(languages[0] ?? '')?.map(({ anchor }) => anchor) ?? [];
  for (const [language, all] of sections)
    for (const { anchor, heading, chapter, text } of all) {
      const turn = kind === 'foreign' ? 0 : anchors.indexOf(anchor) % languages.length;
      const right = kind === 'same' ? language : (languages[turn] ?? '');
      const id = `${anchor}.${language}`;
      if (language === right) documents.push({ id, title: chapter, text });
      if (kind !== 'same' && language === right) continue;
      queries.push({ id, text: heading });
      relevant.set(id, new Set([`${anchor}.${right}`]));
    }
  return { documents, queries, relevant };
};
