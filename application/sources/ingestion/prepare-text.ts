import type { CountTokens } from '../../../domain/chunking/chunk.ts';
import { CHUNK_LIMITS, type TextUnit } from '../../../domain/chunking/chunk.ts';
import { chunkDocument } from '../../../domain/chunking/chunk-document.ts';
import { documentKeywords } from '../../../domain/chunking/keywords.ts';
import type { RedactionRule } from '../../../domain/redaction/index.ts';
import type { MetadataRecord } from '../../../domain/source/index.ts';
import type { ChunkSet } from '../../../domain/chunking/chunk-set.ts';
import type { PageFacts } from '../../ports/document-reader.ts';
import type { TextPatterns } from '../../ports/compilers.ts';
import { compileRules, redact } from '../../redaction/redactor.ts';
import { type DetectLanguage, documentLanguage } from './document-language.ts';
import { firstTitle } from './document-title.ts';

/** What was taken from a document, as it stands there. */
export interface ExtractedText {
  readonly title: string | null;
  /** Stands for the title of a document without one: the name of its file, or of its address. */
  readonly name: string;
  /** As the document declares it. */
  readonly language: string | null;
  /** By heading and page, in reading order. */
  readonly units: readonly TextUnit[];
  readonly page?: PageFacts;
}

/** What may be kept of it. */
export interface PreparedText {
  readonly title: string;
  /** BCP 47. */
  readonly language?: string;
  readonly units: readonly TextUnit[];
  readonly chunkSet: ChunkSet;
  readonly page?: PageFacts;
}

export interface AboutDocument {
  readonly url: string | null;
  /** A value of the interface's `file_type`. */
  readonly fileType: string;
  readonly redaction: readonly RedactionRule[];
}

/** The steps of ingestion between text and chunks: redacts, names, cuts, and finds keywords. Deterministic. */
export type PrepareText = (extracted: ExtractedText, about: AboutDocument) => PreparedText;

export const createPrepareText =
  (deps: {
    readonly patterns: TextPatterns;
    readonly count: CountTokens;
    readonly hash: (text: string) => string;
    readonly detectLanguage: DetectLanguage;
  }): PrepareText =>
  (extracted, { url, fileType, redaction }) => {
    const rules = compileRules(redaction, deps.patterns);
    const hidden = (text: string): string => redact(text, rules).text;
    // Before chunks and keywords are made, so that nothing that is kept holds what was found.
    const units = extracted.units.map((unit) => ({
      ...unit,
      headingPath: unit.headingPath.map(hidden),
      text: hidden(unit.text),
      ...(unit.metadata !== undefined && { metadata: hiddenMetadata(unit.metadata, hidden) }),
    }));
    const page = extracted.page && {
      ...extracted.page,
      title: hidden(extracted.page.title),
      description: hidden(extracted.page.description),
    };
    const declared = extracted.title === null ? null : hidden(extracted.title);
    const firstHeading = units.find((unit) => unit.headingPath.length > 0)?.headingPath[0];
    const title = hidden(firstTitle(declared, firstHeading, extracted.name));
    const known = documentLanguage(extracted.language, units, deps.detectLanguage);
    const language = known !== null && { language: known };
    return {
      title,
      ...language,
      units,
      ...(page !== undefined && { page }),
      chunkSet: {
        format: 1,
        source: { title, url, fileType: fileType, ...language },
        keywords: documentKeywords(title, units),
        chunks: chunkDocument(units, { count: deps.count, hash: deps.hash, limits: CHUNK_LIMITS }),
      },
    };
  };

/** A number of which a part is hidden is no number: the record is left out. */
const hiddenMetadata = (
  metadata: readonly MetadataRecord[],
  hidden: (text: string) => string,
): readonly MetadataRecord[] =>
  metadata
    .map((record) => ({ ...record, val: hidden(record.val) }))
    .filter(({ val, type }, i) => type === 'string' || val === metadata[i]!.val);
