import { openCompoundFile, type CompoundFile } from '../archive/compound-file.ts';
import { ExtractionFailure } from '../extraction-failure.ts';
import type { OfficeText } from '../office/office-text.ts';
import { readSummaryTitle } from '../office/summary-title.ts';
import { createTextFlow } from '../office/text-flow.ts';
import { addStory } from './story.ts';
import { readFormFields } from './form-fields.ts';
import { readListMarks } from './lists.ts';
import { readPieces } from './pieces.ts';
import { readParagraphKinds, type ParagraphKind } from './paragraphs.ts';

const WORD_97 = 0xa5ec;
const ENCRYPTED = 0x0100;
const TABLE_1 = 0x0200;
/** Where the counts of characters of the stories stand ([MS-DOC] 2.5.4). */
const COUNTS_AT = 0x4c;

/**
 * Text of a Word document from before 2007 ([MS-DOC]): headings, tables, then footnotes, headers, comments, endnotes and
 * text boxes.
 *
 * @throws {ExtractionFailure} `encrypted`, `truncated`, `parser_failed`, `too_large`
 */
export const readDoc = (source: Buffer | CompoundFile, maxCharacters: number): OfficeText => {
  const file = openCompoundFile(source);
  const main = file.read('WordDocument');
  if (main === null || main.length < 0x60) throw new ExtractionFailure('truncated', 'its text breaks off');
  const flow = createTextFlow(maxCharacters);
  const magic = main.readUInt16LE(0);
  const flags = main.readUInt16LE(0x0a);
  if ((flags & ENCRYPTED) !== 0) throw new ExtractionFailure('encrypted', 'the document needs a password');
  if (magic === WORD_97)
    readWord97(main, file.read((flags & TABLE_1) === 0 ? '0Table' : '1Table'), file.read('Data'), flow);
  else throw new ExtractionFailure('parser_failed', 'it is of Word 95 or older, which is not read');
  return { title: readSummaryTitle(file), language: null, units: flow.finish() };
};

const readWord97 = (
  main: Buffer,
  table: Buffer | null,
  data: Buffer | null,
  flow: ReturnType<typeof createTextFlow>,
): void => {
  if (table === null) throw new ExtractionFailure('parser_failed', 'its table stream is missing');
  try {
    const { text, offsets } = readPieces(main, table);
    const kindAt = readParagraphKinds(main, table);
    const marks = readListMarks(main, table);
    const formAt = readFormFields(main, table, data);
    let start = 0;
    for (const [story, length] of storyLengths(main).entries()) {
      const end = Math.min(start + length, text.length);
      const from = start;
      const kindIn = (at: number): ParagraphKind => {
        const kind = kindAt(offsets(from + at));
        // Only the body has headings.
        return story === 0 ? kind : { ...kind, level: 0 };
      };
      addStory(text.slice(from, end), flow, kindIn, marks, (at) => formAt(offsets(from + at)));
      start = end;
    }
  } catch (error) {
    if (error instanceof ExtractionFailure) throw error;
    throw new ExtractionFailure('parser_failed', 'its tables lead to places that are not there', {
      cause: error,
    });
  }
};

/** Body, footnotes, headers, macros, comments, endnotes, text boxes, text boxes of headers. */
const storyLengths = (main: Buffer): readonly number[] =>
  Array.from({ length: 8 }, (_, index) => Math.max(0, main.readInt32LE(COUNTS_AT + 4 * index)));
