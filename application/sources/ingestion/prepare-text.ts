import { type CountTokens, CHUNK_LIMITS, type TextUnit } from '../../../domain/chunking/chunk.ts';
import { chunkDocument } from '../../../domain/chunking/chunk-document.ts';
import { documentKeywords } from '../../../domain/chunking/keywords.ts';
import type { MetadataRecord } from '../../../domain/source/events.ts';
import type { PrepareText } from '../../ports/document-reader.ts';
import type { TextPatternCompiler } from '../../ports/compilers.ts';
import { compileRules, redact } from '../../redaction/redactor.ts';
import { firstTitle } from './document-title.ts';

/** Detects the language of a text (ISO 639-1); null if unclear. */
type DetectLanguage = (text: string) => string | null;

/** A shorter text may consist of names, numbers, or words common to several languages. UTF-16 units. */
const LONG = 200;
/** Length of the examined text. UTF-16 units. */
const ENOUGH = 4_000;

/**
 * The language of a document, as BCP 47. The detected language overrides the declared one, because many pages declare
 * the language of their template. The declared one is used if the text is short or unclear, or if it names the same
 * language more precisely.
 */
export const documentLanguage = (
  declared: string | null,
  units: readonly Pick<TextUnit, 'text'>[],
  detect: DetectLanguage,
): string | null => {
  const tag = languageTag(declared);
  const text = beginningOf(units);
  if (tag !== null && text.length < LONG) return tag;
  const shown = detect(text);
  return shown === null || tag?.split('-')[0]?.toLowerCase() === shown ? tag : shown;
};

const beginningOf = (units: readonly Pick<TextUnit, 'text'>[]): string => {
  let text = '';
  for (const unit of units) {
    if (text.length >= ENOUGH) break;
    text += `${unit.text.slice(0, ENOUGH)}\n`;
  }
  return text;
};

/** Accepts only the common form of a language tag. */
const languageTag = (tag: string | null): string | null =>
  tag !== null && /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,5}$/i.test(tag) ? tag : null;

/** The ingestion steps from text to chunks. */
export const createPrepareText =
  (deps: {
    readonly patterns: TextPatternCompiler;
    readonly count: CountTokens;
    readonly hash: (text: string) => string;
    readonly detectLanguage: DetectLanguage;
  }): PrepareText =>
  (extracted, { url, fileType, redaction }) => {
    const rules = compileRules(redaction, deps.patterns);
    const hidden = (text: string): string => redact(text, rules).text;
    // Redact before chunking and keywords, so that nothing stored contains redacted text.
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

/** Omits a record whose redacted value no longer has its type. */
const hiddenMetadata = (
  metadata: readonly MetadataRecord[],
  hidden: (text: string) => string,
): readonly MetadataRecord[] =>
  metadata
    .map((record) => ({ ...record, val: hidden(record.val) }))
    .filter(({ val, type }, i) => type === 'string' || val === metadata[i]!.val);
