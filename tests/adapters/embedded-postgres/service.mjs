// A service process of its own, for tests that end it the hard way: prints its connection, then waits; a line that
// comes in makes it exit without a word to its server.
import { startEmbeddedPostgres } from '../../../adapters/embedded-postgres/server.ts';

const { connection } = await startEmbeddedPostgres({ dataDir: process.argv[2], settings: ['fsync = off'] });
console.log(JSON.stringify(connection));
process.stdin.once('data', () => process.exit(3));
setInterval(() => {}, 60_000);
