import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { detect } from 'chardet';
import { CHUNK_LIMITS } from '../../domain/chunking/chunk.ts';
import type { TextUnit } from '../../domain/chunking/chunk.ts';
import { chunkDocument } from '../../domain/chunking/chunk-document.ts';
import { documentKeywords } from '../../domain/chunking/keywords.ts';
import type { ChunkSet } from '../../application/content/chunk-set.ts';
import type { PageFacts } from '../../application/ports/page-facts.ts';
import type {
  ExtractableFileType,
  ExtractionLimits,
  ExtractionOutcome,
  ExtractionRequest,
} from '../../application/ports/text-extractor.ts';
import { type CompiledRules, compileRules, redact } from '../../application/redaction/redactor.ts';
import type { TextPatterns } from '../../application/ports/text-patterns.ts';
import { decodeText } from '../../application/text-decoding.ts';
import { firstTitle, titleFromName } from './document-title.ts';
import { ExtractionFailure } from './extraction-failure.ts';
import { fileKind, readClaims } from './file-kind.ts';
import { articleUnits } from './html/readable-article.ts';
import { readPage } from './html/read-page.ts';
import { readMarkdown } from './markdown.ts';
import { readPdf } from './pdf/read-pdf.ts';
import { readPlainText } from './plain-text.ts';
import { countO200kTokens } from './token-counter.ts';

/** A request with every limit given: what a reader process is sent. */
export type FileRequest = ExtractionRequest & { readonly limits: ExtractionLimits };

export type ExtractFile = (request: FileRequest) => Promise<ExtractionOutcome>;

/**
 * Reads one document in this process: decodes, extracts, chunks and counts. Minds the size limits; those of time and
 * memory are the matter of whoever watches this process.
 */
export const createExtractFile =
  (patterns: TextPatterns): ExtractFile =>
  async (request) => {
    try {
      return await extract(request, compileRules(request.redaction ?? [], patterns));
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
export const extractFile: ExtractFile = createExtractFile({
  compile: () => {
    throw new Error('this reader knows no patterns');
  },
});

interface ReadDocument {
  readonly title: string | null;
  readonly language: string | null;
  readonly encoding?: string;
  readonly units: readonly TextUnit[];
  readonly page?: PageFacts;
}

const extract = async (request: FileRequest, rules: CompiledRules): Promise<ExtractionOutcome> => {
  const bytes = readBytes(request);
  const kind = await fileKind(bytes, readClaims(request));
  if (typeof kind !== 'string') return kind;
  const document = redactedDocument(await READERS[kind](bytes, request), rules);
  const characters = document.units.reduce((sum, unit) => sum + unit.text.length, 0);
  if (characters > request.limits.textCharacters) throw tooMuchText(request.limits);
  const firstHeading = document.units.find((unit) => unit.heading_path.length > 0)?.heading_path[0];
  const title = redact(firstTitle(document.title, firstHeading, titleFromName(request)), rules).text;
  const language = languageTag(document.language);
  return {
    kind: 'document',
    fileType: kind,
    title,
    ...language,
    ...(document.encoding !== undefined && { encoding: document.encoding }),
    chunkSet: chunkSetOf(request, kind, { title, ...language }, document.units),
    ...(request.withUnits === true && { units: document.units }),
    ...(document.page !== undefined && { page: document.page }),
  };
};

/** Before chunks and keywords are made, so that nothing that leaves this process holds what was found. */
const redactedDocument = (document: ReadDocument, rules: CompiledRules): ReadDocument => {
  const hidden = (text: string): string => redact(text, rules).text;
  return {
    ...document,
    title: document.title === null ? null : hidden(document.title),
    units: document.units.map((unit) => ({
      ...unit,
      heading_path: unit.heading_path.map(hidden),
      text: hidden(unit.text),
    })),
    ...(document.page !== undefined && { page: { ...document.page, title: hidden(document.page.title) } }),
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

const chunkSetOf = (
  request: FileRequest,
  fileType: ExtractableFileType,
  described: { readonly title: string; readonly language?: string },
  units: readonly TextUnit[],
): ChunkSet => ({
  format: 1,
  source: {
    title: described.title,
    url: request.url ?? null,
    file_type: fileType,
    ...(described.language !== undefined && { language: described.language }),
  },
  keywords: documentKeywords(described.title, units),
  chunks: chunkDocument(units, { count: countO200kTokens, hash: sha256, limits: CHUNK_LIMITS }),
});

const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** BCP 47 in its common shape; anything else is not passed on. */
const languageTag = (tag: string | null): { readonly language?: string } =>
  tag !== null && /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,5}$/i.test(tag) ? { language: tag } : {};
