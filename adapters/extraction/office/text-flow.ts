import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import { ExtractionFailure } from '../extraction-failure.ts';
import { type HeadedText, headingPaths } from '../heading-paths.ts';

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
