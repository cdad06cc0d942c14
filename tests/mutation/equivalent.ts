import { ACCESS } from './equivalent/access.ts';
import { AGENTS } from './equivalent/agents.ts';
import { ANSWER } from './equivalent/answer.ts';
import { APPLICATION } from './equivalent/application.ts';
import { CHUNKING } from './equivalent/chunking.ts';
import { COMPLETION } from './equivalent/completion.ts';
import { CRAWLS } from './equivalent/crawl.ts';
import { DATA_SOURCE } from './equivalent/data-source.ts';
import { DOCUMENTS } from './equivalent/documents.ts';
import { IDENTIFIERS } from './equivalent/identifiers.ts';
import { INGESTION } from './equivalent/ingestion.ts';
import { KEYS } from './equivalent/keys.ts';
import { OPERATIONS } from './equivalent/operations.ts';
import { PUSHES } from './equivalent/pushes.ts';
import { RANKED_WORDS } from './equivalent/ranked-words.ts';
import { RANKING } from './equivalent/ranking.ts';
import { REDACTION } from './equivalent/redaction.ts';
import { RUNS } from './equivalent/runs.ts';
import { SCORES } from './equivalent/scores.ts';
import { SEARCH } from './equivalent/search.ts';
import { SETTINGS } from './equivalent/settings.ts';
import { SOURCES } from './equivalent/sources.ts';
import { TAGS } from './equivalent/tags.ts';
import { TEXTS } from './equivalent/texts.ts';
import { TOOLS } from './equivalent/tools.ts';
import { UPLOADS } from './equivalent/uploads.ts';

/** A mutant that no test can tell from the program. */
export interface Equivalent {
  readonly file: string;
  /** What was replaced, and by what, as the report prints it. */
  readonly code: string;
  readonly by: string;
  readonly why: string;
}

/** Mutants of one file that are equivalent for the same reason. */
export interface Equivalents {
  readonly file: string;
  readonly why: string;
  readonly mutants: readonly (readonly [code: string, by: string])[];
}

export const EQUIVALENT: readonly Equivalent[] = [
  ACCESS,
  AGENTS,
  ANSWER,
  APPLICATION,
  CHUNKING,
  COMPLETION,
  CRAWLS,
  DATA_SOURCE,
  DOCUMENTS,
  IDENTIFIERS,
  INGESTION,
  KEYS,
  OPERATIONS,
  PUSHES,
  RANKED_WORDS,
  RANKING,
  REDACTION,
  RUNS,
  SCORES,
  SEARCH,
  SETTINGS,
  SOURCES,
  TAGS,
  TEXTS,
  TOOLS,
  UPLOADS,
]
  .flat()
  .flatMap(({ file, why, mutants }) => mutants.map(([code, by]) => ({ file, why, code, by })));
