import { ExtractionFailure } from '../../extraction-failure.ts';

/** `fcMin` and `fcMac`: where the text begins and ends (header of Word 6, as documented for Word 6 and 95). */
const TEXT_AT = 0x18;
/** The file was saved quickly: its text is in pieces that are not in their order. */
const COMPLEX = 0x0004;

const WINDOWS = new TextDecoder('windows-1252');

/** Text of a document of Word 6 or 95, all its stories. @throws {ExtractionFailure} `parser_failed` */
export const readOldText = (main: Buffer): string => {
  if ((main.readUInt16LE(0x0a) & COMPLEX) !== 0)
    throw new ExtractionFailure(
      'parser_failed',
      'it is of Word 6 or 95 and was saved quickly, which is not read',
    );
  const [from, to] = [main.readUInt32LE(TEXT_AT), main.readUInt32LE(TEXT_AT + 4)];
  if (from >= to || from > main.length) throw new ExtractionFailure('parser_failed', 'it holds no text');
  return WINDOWS.decode(main.subarray(from, Math.min(to, main.length)));
};
