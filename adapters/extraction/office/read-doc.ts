import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { openCompoundFile } from '../archive/compound-file.ts';
import { ExtractionFailure } from '../extraction-failure.ts';
import { markdownTable } from '../markdown-table.ts';
import { withoutHiddenText } from './doc-properties.ts';
import { type OfficeText, createTextFlow, marksIn, withoutMarks } from './text-flow.ts';
import { readSummaryTitle } from './properties.ts';

const WORD_97 = 0xa5ec;
const ENCRYPTED = 0x0100;
const TABLE_1 = 0x0200;

type Stories = Record<(typeof STORIES)[number], (options: object) => string>;

/** The part of `word-extractor` that reads the streams of a file. */
interface Extractor {
  readonly _pieces: { text: string }[];
  readonly _taggedHeaders: { text: string }[];
  buildDocument(): Stories;
  extractWordDocument(file: { stream(name: string): Readable }, main: Buffer): Promise<Stories>;
}

/** In display order. Headers include the footers. */
const STORIES = [
  'getBody',
  'getFootnotes',
  'getHeaders',
  'getAnnotations',
  'getEndnotes',
  'getTextboxes',
] as const;

/**
 * Text of a document of Word 97 to 2003: paragraphs and tables, then footnotes, headers, comments, endnotes and text
 * boxes. Hidden and struck-out text is left out. Headings are paragraphs, because the library reads no styles. The library gets the streams rather than the
 * file, because it follows any chain of sectors.
 *
 * @throws {ExtractionFailure} `encrypted`, `truncated`, `parser_failed`, `too_large`
 */
export const readDoc = async (bytes: Buffer, maxCharacters: number): Promise<OfficeText> => {
  const file = openCompoundFile(bytes);
  const main = file.read('WordDocument');
  if (main === null || main.length < 0x60) throw new ExtractionFailure('truncated', 'its text is truncated');
  const flags = main.readUInt16LE(0x0a);
  if ((flags & ENCRYPTED) !== 0) throw new ExtractionFailure('encrypted', 'the document needs a password');
  if (main.readUInt16LE(0) !== WORD_97)
    throw new ExtractionFailure('parser_failed', 'it is of Word 95 or older, which is not read');
  const table = file.read((flags & TABLE_1) === 0 ? '0Table' : '1Table');
  if (table === null) throw new ExtractionFailure('parser_failed', 'its table stream is missing');
  const flow = createTextFlow(maxCharacters);
  for (const story of await readStories(main.length > 0x102 ? withoutHiddenText(main, table) : main, table))
    addStory(story, flow);
  return { title: readSummaryTitle(file), language: null, units: flow.finish() };
};

const readStories = async (main: Buffer, table: Buffer): Promise<readonly string[]> => {
  const WordExtractor = createRequire(import.meta.url)('word-extractor/lib/word-ole-extractor.js') as {
    new (): Extractor;
  };
  const extractor = new WordExtractor();
  const buildDocument = extractor.buildDocument.bind(extractor);
  extractor.buildDocument = () => {
    const { _pieces: pieces, _taggedHeaders: headers } = extractor;
    limitFields(pieces);
    // The library writes "undefined" for an optional hyphen.
    for (const part of [...pieces, ...headers]) part.text = part.text.replaceAll('\x1f', '');
    return buildDocument();
  };
  try {
    const document = await extractor.extractWordDocument({ stream: () => Readable.from([table]) }, main);
    return STORIES.map((story) => document[story]({ filterUnicode: false }));
  } catch (error) {
    if (error instanceof ExtractionFailure) throw error;
    throw new ExtractionFailure('parser_failed', 'its tables lead to places that are not there', {
      cause: error,
    });
  }
};

/** Word nests at most 20. */
const DEEPEST_FIELD = 100;

/** The library scans the whole text once per nesting level of fields. */
const limitFields = (pieces: readonly { readonly text: string }[]): void => {
  let depth = 0;
  for (const { text } of pieces) {
    for (const { mark } of marksIn(text, '\x13\x15')) {
      depth = mark === '\x13' ? depth + 1 : Math.max(0, depth - 1);
      if (depth > DEEPEST_FIELD)
        throw new ExtractionFailure('parser_failed', 'its fields are nested too deeply');
    }
  }
};

/** A line that ends in a tab is a table row, with a tab after each cell. */
const addStory = (story: string, flow: ReturnType<typeof createTextFlow>): void => {
  let rows: (readonly string[])[] = [];
  const endTable = (): void => {
    if (rows.length > 0) flow.add(markdownTable(rows));
    rows = [];
  };
  for (const line of withoutMarks(story).split('\n')) {
    if (line.endsWith('\t')) rows.push(line.slice(0, -1).split('\t'));
    else {
      endTable();
      flow.add(line.trim());
    }
  }
  endTable();
};
