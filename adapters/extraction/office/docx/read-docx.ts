import { readXml } from '../../xml/read-xml.ts';
import { drawingLines } from '../drawing-text.ts';
import { type OfficePackage, type Relationship, byId, mainPart, openPackage } from '../package.ts';
import { readProperties } from '../properties.ts';
import { type OfficeText, type TextFlow, createTextFlow } from '../text-flow.ts';
import { type BodyContext, readBody } from './body.ts';
import { readLists } from './numbering.ts';
import { readStyles } from './styles.ts';

/**
 * Text of a Word document of 2007 and later: headings, lists, tables, text boxes, notes at their references, then
 * headers, footers and comments. Skips tracked deletions.
 *
 * @throws {ExtractionFailure} as `openPackage`, and `too_large`
 */
export const readDocx = (bytes: Buffer, maxCharacters: number): OfficeText => {
  const file = openPackage(bytes);
  const main = mainPart(file, 'word/document.xml');
  const related = file.relationships(main.path);
  const parts = byId(related);
  const flow = createTextFlow(maxCharacters);
  const { title, language } = readProperties(file);
  let ownTitle: string | null = null;
  const partOf = (type: string): string | null => {
    const found = related.find((relation) => relation.type === type && !relation.external);
    return found === undefined ? null : file.xml(found.target);
  };
  const plain = { style: readStyles(null), lists: readLists(null), note: () => null, title: () => {} };
  const notes = {
    footnote: readNotes(partOf('footnotes'), 'footnote'),
    endnote: readNotes(partOf('endnotes'), 'endnote'),
  };
  const context: BodyContext = {
    style: readStyles(partOf('styles')),
    lists: readLists(partOf('numbering')),
    note: (kind, id) => notes[kind].get(id) ?? null,
    title: (text) => {
      ownTitle ??= text.replaceAll(/\s+/g, ' ').slice(0, 300);
    },
    drawing: (id) => addDrawing(file, parts.get(id), flow),
  };
  readBody(main.xml, flow, context);
  addMargins(file, related, flow, plain);
  for (const comment of readNotes(partOf('comments'), 'comment').values()) flow.add(`Comment by ${comment}`);
  return { title: title ?? ownTitle, language, units: flow.finish() };
};

const addDrawing = (file: OfficePackage, relation: Relationship | undefined, flow: TextFlow): void => {
  if (relation !== undefined) for (const line of drawingLines(file, relation)) flow.add(line);
};

/** Headers and footers, each text once. */
const addMargins = (
  file: OfficePackage,
  related: readonly Relationship[],
  flow: TextFlow,
  plain: Omit<BodyContext, 'drawing'>,
): void => {
  const seen = new Set<string>();
  const once: TextFlow = {
    ...flow,
    add: (text) => {
      if (!seen.has(text)) flow.add(text);
      seen.add(text);
    },
  };
  for (const { type, target, external } of related) {
    const xml = (type === 'header' || type === 'footer') && !external ? file.xml(target) : null;
    if (xml === null) continue;
    const parts = byId(file.relationships(target));
    readBody(xml, once, { ...plain, drawing: (id) => addDrawing(file, parts.get(id), once) });
  }
};

/**
 * Footnotes, endnotes or comments by id, each as one line; comments begin with their author (ECMA-376-1, 17.11 and
 * 17.13.4).
 */
const readNotes = (
  xml: string | null,
  element: 'footnote' | 'endnote' | 'comment',
): ReadonlyMap<string, string> => {
  const notes = new Map<string, string>();
  if (xml === null) return notes;
  let id: string | null = null;
  let text = '';
  let inText = false;
  readXml(xml, {
    open: (name, attributes) => {
      inText = name === 't';
      if (name === element) {
        const { id: opened = '', author = '' } = attributes;
        [id, text] = [opened, author === '' ? '' : `${author}: `];
      }
      if (name === 'p' || name === 'br' || name === 'tab') text += ' ';
    },
    text: (data) => {
      if (inText) text += data;
    },
    close: (name) => {
      inText = false;
      if (name !== element || id === null) return;
      const line = text.replaceAll(/\s+/g, ' ').trim();
      if (line !== '') notes.set(id, line);
      id = null;
    },
  });
  return notes;
};
