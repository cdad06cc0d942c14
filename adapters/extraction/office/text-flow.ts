import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import { ExtractionFailure } from '../extraction-failure.ts';

/** The consecutive blocks of a document: paragraphs, list items and tables under their headings. */
export interface TextFlow {
  /** Adds a paragraph. Items of one list are not separated by blank lines. */
  add(text: string, kind?: 'paragraph' | 'item'): void;
  /** Adds a heading of level 1–9 for the following blocks. */
  heading(level: number, text: string): void;
  /** @returns units without page numbers */
  finish(): TextUnit[];
}

/** Headings of levels 7–9 are rare, and count as level 6. */
const DEEPEST = 6;

/** @throws {ExtractionFailure} `too_large`, from its methods, above `maxCharacters` */
export const createTextFlow = (maxCharacters: number): TextFlow => {
  const parts: HeadedText[] = [];
  let level = 0;
  let heading = '';
  let body: string[] = [];
  let last: string | null = null;
  let characters = 0;
  const end = (): void => {
    const text = body.join('');
    if (text.trim() !== '') parts.push({ level, heading, text });
    body = [];
    last = null;
  };
  const count = (text: string): void => {
    characters += text.length;
    if (characters > maxCharacters)
      throw new ExtractionFailure('too_large', `it has more than ${maxCharacters} characters of text`);
  };
  return {
    add: (text, kind = 'paragraph') => {
      if (text.trim() === '') return;
      count(text);
      if (last !== null) body.push(last === 'item' && kind === 'item' ? '\n' : '\n\n');
      body.push(text);
      last = kind;
    },
    heading: (nextLevel, text) => {
      const line = text.replaceAll(/\s+/g, ' ').trim();
      if (line === '') return;
      end();
      count(line);
      [level, heading, body, last] = [Math.min(nextLevel, DEEPEST), line, [line], 'paragraph'];
    },
    finish: () => {
      end();
      return headingPaths(parts);
    },
  };
};

/** C0 controls except tab and line feed: in binary Office files they are marks within the text. */
const MARK = /[\p{Cc}--[\t\n\x7f-\x9f]]/gv;

/** Positions of these marks, in order. */
export const marksIn = function* (
  text: string,
  marks: string,
): Generator<{ readonly mark: string; readonly index: number }> {
  for (const { 0: mark, index } of text.matchAll(MARK)) if (marks.includes(mark)) yield { mark, index };
};

export const withoutMarks = (text: string): string => text.replaceAll(MARK, '');

/** The result of a reader of office files. */
export interface OfficeText {
  readonly title: string | null;
  readonly language: string | null;
  readonly units: TextUnit[];
}

/** Text under a heading of level 1–6; level 0 continues under the last heading. */
export interface HeadedText {
  readonly level: number;
  readonly heading: string;
  readonly text: string;
}

const MAX_HEADING_CHARACTERS = 300;

/** Units of a document without pages, each with its path of headings. */
export const headingPaths = (parts: readonly HeadedText[]): TextUnit[] => {
  const open: { readonly level: number; readonly heading: string }[] = [];
  return parts.map(({ level, heading, text }) => {
    if (level > 0) {
      while (open.length > 0 && open[open.length - 1]!.level >= level) open.pop();
      open.push({ level, heading: heading.slice(0, MAX_HEADING_CHARACTERS) });
    }
    return { headingPath: open.map((above) => above.heading), pageNumber: 0, text };
  });
};
