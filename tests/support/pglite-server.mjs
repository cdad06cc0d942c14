// Run by pglite.ts in a process of its own: PGlite holds its event loop for as long as a statement takes.
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

const PACKAGES = { vector: 'pgvector' };

const extensions = {};
for (const name of process.argv.slice(2))
  extensions[name] = (await import(`@electric-sql/pglite-${PACKAGES[name]}`))[name];
const db = await PGlite.create({ extensions });
// Two, so that a connection may take the place of one that is closing. See pglite.ts.
const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: 2 });
await server.start();
// Ends with the process that started it, however that ended.
process.on('disconnect', () => process.exit(0));
process.send(Number(server.getServerConn().split(':').at(-1)));
