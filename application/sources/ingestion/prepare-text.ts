import { type CountTokens, CHUNK_LIMITS, type TextUnit } from '../../../domain/chunking/chunk.ts';
import { chunkDocument } from '../../../domain/chunking/chunk-document.ts';
import { documentKeywords } from '../../../domain/chunking/keywords.ts';
import type { MetadataRecord } from '../../../domain/source/events.ts';
import type { PrepareText } from '../../ports/document-reader.ts';
import type { TextPatterns } from '../../ports/compilers.ts';
import { compileRules, redact } from '../../redaction/redactor.ts';
import { firstTitle } from './document-title.ts';

/** Its language by a text alone (ISO 639-1); null where it does not show clearly. */
type DetectLanguage = (text: string) => string | null;

/** A shorter text may be of names and numbers, or of words that several languages have. UTF-16 units. */
const LONG = 200;
/** What is looked at. UTF-16 units. */
const ENOUGH = 4_000;

/**
 * The language of a document, as BCP 47: what its text shows, as pages declare what their template was made for. What a
 * document declares stands where the text is short or does not show it, and where it says the same more exactly.
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

/** In its common shape; anything else is not passed on. */
const languageTag = (tag: string | null): string | null =>
  tag !== null && /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,5}$/i.test(tag) ? tag : null;

/** The steps of ingestion between text and chunks. */
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
