// Measures the ranking on a judged test collection: npm run eval -- <folder>
// Prints one line of JSON. The folder holds documents, queries and judgements in TREC XML or SMART form.
import { evaluate } from './eval/evaluate.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: npm run eval -- <folder of a test collection>');
  process.exitCode = 2;
} else {
  console.log(JSON.stringify(await evaluate(folder)));
}
