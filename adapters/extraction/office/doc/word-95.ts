import { codePageDecoder, codePageOfLanguage } from '../code-pages.ts';
import { ExtractionFailure } from '../../extraction-failure.ts';

/** `fcMin` and `fcMac`: where the text begins and ends (header of Word 6, as documented for Word 6 and 95). */
const TEXT_AT = 0x18;
/** The file was saved quickly: its text is in pieces that are not in their order. */
const COMPLEX = 0x0004;

/** `lid`: the language that the document was written in; `chs`: the characters of which system it has. */
const LANGUAGE_AT = 0x06;
const SYSTEM_AT = 0x14;
const MACINTOSH = 0x100;
const MACINTOSH_PAGE = 10_000;

/** Text of a document of Word 6 or 95, all its stories, by the code page of its language. @throws {ExtractionFailure} `parser_failed` */
export const readOldText = (main: Buffer): string => {
  if ((main.readUInt16LE(0x0a) & COMPLEX) !== 0)
    throw new ExtractionFailure(
      'parser_failed',
      'it is of Word 6 or 95 and was saved quickly, which is not read',
    );
  const [from, to] = [main.readUInt32LE(TEXT_AT), main.readUInt32LE(TEXT_AT + 4)];
  if (from >= to || from > main.length) throw new ExtractionFailure('parser_failed', 'it holds no text');
  const codePage =
    main.readUInt16LE(SYSTEM_AT) === MACINTOSH
      ? MACINTOSH_PAGE
      : codePageOfLanguage(main.readUInt16LE(LANGUAGE_AT));
  return codePageDecoder(codePage).decode(main.subarray(from, Math.min(to, main.length)));
};
