import type { WorkBook } from '@e965/xlsx';
import { openZip } from '../../archive/zip.ts';
import { ExtractionFailure } from '../../extraction-failure.ts';
import { librarySheet, loadLibrary, READ_OPTIONS } from '../library-sheet.ts';
import { openPackage } from '../package.ts';
import { readProperties } from '../properties.ts';
import type { Workbook } from '../workbook.ts';

const MAIN_PART = 'xl/workbook.bin';

/** Whether the parts of a workbook are binary ([MS-XLSB]). */
export const isBinaryWorkbook = (bytes: Buffer): boolean =>
  openZip(bytes).names.some((name) => name.toLowerCase() === MAIN_PART);

/**
 * Cells of a workbook with binary parts as they are shown, with their comments.
 *
 * @throws {ExtractionFailure} as `openZip` and its `read`, `parser_failed`; `too_large` from `sheets`
 */
export const openXlsb = async (bytes: Buffer, maxCharacters: number): Promise<Workbook> => {
  const zip = openZip(bytes);
  // The library has no bounds: a part that unfolds to more than is read is refused here.
  for (const name of zip.names) zip.read(name);
  const book = await readBook(bytes);
  const since1904 = book.Workbook?.WBProps?.date1904 === true;
  return {
    ...readProperties(openPackage(bytes)),
    sheets: function* () {
      for (const [index, name] of book.SheetNames.entries())
        yield librarySheet(book.Sheets[name] ?? {}, { name, number: index + 1, since1904, maxCharacters });
    },
  };
};

const readBook = async (bytes: Buffer): Promise<WorkBook> => {
  const { read } = await loadLibrary();
  try {
    return read(bytes, READ_OPTIONS);
  } catch (error) {
    throw new ExtractionFailure('parser_failed', 'it is not readable as a workbook', { cause: error });
  }
};
