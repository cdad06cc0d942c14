import { readXml } from '../xml/read-xml.ts';
import type { OfficePackage } from './package.ts';

/** Paragraphs of drawing markup, such as a diagram or the shapes on a sheet (ECMA-376-1, 21.1.2). */
export const drawingParagraphs = (xml: string): readonly string[] => {
  const found: string[] = [];
  let text = '';
  let depth = 0;
  let inText = false;
  readXml(xml, {
    open: (name) => {
      if (name === 'p') depth += 1;
      inText = name === 't';
      if (name === 'br') text += '\n';
    },
    text: (data) => {
      if (inText) text += data;
    },
    close: (name) => {
      inText = false;
      if (name !== 'p') return;
      depth -= 1;
      if (depth === 0 && text.trim() !== '') found.push(text.trim());
      if (depth === 0) text = '';
    },
  });
  return found;
};

/** Titles of a chart, and its names and values, one line per series (ECMA-376-1, 21.2). */
const chartLines = (xml: string): readonly string[] => {
  const lines: string[] = [];
  let line: string[] = [];
  let name = '';
  const end = (): void => {
    if (line.length > 0) lines.push(line.join(', '));
    line = [];
  };
  readXml(xml, {
    open: (opened) => {
      name = opened;
      if (opened === 'ser' || opened === 'cat' || opened === 'val' || opened === 'p') end();
    },
    text: (data) => {
      if ((name === 'v' || name === 't') && data.trim() !== '') line.push(data.trim());
    },
    close: (closed) => {
      name = '';
      if (closed === 'ser' || closed === 'p' || closed === 'chart') end();
    },
  });
  end();
  return lines;
};

/** Text of a chart or diagram that a part references by a relationship; none for anything else. */
export const drawingLines = (
  file: OfficePackage,
  { type, target, external }: { type: string; target: string; external: boolean },
): readonly string[] => {
  if (external || (type !== 'chart' && type !== 'diagramData' && type !== 'chartEx')) return [];
  const xml = file.xml(target);
  if (xml === null) return [];
  return type === 'diagramData' ? drawingParagraphs(xml) : chartLines(xml);
};
