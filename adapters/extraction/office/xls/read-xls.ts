import type { CompoundFile } from '../../archive/compound-file.ts';
import { ExtractionFailure } from '../../extraction-failure.ts';
import { librarySheet, loadLibrary, READ_OPTIONS } from '../library-sheet.ts';
import type { Workbook } from '../workbook.ts';
import { drawnText } from './drawn-text.ts';
import { openWorkbookStream, withoutLinks } from './workbook-stream.ts';
import type { WorkBook } from '@e965/xlsx';

/**
 * Cells of an Excel workbook from before 2007 as they are shown, with their comments; text of shapes and charts stands
 * beside the last sheet.
 *
 * @throws {ExtractionFailure} `encrypted`, `parser_failed`; `too_large` from `sheets`
 */
export const openXls = async (source: Buffer | CompoundFile, maxCharacters: number): Promise<Workbook> => {
  const { stream, title } = openWorkbookStream(source);
  const book = await readBook(stream);
  const since1904 = book.Workbook?.WBProps?.date1904 === true;
  return {
    title,
    language: null,
    sheets: function* () {
      for (const [index, name] of book.SheetNames.entries()) {
        const sheet = librarySheet(book.Sheets[name] ?? {}, {
          name,
          number: index + 1,
          since1904,
          maxCharacters,
        });
        const isLast = index === book.SheetNames.length - 1;
        yield isLast ? { ...sheet, beside: [...sheet.beside, ...drawnText(stream)] } : sheet;
      }
    },
  };
};

const readBook = async (stream: Buffer): Promise<WorkBook> => {
  const { read } = await loadLibrary();
  try {
    return read(withoutLinks(stream), READ_OPTIONS);
  } catch (error) {
    const { message } = error as Error;
    if (/password|encrypt/i.test(message))
      throw new ExtractionFailure('encrypted', 'the workbook needs a password', { cause: error });
    throw new ExtractionFailure('parser_failed', 'it is not readable as a workbook', { cause: error });
  }
};
