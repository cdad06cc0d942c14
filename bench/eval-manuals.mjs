// npm run eval:manuals -- [manual…]: asks manuals in Debian's packages the questions of bench/eval/questions, each as a
// tenant of its own, in this process; fetches and reads them the first time. See docs/judging.md.
//   --misses: shows what a reader would have met where a question went wrong
//   --no-known: leaves out names and titles
//   --opensearch URL: on OpenSearch in place of Postgres.
//   --embeddings URL --embeddings-model NAME: searches by vectors of a model too, behind OpenAI's interface
import { runManuals } from './eval/manuals/run.ts';
import { EvalUsageError, QuestionFileError } from './eval/questions.ts';

try {
  await runManuals(process.argv.slice(2), console.log);
} catch (error) {
  const isExplained =
    error instanceof EvalUsageError ||
    error instanceof QuestionFileError ||
    error.code?.startsWith('ERR_PARSE_ARGS') === true;
  console.error(isExplained ? error.message : error);
  process.exitCode = 2;
}
