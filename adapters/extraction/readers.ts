import type { TextUnit } from '../../domain/chunking/chunk.ts';
import type {
  ExtractedDocument,
  ExtractionLimits,
  ExtractionRequest,
  ImageFileType,
  PageFacts,
} from '../../application/ports/document-reader.ts';
import { decodeText } from '../../application/ports/text-decoding.ts';
import { detectCharset } from './charset/detect-charset.ts';
import { openCompoundFile } from './archive/compound-file.ts';
import type { EmbeddedFile } from './embedded/embedded-file.ts';
import { type EmbeddedReader, readEmbedded } from './embedded/read-embedded.ts';
import { articleUnits, readPage } from './html/read-page.ts';
import { pageTitle } from './html/page-facts.ts';
import { readCode } from './code/read-code.ts';
import { readMarkdown, readPlainText } from './markdown.ts';
import { openEpub } from './epub/read-epub.ts';
import { readImage } from './image/read-image.ts';
import { mailContent, mailboxContent } from './mail/mail-content.ts';
import { readEml, readMsg } from './mail/read-mail.ts';
import { readMedia } from './media/read-transcript.ts';
import { notebookText } from './notebook/notebook-text.ts';
import { openOds, readOdp, readOdt } from './odf/read-odf.ts';
import { readDoc } from './office/read-doc.ts';
import { readDocx } from './office/docx/read-docx.ts';
import { readPpt } from './office/ppt/read-ppt.ts';
import { readPptx } from './office/pptx/read-pptx.ts';
import { readRtf } from './rtf/read-rtf.ts';
import { openXls } from './office/xls/read-xls.ts';
import { openXlsb } from './office/library-sheet.ts';
import { openXlsx } from './office/xlsx/read-xlsx.ts';
import type { OfficeText } from './office/text-flow.ts';
import { workbookText, type Workbook } from './office/workbook.ts';
import { partlyRead } from './extraction-failure.ts';
import { type PdfOptions, readPdf } from './pdf/read-pdf.ts';
import type { Format } from './kind/formats.ts';
import { claimsSeparatedValues, nameIn, readClaims, titleFromName } from './kind/claims.ts';
import { markdownTable } from './markdown-table.ts';
import { readJsonl, readTableRows, readWorkbookRows } from './rows/read-jsonl.ts';
import { separatedValues } from './rows/separated-values.ts';
import { unitsWithin } from './units-within.ts';

/** The result of a reader, before it is prepared. */
interface DocumentContent extends Pick<
  ExtractedDocument,
  'encoding' | 'rowErrors' | 'rowErrorCount' | 'missing' | 'unread'
> {
  readonly title: string | null;
  readonly language: string | null;
  readonly units: readonly TextUnit[];
  readonly page?: PageFacts;
  /** Embedded documents that its reader found. */
  readonly attachments?: readonly EmbeddedFile[];
}

type Request = ExtractionRequest & Pick<PdfOptions, 'onPages'> & { readonly limits: ExtractionLimits };

type Reader = (bytes: Buffer, request: Request) => DocumentContent | Promise<DocumentContent>;

/** Reads a document with its embedded documents. @throws {ExtractionFailure} the problem of the document */
export const readDocument = async (
  kind: Format,
  bytes: Buffer,
  request: Request,
): Promise<DocumentContent> => {
  const { attachments = [], ...document } = await READERS[kind](bytes, request);
  const read = document.units.reduce((sum, { text }) => sum + text.length, 0);
  const left = { ...request.limits, textCharacters: request.limits.textCharacters - read };
  const inside = await readEmbedded({ kind, bytes, attachments }, left, embedded);
  return inside.length === 0 ? document : { ...document, units: [...document.units, ...inside] };
};

/** Declared row values and the URL apply only to the outer document. */
const embedded: EmbeddedReader = async (kind, bytes, name, limits) =>
  READERS[kind](bytes, { file: '', bytes: 0, fileName: name, limits });

const readHtml: Reader = async (bytes, request) => {
  const { text, encoding } = decoded(bytes, request, true);
  const { url = null, robotName = null, withUnits = false } = request;
  // The units of an HTML document are Markdown.
  const context = { url, robotName, encoding, markdown: withUnits };
  const page = readPage(text, context);
  const { language, isArticle: _, ...facts } = page.facts;
  const units = await articleUnits(text, page, context);
  return { title: pageTitle(facts.title, units), language, encoding, units, page: { ...facts, encoding } };
};

const readMd: Reader = (bytes, request) => {
  const { text, about } = decodedLines(bytes, request);
  return { ...readMarkdown(text), ...about };
};

