import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { sectionsIn, sectionsOf, type Section, translatedCollection } from './translations.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

const section = (anchor: string, heading: string, text: string, inner = ''): string =>
  `<div class="section"><div class="titlepage"><h2 class="title"><a id="${anchor}"></a>${heading}</h2></div>
  <p>${text}</p>${inner}</div>`;
const page = (chapter: string, body: string): string =>
  `<html><body><h1 class="title"><a id="chapter"></a>${chapter}</h1>${body}</body></html>`;
const LONG = 'A text that is long enough to be an answer to something.';

describe('sections of a manual', () => {
  it('have heading and chapter without their numbers, and the text without its subsections', () => {
    const inner = section('b', '3.1.2.\u00a0An inner one?', `inner ${LONG}`);
    const html = page('Kapitel 3. Basics', section('a', '3.1. What is\n it?', `outer ${LONG}`, inner));
    expect(sectionsIn(html)).toEqual([
      { anchor: 'a', heading: 'What is it?', chapter: 'Basics', text: `outer ${LONG}` },
      { anchor: 'b', heading: 'An inner one?', chapter: 'Basics', text: `inner ${LONG}` },
    ]);
    expect(sectionsIn(page('One', section('a', '1.1. Too short', 'No.')))).toEqual([]);
  });

  it('are those that every language has, from the pages of that language', async () => {
    const root = await mkdtemp(join(tmpdir(), 'knowledger-translations-'));
    folders.push(root);
    await mkdir(join(root, 'de'));
    const both = section('a', '1. A', LONG);
    await writeFile(join(root, 'x.en.html'), page('X', both + section('b', '2. B', LONG)));
    await writeFile(join(root, 'x.html'), page('X', section('c', '3. C', LONG)));
    await writeFile(join(root, 'de', 'x.de.html'), page('X', both));
    const found = await sectionsOf(
      new Map([
        ['en', root],
        ['de', join(root, 'de')],
      ]),
    );
    expect([...found].map(([language, all]) => [language, all.map(({ anchor }) => anchor)])).toEqual([
      ['en', ['a']],
      ['de', ['a']],
    ]);
  });
});

describe('a translated collection', () => {
  const of = (language: string): readonly Section[] =>
    ['a', 'b', 'c'].map((anchor) => ({
      anchor,
      heading: `${anchor}? ${language}`,
      chapter: 'X',
      text: `${anchor}! ${language}`,
    }));
  const sections = new Map(['en', 'de'].map((language) => [language, of(language)]));

  it('asks for the section in the language of the question', () => {
    const { documents, queries, relevant } = translatedCollection(sections, 'same');
    expect(documents.map(({ id, text }) => [id, text])[3]).toEqual(['a.de', 'a! de']);
    expect(documents).toHaveLength(6);
    expect(queries[3]).toEqual({ id: 'a.de', text: 'a? de' });
    expect(relevant.get('a.de')).toEqual(new Set(['a.de']));
  });

  it('or in other languages than the one that has all', () => {
    const { documents, queries, relevant } = translatedCollection(sections, 'foreign');
    expect(documents.map(({ id }) => id)).toEqual(['a.en', 'b.en', 'c.en']);
    expect(queries.map(({ id }) => [id, ...(relevant.get(id) ?? [])])).toEqual([
      ['a.de', 'a.en'],
      ['b.de', 'b.en'],
      ['c.de', 'c.en'],
    ]);
  });

  it('or, where each is in one language, in the others', () => {
    const { documents, queries, relevant } = translatedCollection(sections, 'mixed');
    expect(documents.map(({ id }) => id)).toEqual(['a.en', 'c.en', 'b.de']);
    expect(queries.map(({ id }) => [id, ...(relevant.get(id) ?? [])])).toEqual([
      ['b.en', 'b.de'],
      ['a.de', 'a.en'],
      ['c.de', 'c.en'],
    ]);
  });
});
