// Plain JavaScript on purpose: an older Node must be able to parse it, so that it can find one that fits.
import { stopEarly, stopNoMoreEarly, tellStopped } from './early-stop.mjs';
import { keepCompiled } from './compile-cache.mjs';
import { fits, runWithFittingNode } from './fitting-node.mjs';

const [, file, ...args] = process.argv;
const isService = args.length === 0;
if (isService) stopEarly();
if (fits()) {
  process.env.TZ = 'UTC'; // before the first Date: schedules are evaluated in UTC
  keepCompiled();
  const { main } = await import('./main.ts');
  await main(args, stopNoMoreEarly);
} else {
  const onKilled = isService ? tellStopped : undefined;
  runWithFittingNode([file, ...args], { apart: true, onKilled });
  // From here on, signals are forwarded.
  stopNoMoreEarly();
}
