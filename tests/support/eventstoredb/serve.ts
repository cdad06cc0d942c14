import { parseArgs } from 'node:util';
import { startStandIn } from './stand-in.ts';

/**
 * The stand-in as a process of its own, for services that are processes too. Keeps its events for as long as it lives.
 *
 *     node tests/support/eventstoredb/serve.ts --port 2113
 *
 * Prints one line, the connection string, when it is ready. Ends at SIGTERM, SIGINT, or the end of its input if that
 * is a pipe of whoever started it (`--with-parent`).
 */
const { values } = parseArgs({
  options: { port: { type: 'string', default: '0' }, 'with-parent': { type: 'boolean', default: false } },
});
const standIn = await startStandIn({ port: Number(values.port) });
console.log(standIn.connectionString);

const stop = (): void => {
  void standIn.close().then(() => process.exit(0));
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
if (values['with-parent']) process.stdin.resume().once('end', stop);
