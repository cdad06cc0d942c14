import { createExtractFile } from '../adapters/extraction/extract-file.ts';
import { preparingWith } from '../adapters/extraction/preparing.ts';
import { textPatterns } from '../adapters/system/patterns/text-patterns.ts';

/** What a reader process runs: documents are redacted where they are read, before anything else sees their text. */
export const extractFile = createExtractFile(preparingWith(textPatterns));
