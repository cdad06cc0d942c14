// npm run bench [-- name…] [--quick] [--profile]
// Prints one line of JSON per measurement. --quick: tiny sizes, to see that it works; its figures say nothing.
// --profile: our side under the CPU profiler, the dearest functions on standard error.
import { parseArgs } from 'node:util';
import { runBenches } from './run-benches.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, profile: { type: 'boolean', default: false } },
});
process.exitCode = await runBenches(positionals, values);
