// npm run stress:roles [-- --seed 1 --seconds 60 --store postgres]
// Six processes on one Postgres, killed or frozen at random while clients write; then every promise is checked.
// Prints progress on standard error and one line of JSON at the end; exit code 1 when a check failed.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(`this is Node ${process.version}: "npm run stress:roles" takes the one of the project`);
  process.exit(1);
}
const { runStress } = await import('./run.ts');
const { STORES } = await import('./store.ts');

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    seconds: { type: 'string', default: '60' },
    store: { type: 'string', default: 'postgres' },
  },
});
const [seed, seconds, store] = [Number(values.seed), Number(values.seconds), values.store];
if (!Number.isSafeInteger(seed) || !(seconds > 0) || !STORES.includes(store)) {
  console.error(
    `--seed takes a whole number, --seconds a number above 0, --store one of ${STORES.join(', ')}`,
  );
  process.exit(2);
}
process.exitCode = await runStress({ store, seed, seconds });
