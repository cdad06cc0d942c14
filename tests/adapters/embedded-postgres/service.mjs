// A service process of its own, for tests that end it the hard way: prints its connection, then waits.
import { startEmbeddedPostgres } from '../../../adapters/embedded-postgres/server.ts';

const { connection } = await startEmbeddedPostgres({ dataDir: process.argv[2], settings: ['fsync = off'] });
console.log(JSON.stringify(connection));
setInterval(() => {}, 60_000);
