import { hash } from 'node:crypto';
import { createExtractFile } from '../adapters/extraction/extract-file.ts';
import { countO200kTokens, detectLanguage } from '../adapters/extraction/language-and-tokens.ts';
import { textPatterns } from '../adapters/system/patterns/text-patterns.ts';
import { createPrepareText } from '../application/sources/ingestion/prepare-text.ts';

/** The ingestion steps that run in a reader process. */
export const prepareText = createPrepareText({
  patterns: textPatterns,
  count: countO200kTokens,
  hash: (text) => hash('sha256', text, 'hex'),
  detectLanguage,
});

/** The function that a reader process runs: it redacts documents before anything else sees their text. */
export const extractFile = createExtractFile(prepareText);
