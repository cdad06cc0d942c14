// npm run eval -- <folder>: measures the ranking on a judged test collection in TREC XML or SMART form.
//   --embeddings URL --embeddings-model NAME: with the vectors of a model behind OpenAI's interface.
//   --opensearch URL: on OpenSearch in place of Postgres.
//   --modes a,b: by words (keyword), by vectors (vector), by both (hybrid). With vectors hybrid unless said.
// npm run eval -- <questions.jsonl>: asks a running service the questions of its owner; see docs/judging.md.
import { stat } from 'node:fs/promises';
import { measureCollection } from './eval/measure-collection.ts';
import { EvalUsageError, QuestionFileError } from './eval/questions.ts';
import { AskError } from './eval/over-http.ts';
import { judgeSite } from './eval/site.ts';

const USAGE = `usage: npm run eval -- <folder of a test collection> [--embeddings URL --embeddings-model NAME] [--modes keyword,vector,hybrid] [--opensearch URL]
       npm run eval -- <questions.jsonl> [--url URL] [--group ID]… [--modes keyword,hybrid,vector] [--search-only] [--misses] [--json]`;

const args = process.argv.slice(2);
const [target] = args; // first: options may have values
const isFolder = target !== undefined && (await stat(target).catch(() => null))?.isDirectory();
try {
  if (target === undefined || target.startsWith('--')) throw new EvalUsageError(USAGE);
  if (isFolder) await measureCollection(args, console.log);
  else await judgeSite(args, process.env, console.log);
} catch (error) {
  const isExplained =
    error instanceof QuestionFileError ||
    error instanceof AskError ||
    error instanceof EvalUsageError ||
    error.code?.startsWith('ERR_PARSE_ARGS') === true;
  console.error(isExplained ? error.message : error);
  process.exitCode = 2;
}
