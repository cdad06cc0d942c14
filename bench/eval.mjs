// npm run eval -- <folder>: measures the ranking on a judged test collection in TREC XML or SMART form.
//   With --hashed-vectors the words are fused with vectors that know no meanings: a weak leg must not do much harm.
// npm run eval -- <questions.jsonl>: asks a running service the questions of its owner; see docs/judging.md.
import { stat } from 'node:fs/promises';
import { createHashedEmbedder } from '../tests/support/embedding/hashed-embedder.ts';
import { AskError } from './eval/ask.ts';
import { evaluate } from './eval/evaluate.ts';
import { QuestionFileError } from './eval/questions.ts';
import { judgeSite } from './eval/site.ts';

const USAGE = `usage: npm run eval -- <folder of a test collection> [--hashed-vectors]
       npm run eval -- <questions.jsonl> [--url URL] [--group ID]… [--modes keyword,hybrid,vector] [--search-only] [--json]`;

const args = process.argv.slice(2);
const [target] = args; // first: options may have values
const isFolder = target !== undefined && (await stat(target).catch(() => null))?.isDirectory();
try {
  if (target === undefined || target.startsWith('--')) throw new Error(USAGE);
  if (isFolder) {
    const embedder = args.includes('--hashed-vectors') ? createHashedEmbedder('hashed', 384) : undefined;
    console.log(JSON.stringify(await evaluate(target, embedder)));
  } else await judgeSite(args, process.env, console.log);
} catch (error) {
  const isExplained =
    error instanceof QuestionFileError ||
    error instanceof AskError ||
    error.message === USAGE ||
    error.code?.startsWith('ERR_PARSE_ARGS') === true;
  console.error(isExplained ? error.message : error);
  process.exitCode = 2;
}
