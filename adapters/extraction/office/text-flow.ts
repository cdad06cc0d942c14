import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import { ExtractionFailure } from '../extraction-failure.ts';

/** Blocks of a document one after the other: paragraphs, list items, tables, under their headings. */
export interface TextFlow {
  /** A paragraph of its own. Items of one list stand close together. */
  add(text: string, kind?: 'paragraph' | 'item'): void;
  /** A heading of level 1–9, under which follows what is added next. */
  heading(level: number, text: string): void;
  /** @returns units without page numbers */
  finish(): TextUnit[];
}

/** Headings of levels 7–9 are rare, and lie as deep as those of 6 do. */
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

/** C0 controls but tab and line feed: in binary Office files they are marks within the text. */
const MARK = /[\p{Cc}--[\t\n\x7f-\x9f]]/gv;

/** Where these marks stand, in their order. */
export const marksIn = function* (
  text: string,
  marks: string,
): Generator<{ readonly mark: string; readonly index: number }> {
  for (const { 0: mark, index } of text.matchAll(MARK)) if (marks.includes(mark)) yield { mark, index };
};

export const withoutMarks = (text: string): string => text.replaceAll(MARK, '');

/** What a reader of office files takes from one. */
export interface OfficeText {
  readonly title: string | null;
  readonly language: string | null;
  readonly units: TextUnit[];
}

/** Text under a heading of level 1–6, or of level 0: text that goes on under the last heading. */
export interface HeadedText {
  readonly level: number;
  readonly heading: string;
  readonly text: string;
}

const MAX_HEADING_CHARACTERS = 300;

/** Units of a document without pages, each with the headings that it stands under. */
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
