// A server of Node with one statement behind it, without anything else. Takes the address of the database, the statement
// and its values; then tells its port.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDatabase, type DatabaseAddress } from '../../adapters/postgres/connection.ts';

interface Given {
  readonly address: DatabaseAddress;
  readonly text: string;
  readonly values: readonly [threadId: string, tenant: string];
}

process.once('message', ({ address, text, values }: Given) => {
  const { pool } = createDatabase({ ...address, poolSize: 1 });
  const server = createServer((_request, response) => {
    const answer = async (): Promise<void> => {
      const { rows } = await pool.query({ name: 'tree', text, values: [...values] });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ thread_id: values[0], runs: rows }));
    };
    answer().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port });
  });
});
process.on('disconnect', () => process.exit());