const readTxt: Reader = async (bytes, request) => {
  const { text, about } = decodedLines(bytes, request);
  const base = { title: null, language: null, ...about };
  if (!claimsSeparatedValues(readClaims(request))) {
    const name = nameIn(request);
    const code = await readCode(name, text);
    // The title is the file name: code has no title, and the name of its first definition is none.
    return code === null ? { ...base, units: readPlainText(text) } : { ...base, title: name, units: code };
  }
  const rows = separatedValues(text);
  const keys = request.chunkMetadataKeys ?? [];
  if (keys.length > 0) return { ...base, ...readTableRows(rows, keys, request.limits.textCharacters) };
  const table = markdownTable(
    rows.map(({ cells }) => cells),
    request.limits.textCharacters,
  );
  return { ...base, units: [{ headingPath: [], pageNumber: 0, text: table }] };
};

const readLines: Reader = (bytes, request) => {
  const { text, about } = decodedLines(bytes, request);
  const { chunkMetadataKeys = [], limits } = request;
  return {
    title: null,
    language: null,
    ...about,
    ...readJsonl(text, chunkMetadataKeys, limits.textCharacters),
  };
};

/** A notebook that is none is read as the text that it is. */
const readNotebook: Reader = (bytes, request) => {
  const { text, encoding } = decoded(bytes, request, false);
  const markdown = notebookText(text);
  return markdown === null ? readTxt(bytes, request) : { ...readMarkdown(markdown), encoding };
};

/** The units of a document within another one, to which neither its URL nor its keys apply. */
const unitsInside =
  (limits: ExtractionLimits) =>
  async ({ format, content }: { readonly format: Format; readonly content: Buffer }) =>
    (await READERS[format](content, { file: '', bytes: 0, limits })).units;

/** Each page as pages are read, under the book's own title and language. */
const readEpub: Reader = async (bytes, { limits }) => {
  const { title, language, pages } = openEpub(bytes);
  const read = unitsInside(limits);
  const units = await unitsWithin(limits.textCharacters, pages(), (content) =>
    read({ format: 'html', content }),
  );
  return { title, language, units };
};

const office =
  (read: (bytes: Buffer, maxCharacters: number) => OfficeText | Promise<OfficeText>): Reader =>
  (bytes, { limits }) =>
    read(bytes, limits.textCharacters);

const workbook =
  (open: (bytes: Buffer, maxCharacters: number) => Workbook | Promise<Workbook>): Reader =>
  async (bytes, { limits: { textCharacters }, chunkMetadataKeys: keys = [] }) => {
    const book = await open(bytes, textCharacters);
    return keys.length > 0
      ? readWorkbookRows(book, keys, textCharacters)
      : workbookText(book, textCharacters);
  };

const image =
  (type: ImageFileType): Reader =>
  (bytes) =>
    readImage(bytes, type);

const media: Reader = (_, request) => readMedia(request.transcript, titleFromName(request));

const decoded = (bytes: Buffer, request: Request, html: boolean) => {
  const parameter = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(request.mediaType ?? '')?.[1];
  return decodeText(bytes, { contentTypeCharset: request.charset ?? parameter ?? null, html }, detectCharset);
};

/** Lines of text, as many as are read: the rest would only take memory. */
const decodedLines = (bytes: Buffer, request: Request) => {
  const { text, encoding } = decoded(bytes, request, false);
  const { textCharacters: most } = request.limits;
  if (text.length <= most) return { text, about: { encoding } };
  const end = text.lastIndexOf('\n', most - 1) + 1;
  return { text: text.slice(0, end > 0 ? end : most), about: { encoding, unread: partlyRead(most) } };
};

const READERS: Readonly<Record<Format, Reader>> = {
  html: readHtml,
  md: readMd,
  wiki_page: readMd,
  txt: readTxt,
  pdf: (bytes, { limits, onPages }) =>
    readPdf(bytes, { ...limits, ...(onPages !== undefined && { onPages }) }),
  ipynb: readNotebook,
  eml: async (bytes, { limits }) => mailContent(await readEml(bytes), unitsInside(limits)),
  msg: async (bytes, { limits }) => mailContent(await readMsg(openCompoundFile(bytes)), unitsInside(limits)),
  mbox: (bytes, { limits }) => mailboxContent(bytes, unitsInside(limits), limits.textCharacters),
  epub: readEpub,
  rtf: office(readRtf),
  doc: office(readDoc),
  docx: office(readDocx),
  docm: office(readDocx),
  odt: office(readOdt),
  ppt: office(readPpt),
  pptx: office(readPptx),
  pptm: office(readPptx),
  odp: office(readOdp),
  xls: workbook(openXls),
  xlsx: workbook(openXlsx),
  xlsm: workbook(openXlsx),
  xlsb: workbook(openXlsb),
  ods: workbook(openOds),
  jsonl: readLines,
  png: image('png'),
  jpg: image('jpg'),
  webp: image('webp'),
  gif: image('png'),
  heic: image('heic'),
  heif: image('heif'),
  wav: media,
  mp3: media,
  aiff: media,
  aac: media,
  m4a: media,
  ogg: media,
  flac: media,
  mp4: media,
  mpg: media,
  mov: media,
  avi: media,
  flv: media,
  webm: media,
  wmv: media,
  '3gp': media,
};
