import type { TextUnit } from '../../../../domain/chunking/chunk.ts';
import { ExtractionFailure } from '../../extraction-failure.ts';
import { readXml } from '../../xml/read-xml.ts';
import { drawingLines } from '../drawing-text.ts';
import { type OfficePackage, type Relationship, byId, mainPart, openPackage } from '../package.ts';
import { readProperties } from '../properties.ts';
import type { OfficeText } from '../text-flow.ts';
import { readSlide } from './slide.ts';

/** Limit of slides: each is a separate part. */
const MAX_SLIDES = 10_000;

/**
 * Text of a presentation of 2007 and later: a unit per slide that is not hidden, under its title, with the slide
 * number, tables, diagrams and charts, then comments and speaker notes; last the text that layouts and masters show on
 * every slide.
 *
 * @throws {ExtractionFailure} as `openPackage`, and `too_large`
 */
export const readPptx = (bytes: Buffer, maxCharacters: number): OfficeText => {
  const file = openPackage(bytes);
  const main = mainPart(file, 'ppt/presentation.xml');
  const related = file.relationships(main.path);
  const parts = byId(related);
  const units: TextUnit[] = [];
  const slidePaths: string[] = [];
  const authors = readAuthors(file, related);
  let characters = 0;
  for (const [index, id] of slideIds(main.xml).slice(0, MAX_SLIDES).entries()) {
    const relation = parts.get(id);
    if (relation === undefined || relation.external) continue;
    slidePaths.push(relation.target);
    const unit = slideUnit(file, relation.target, index + 1, authors);
    if (unit === null) continue;
    characters += unit.text.length;
    if (characters > maxCharacters)
      throw new ExtractionFailure('too_large', `it has more than ${maxCharacters} characters of text`);
    units.push(unit);
  }
  const shown = masterLines(file, slidePaths);
  if (shown !== '') units.push({ headingPath: [], pageNumber: 0, text: shown });
  return { ...readProperties(file), units };
};

/** Text of layouts and masters on every slide, each text once: shapes that are not placeholders. */
const masterLines = (file: OfficePackage, slidePaths: readonly string[]): string => {
  const targets = (paths: Iterable<string>, type: string): readonly string[] =>
    [...paths].flatMap((path) =>
      file
        .relationships(path)
        .flatMap((relation) => (relation.type === type && !relation.external ? relation.target : [])),
    );
  const layouts = new Set(targets(slidePaths, 'slideLayout'));
  const masters = new Set(targets(layouts, 'slideMaster'));
  const lines = new Set<string>();
  for (const path of [...masters, ...layouts]) {
    const xml = file.xml(path);
    if (xml === null) continue;
    const isShown = (placeholder: string | null): boolean => placeholder === null;
    for (const line of readSlide(xml, () => [], isShown).blocks) lines.add(line);
  }
  return [...lines].join('\n\n');
};

const slideIds = (xml: string): readonly string[] => {
  const ids: string[] = [];
  readXml(xml, {
    open: (name, attributes) => {
      if (name === 'sldId' && attributes['r:id'] !== undefined) ids.push(attributes['r:id']);
    },
  });
  return ids;
};

const slideUnit = (
  file: OfficePackage,
  path: string,
  number: number,
  authors: ReadonlyMap<string, string>,
): TextUnit | null => {
  const xml = file.xml(path);
  if (xml === null) return null;
  const related = file.relationships(path);
  const parts = byId(related);
  const slide = readSlide(xml, (id) => {
    const relation = parts.get(id);
    return relation === undefined ? [] : drawingLines(file, relation);
  });
  if (slide.isHidden) return null;
  const blocks = [...slide.blocks];
  for (const { type, target, external } of related) {
    const part = external || !BESIDE.has(type) ? null : file.xml(target);
    if (part === null) continue;
    const lines = type === 'notesSlide' ? readSlide(part, () => []).blocks : commentLines(part, authors);
    if (lines.length > 0) blocks.push(`${type === 'notesSlide' ? 'Notes' : 'Comments'}: ${lines.join('\n')}`);
  }
  const text = blocks.join('\n\n');
  const headingPath = slide.title === null ? [] : [slide.title.slice(0, 300)];
  return text.trim() === '' ? null : { headingPath, pageNumber: number, text };
};

const BESIDE = new Set(['notesSlide', 'comments']);

/** Names of the comment authors, by id. */
const readAuthors = (file: OfficePackage, related: readonly Relationship[]): ReadonlyMap<string, string> => {
  const names = new Map<string, string>();
  for (const { type, target, external } of related) {
    const xml = external || !/^(?:commentAuthors|authors)$/.test(type) ? null : file.xml(target);
    if (xml === null) continue;
    readXml(xml, {
      open: (element, { id, name }) => {
        if (/^(?:cmAuthor|author)$/.test(element) && id !== undefined && name !== undefined)
          names.set(id, name);
      },
    });
  }
  return names;
};

/** Comments in the format of PowerPoint 2007, or of newer versions, which is drawing markup. */
const commentLines = (xml: string, authors: ReadonlyMap<string, string>): readonly string[] => {
  const lines: string[] = [];
  let author = '';
  let text = '';
  let name = '';
  readXml(xml, {
    open: (opened, { authorId = '' }) => {
      name = opened;
      if (opened === 'cm' || opened === 'reply') author = authors.get(authorId) ?? '';
    },
    text: (data) => {
      if (name === 'text' || name === 't') text += data;
    },
    close: (closed) => {
      name = '';
      if (closed === 'p' || closed === 'br') text += '\n';
      if (closed !== 'text' && closed !== 'txBody') return;
      if (text.trim() !== '') lines.push(author === '' ? text.trim() : `${author}: ${text.trim()}`);
      text = '';
    },
  });
  return lines;
};
