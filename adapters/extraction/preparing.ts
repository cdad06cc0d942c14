import { hash } from 'node:crypto';
import { createPrepareText, type PrepareText } from '../../application/sources/ingestion/prepare-text.ts';
import type { TextPatterns } from '../../application/ports/compilers.ts';
import { detectLanguage } from './detect-language.ts';
import { countO200kTokens } from './token-counter.ts';

/** The steps of ingestion, as a reader process takes them. */
export const preparingWith = (patterns: TextPatterns): PrepareText =>
  createPrepareText({
    patterns,
    count: countO200kTokens,
    hash: (text) => hash('sha256', text, 'hex'),
    detectLanguage,
  });
