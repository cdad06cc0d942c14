// Measures the ranking on a judged test collection: npm run eval -- <folder>
// With --hashed-vectors the words are fused with vectors that know no meanings: a weak leg must not do much harm.
// Prints one line of JSON. The folder holds documents, queries and judgements in TREC XML or SMART form.
import { createHashedEmbedder } from '../tests/support/embedding/hashed-embedder.ts';
import { evaluate } from './eval/evaluate.ts';

const [folder, vectors] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: npm run eval -- <folder of a test collection> [--hashed-vectors]');
  process.exitCode = 2;
} else {
  console.log(
    JSON.stringify(
      await evaluate(
        folder,
        vectors === '--hashed-vectors' ? createHashedEmbedder('hashed', 384) : undefined,
      ),
    ),
  );
}
