import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import type {
  ExtractionLimits,
  ExtractionOutcome,
  ExtractionRequest,
  MissingProvider,
  PartialRead,
  PrepareText,
} from '../../application/ports/document-reader.ts';
import type { TextUnit } from '../../domain/chunking/chunk.ts';
import { withoutUnseen } from '../../domain/shared/words.ts';
import { readDocument } from './readers.ts';
import { readClaims, titleFromName } from './kind/claims.ts';
import { ExtractionFailure, partlyRead } from './extraction-failure.ts';
import { fileKind } from './kind/file-kind.ts';
import { fileTypeOf, mediaTypeOf } from './kind/formats.ts';

/** A request with all limits set, as sent to a reader process. */
export type FileRequest = ExtractionRequest & {
  readonly limits: ExtractionLimits;
  /** Called after each page of a PDF, in the process that reads it. */
  readonly onPages?: (read: number, pages: number) => void;
};

export type ExtractFile = (request: FileRequest) => Promise<ExtractionOutcome>;

/**
 * Reads one document in this process: decodes it, extracts its text, and has the text prepared before anything leaves.
 * Enforces the size limits; the parent process enforces those of time and memory.
 */
export const createExtractFile =
  (prepare: PrepareText): ExtractFile =>
  async (request) => {
    try {
      return await extract(request, prepare);
    } catch (error) {
      if (error instanceof ExtractionFailure) {
        return { kind: 'failed', code: error.code, message: error.message };
      }
      // Not the message, because parsers quote the document in it.
      const name = error instanceof Error ? error.name : 'unknown error';
      return { kind: 'failed', code: 'parser_failed', message: `the reader failed on it (${name})` };
    }
  };

const extract = async (request: FileRequest, prepare: PrepareText): Promise<ExtractionOutcome> => {
  const bytes = await readBytes(request);
  const claims = readClaims(request);
  const kind = request.fileType ?? (await fileKind(bytes, claims));
  if (typeof kind !== 'string') return kind;
  const { encoding, rowErrors, rowErrorCount, missing, unread, ...found } = await readDocument(
    kind,
    bytes,
    request,
  );
  const { units: kept, isCut } = firstCharacters(found.units, request.limits.textCharacters);
  const partly = isCut ? partlyRead(request.limits.textCharacters) : unread;
  const about = { url: request.url ?? null, fileType: fileTypeOf(kind), redaction: request.redaction ?? [] };
  const called = {
    name: titleFromName(request),
    ...(request.title !== undefined && { title: request.title }),
  };
  const { units, ...prepared } = prepare(
    { ...found, ...asSeen({ ...found, units: kept }), ...called },
    about,
  );
  return {
    kind: 'document',
    fileType: about.fileType,
    mediaType: mediaTypeOf(kind, claims),
    ...prepared,
    ...(encoding !== undefined && { encoding }),
    ...(rowErrors !== undefined && { rowErrors, rowErrorCount: rowErrorCount ?? rowErrors.length }),
    ...(missing !== undefined && { missing }),
    ...nothingOr(partly, missing, prepared.chunkSet.chunks.length),
    ...(request.withUnits === true && { units }),
  };
};

/** Whoever added a document learns that nothing of it can be found. */
const nothingOr = (
  unread: PartialRead | undefined,
  missing: MissingProvider | undefined,
  chunks: number,
): { readonly unread?: PartialRead } => {
  if (unread !== undefined) return { unread };
  return chunks > 0 || missing !== undefined
    ? {}
    : { unread: { code: 'no_text', message: 'no text was found in it' } };
};

/** Removes soft hyphens and other invisible characters, which would split words in text comparisons. */
const asSeen = ({ title, units }: Pick<TextsFound, 'title' | 'units'>) => ({
  title: title === null ? null : withoutUnseen(title),
  units: units.map((unit) => ({
    ...unit,
    headingPath: unit.headingPath.map(withoutUnseen),
    text: withoutUnseen(unit.text),
  })),
});
type TextsFound = Awaited<ReturnType<typeof readDocument>>;

/** Synchronous: this process has nothing else to do, and reading a small file is faster than waking a thread. */
const readBytes = async (request: FileRequest): Promise<Buffer> => {
  const { file, limits } = request;
  try {
    const { size } = statSync(file);
    if (size > limits.fileBytes)
      throw new ExtractionFailure(
        'too_large',
        `it has ${size} bytes, and at most ${limits.fileBytes} are read`,
      );
    const enough = MOST_BYTES * limits.textCharacters;
    if (size <= enough || !(await isText(request))) return readFileSync(file);
    const start = startOf(file, enough);
    // A character that is cut would make the rest look like text of another encoding.
    const end = start.lastIndexOf('\n') + 1;
    return end > 0 ? start.subarray(0, end) : start;
  } catch (error) {
    if (error instanceof ExtractionFailure) throw error;
    throw new ExtractionFailure('parser_failed', 'the file is not readable', { cause: error });
  }
};

/** Of a character in any encoding. */
const MOST_BYTES = 4;
/** What types of text are told by. */
const HEAD_BYTES = 4_096;

/** Types of which the start can be read without the end. */
const TEXTS = new Set<unknown>(['txt', 'md', 'jsonl', 'wiki_page']);

const isText = async (request: FileRequest): Promise<boolean> => {
  const head = startOf(request.file, HEAD_BYTES);
  const kind = request.fileType ?? (await fileKind(head, readClaims(request)).catch(() => null));
  return TEXTS.has(kind);
};

const startOf = (file: string, bytes: number): Buffer => {
  const opened = openSync(file, 'r');
  try {
    const start = Buffer.alloc(bytes);
    return start.subarray(0, readSync(opened, start));
  } finally {
    closeSync(opened);
  }
};

/** The units up to so many characters, cut between words: a word that is cut might be one to redact. */
const firstCharacters = (units: readonly TextUnit[], most: number) => {
  const kept: TextUnit[] = [];
  let left = most;
  for (const unit of units) {
    if (unit.text.length > left) {
      const end = Math.max(...[' ', '\n'].map((sign) => unit.text.lastIndexOf(sign, left)));
      if (end > 0) kept.push({ ...unit, text: unit.text.slice(0, end) });
      return { units: kept, isCut: true };
    }
    left -= unit.text.length;
    kept.push(unit);
  }
  return { units: kept, isCut: false };
};
