// npm run stress:webhooks [-- --seed 1 --events 1000 --kills 75]
// A process with the API and the projector takes events that two workers deliver to a receiver. All three are killed
// again and again, while requests are under way; then every event must have arrived, with its own id, and none before an
// earlier one of its stream.
// Prints progress on standard error and one line of JSON at the end; exit code 1 when a check failed.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runWebhooks } from './webhooks.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    events: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '75' },
  },
});
const [seed, events, kills] = [values.seed, values.events, values.kills].map(Number);
if (![seed, events, kills].every((given) => Number.isSafeInteger(given) && given >= 0)) {
  console.error('--seed, --events and --kills take whole numbers');
  process.exit(2);
}
process.exitCode = await runWebhooks({ seed, events, kills });
