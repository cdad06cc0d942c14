// Plain JavaScript on purpose: an older Node must be able to parse it, so that it can find one that fits.
import { stopEarly, stopNoMoreEarly, tellStopped } from './early-stop.mjs';
import { fileURLToPath } from 'node:url';
import { keepCompiled } from './compile-cache.mjs';
import { fits, runWithFittingNode } from './fitting-node.mjs';

const args = process.argv.slice(2);
const isService = args.length === 0;
if (isService) stopEarly();
if (fits()) {
  process.env.TZ = 'UTC'; // before the first Date: schedules are evaluated in UTC
  keepCompiled();
  const { main } = await import('./main.ts');
  await main(args, stopNoMoreEarly);
} else {
  const onKilled = isService ? tellStopped : undefined;
  runWithFittingNode([fileURLToPath(import.meta.url), ...args], { apart: true, onKilled });
  // Signals are handed on from here.
  stopNoMoreEarly();
}
