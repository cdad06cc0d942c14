import { readFileSync, statSync } from 'node:fs';
import { detect } from 'chardet';
import type { TextUnit } from '../../domain/chunking/chunk.ts';
import type { PrepareText } from '../../application/ingestion/prepare-text.ts';
import type { PageFacts } from '../../application/ports/page-facts.ts';
import type {
  ExtractableFileType,
  ExtractionLimits,
  ExtractionOutcome,
  ExtractionRequest,
} from '../../application/ports/document-reader.ts';
import { decodeText } from '../../application/text-decoding.ts';
import { preparingWith } from './preparing.ts';
import { titleFromName } from './title-from-name.ts';
import { ExtractionFailure } from './extraction-failure.ts';
import { fileKind, readClaims } from './file-kind.ts';
import { articleUnits } from './html/readable-article.ts';
import { readPage } from './html/read-page.ts';
import { readMarkdown } from './markdown.ts';
import { readPdf } from './pdf/read-pdf.ts';
import { readPlainText } from './plain-text.ts';

/** A request with every limit given: what a reader process is sent. */
export type FileRequest = ExtractionRequest & { readonly limits: ExtractionLimits };

export type ExtractFile = (request: FileRequest) => Promise<ExtractionOutcome>;

/**
 * Reads one document in this process: decodes it, takes its text, and has that prepared before anything leaves. Minds the
 * size limits; those of time and memory are the matter of whoever watches this process.
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
      // Not the message: parsers quote the document in it.
      const name = error instanceof Error ? error.name : 'unknown error';
      return { kind: 'failed', code: 'parser_failed', message: `the reader broke on it (${name})` };
    }
  };

/** Without patterns: a document that is to be redacted by one is not read at all. */
export const extractFile: ExtractFile = createExtractFile(
  preparingWith({
    compile: () => {
      throw new Error('this reader knows no patterns');
    },
  }),
);

interface ReadDocument {
  readonly title: string | null;
  readonly language: string | null;
  readonly encoding?: string;
  readonly units: readonly TextUnit[];
  readonly page?: PageFacts;
}

const extract = async (request: FileRequest, prepare: PrepareText): Promise<ExtractionOutcome> => {
  const bytes = readBytes(request);
  const kind = await fileKind(bytes, readClaims(request));
  if (typeof kind !== 'string') return kind;
  const { encoding, ...found } = await READERS[kind](bytes, request);
  const characters = found.units.reduce((sum, unit) => sum + unit.text.length, 0);
  if (characters > request.limits.textCharacters) throw tooMuchText(request.limits);
  const about = { url: request.url ?? null, fileType: kind, redaction: request.redaction ?? [] };
  const { units, ...prepared } = prepare({ ...found, name: titleFromName(request) }, about);
  return {
    kind: 'document',
    fileType: kind,
    ...prepared,
    ...(encoding !== undefined && { encoding }),
    ...(request.withUnits === true && { units }),
  };
};

/** Synchronous: this process has nothing else to do, and small files are read in less time than a thread is woken. */
const readBytes = ({ file, limits }: FileRequest): Buffer => {
  try {
    const { size } = statSync(file);
    if (size <= limits.fileBytes) return readFileSync(file);
    throw new ExtractionFailure(
      'too_large',
      `it has ${size} bytes, and at most ${limits.fileBytes} are read`,
    );
  } catch (error) {
    if (error instanceof ExtractionFailure) throw error;
    throw new ExtractionFailure('parser_failed', 'the file is not readable', { cause: error });
  }
};

const tooMuchText = ({ textCharacters }: ExtractionLimits): ExtractionFailure =>
  new ExtractionFailure('too_large', `it has more than ${textCharacters} characters of text`);

type Reader = (bytes: Buffer, request: FileRequest) => ReadDocument | Promise<ReadDocument>;

const READERS: Readonly<Record<ExtractableFileType, Reader>> = {
  html: async (bytes, request) => {
    const { text, encoding } = decoded(bytes, request, true);
    const page = readPage(text, { url: request.url ?? null, robotName: request.robotName ?? null });
    const { language, isArticle: _, ...facts } = page.facts;
    const units = await articleUnits(text, page);
    return { title: facts.title, language, encoding, units, page: { ...facts, encoding } };
  },
  md: (bytes, request) => {
    const { text, encoding } = decoded(bytes, request, false);
    return { ...readMarkdown(text), encoding };
  },
  txt: (bytes, request) => {
    const { text, encoding } = decoded(bytes, request, false);
    return { title: null, language: null, encoding, units: readPlainText(text) };
  },
  pdf: (bytes, { limits }) => readPdf(bytes, limits.textCharacters),
};

const decoded = (bytes: Buffer, request: FileRequest, html: boolean) => {
  const parameter = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(request.mediaType ?? '')?.[1];
  return decodeText(bytes, { contentTypeCharset: request.charset ?? parameter ?? null, html }, detect);
};
