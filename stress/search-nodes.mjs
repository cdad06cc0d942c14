// npm run stress:search [-- --seconds 120]
// The service on three nodes of OpenSearch: one is killed and comes back, another is frozen for 20 s, while clients push,
// replace, remove and search. Prints progress on standard error and one line of JSON; exit code 1 when a check failed.
import { parseArgs } from 'node:util';
import { searchNodes } from './search-nodes.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '120' } } });
const seconds = Number(values.seconds);
if (!(seconds > 0)) {
  console.error('--seconds takes a number above 0');
  process.exit(2);
}
process.exitCode = await searchNodes(seconds);
